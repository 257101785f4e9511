package pdftext

import (
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	Become()
	os.Exit(m.Run())
}
