//go:build unix

package media

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// While a file is replaced again and again, Upload reads the caller's file or nothing. It never
// reads a file in another folder, and never waits.
func TestUploadOfWhatIsSwapped(t *testing.T) {
	r := roots(t)
	secret := put(t, filepath.Join(t.TempDir(), "secret"), "secret")
	elsewhere := filepath.Dir(secret)
	path, folder := filepath.Join(r.Uploads, "a.txt"), filepath.Join(r.Uploads, "sub")
	swap(t, path, []func(string) error{
		func(at string) error { return os.WriteFile(at, []byte("fine"), 0o600) },
		func(at string) error { return os.Symlink(secret, at) },
		func(at string) error { return os.Link(secret, at) },
		func(at string) error { return syscall.Mkfifo(at, 0o600) },
	})
	swap(t, folder, []func(string) error{
		func(at string) error { return os.Symlink(elsewhere, at) },
		func(at string) error { return os.Mkdir(at, 0o700) },
	})
	for range 2000 {
		for _, name := range []string{"a.txt", "sub/secret"} {
			f, err := r.Upload(name)
			if err != nil {
				continue
			}
			if got, _ := io.ReadAll(f); strings.Contains(string(got), "secret") {
				t.Errorf("%s: read %q", name, got)
			}
			f.Close()
		}
	}
}

// A download is saved in the folder that was named, or nowhere.
func TestDownloadWhereFoldersAreSwapped(t *testing.T) {
	r := roots(t)
	elsewhere := t.TempDir()
	swap(t, filepath.Join(r.Downloads, "sub"), []func(string) error{
		func(at string) error { return os.Mkdir(at, 0o700) },
		func(at string) error { return os.Symlink(elsewhere, at) },
		func(at string) error { return os.Symlink(r.Uploads, at) },
	})
	from := put(t, filepath.Join(r.Temp, "arrived"), "data")
	for range 300 {
		if place, err := r.Download("sub/x.txt"); err == nil && place.Put(from) == nil {
			put(t, from, "data")
		}
	}
	if found, _ := filepath.Glob(filepath.Join(elsewhere, "*")); len(found) > 0 {
		t.Errorf("saved elsewhere: %v", found)
	}
}

// swap calls the functions in turn, again and again, until the test ends. Each puts something else
// at path.
func swap(t *testing.T, path string, things []func(at string) error) {
	stop, stopped := make(chan struct{}), make(chan struct{})
	t.Cleanup(func() { close(stop); <-stopped })
	go func() {
		defer close(stopped)
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
				os.RemoveAll(path)
				things[i%len(things)](path)
			}
		}
	}()
}
