package page_test

import (
	"os"
	"testing"

	"chela/test/tab"
)

func TestMain(m *testing.M) { os.Exit(tab.Main(m)) }

// A story is a [tab.Story] in a table.
type story tab.Story

func (s story) test(t *testing.T) { tab.Story(s).Test(t) }
