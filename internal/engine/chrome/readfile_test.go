//go:build unix

package chrome

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A file in a user data directory that is not a regular file is refused at once, without waiting
// for its content.
func TestFindActiveInHostileFiles(t *testing.T) {
	for name, make := range map[string]func(path string) error{
		"a pipe":            func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"an endless device": func(path string) error { return os.Symlink("/dev/zero", path) },
		"a directory":       func(path string) error { return os.Mkdir(path, 0o700) },
		"a huge file": func(path string) error {
			return errors.Join(os.WriteFile(path, nil, 0o600), os.Truncate(path, 1<<40))
		},
	} {
		dir := t.TempDir()
		if err := make(filepath.Join(dir, portFile)); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if found, err := FindActive(dir); err == nil {
			t.Errorf("%s: %+v", name, found)
		}
	}
}
