package repo

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// plainReaders are the files that call os.ReadFile, and what they read. The files in /proc and /sys
// are read by files for Linux, which are not listed.
var plainReaders = map[string]string{
	"internal/base/media/roots.go":      "",
	"internal/engine/chrome/sandbox.go": "settings of the kernel",
}

// A path in the state directory may lead to anything, such as a pipe that nobody writes to. So its
// files are read by config.ReadFile, which refuses anything but a regular file, and does not wait.
func TestFilesAreReadWithoutWaiting(t *testing.T) {
	t.Chdir(root)
	files, err := filepath.Glob("internal/*/*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") || strings.HasSuffix(file, "_linux.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "os.ReadFile(") && plainReaders[filepath.ToSlash(file)] == "" {
			t.Errorf("%s calls os.ReadFile: want config.ReadFile or regular.ReadFile", file)
		}
	}
}
