package repo

import (
	"os"
	"strings"
	"testing"
)

// Each folder of tests says what it proves.
func TestFoldersOfTestsAreDescribed(t *testing.T) {
	t.Chdir(root)
	folders, err := os.ReadDir("test")
	if err != nil {
		t.Fatal(err)
	}
	list, described := read(t, "test/README.md"), 0
	for _, f := range folders {
		switch {
		case !f.IsDir():
		case strings.Contains(list, "\n| `"+f.Name()+"` | "):
			described++
		default:
			t.Errorf("test/README.md has no line for %s", f.Name())
		}
	}
	if lines := strings.Count(list, "\n| `"); lines != described {
		t.Errorf("test/README.md has %d lines for %d folders", lines, described)
	}
}
