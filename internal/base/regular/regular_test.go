//go:build unix

package regular

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// What is not a regular file is refused at once, without waiting for its content.
func TestReadFile(t *testing.T) {
	write := func(path string) error { return os.WriteFile(path, []byte("text"), 0o600) }
	for _, c := range []struct {
		name string
		make func(path string) error
		want error
	}{
		{"a file", write, nil},
		{"a link to a file", func(path string) error { return errors.Join(write(path+".other"), os.Symlink(path+".other", path)) }, nil},
		{"a pipe", func(path string) error { return syscall.Mkfifo(path, 0o600) }, ErrOther},
		{"an endless device", func(path string) error { return os.Symlink("/dev/zero", path) }, ErrOther},
		{"a directory", func(path string) error { return os.Mkdir(path, 0o700) }, ErrOther},
		{"a huge file", func(path string) error { return errors.Join(write(path), os.Truncate(path, 1<<40)) }, ErrOther},
		{"nothing", func(string) error { return nil }, os.ErrNotExist},
	} {
		path := filepath.Join(t.TempDir(), "file")
		if err := c.make(path); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		raw, err := ReadFile(path, 100)
		if !errors.Is(err, c.want) || err == nil && string(raw) != "text" {
			t.Errorf("%s: got %q, %v, want %v", c.name, raw, err, c.want)
		}
	}
}
