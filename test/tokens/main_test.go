package tokens

import (
	"os"
	"testing"

	"chela/internal/reading/parser"
)

// TestMain lets the test's program be the process that reads documents.
func TestMain(m *testing.M) {
	parser.RunIfChild()
	os.Exit(m.Run())
}
