// Package repo tests the repository as a whole: that documents, packages and all ways to call the
// program agree.
package repo

import (
	"fmt"
	"os"
	"testing"
)

// The tests run in the module's root, so that paths in them are those from there.
func TestMain(m *testing.M) {
	if err := os.Chdir("../.."); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}
