package capture_test

import (
	"os"
	"testing"

	"chela/test/tab"
)

func TestMain(m *testing.M) { os.Exit(tab.Main(m)) }
