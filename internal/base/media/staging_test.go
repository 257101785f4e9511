package media

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// The folder for copies is made with the first copy. At that time, copies that killed servers have
// left and files that are too old are removed.
func TestStaging(t *testing.T) {
	r := roots(t)
	r.staging = new(staging)
	r.bound(Bounds{})
	left := []string{put(t, filepath.Join(r.Temp, "staged-99999999-1", "a"), "x"), put(t, filepath.Join(r.Pictures, "old.png"), "x")}
	dir, err := r.Staging()
	if err != nil || filepath.Dir(dir) != r.staging.dir {
		t.Fatalf("got %s in %s, %v", dir, r.staging.dir, err)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	for _, path := range append(left, dir, r.staging.dir) {
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is left: %v", path, err)
		}
	}
}

// A server that staged nothing has nothing to remove, and stages nothing after its end.
func TestStagingAfterClose(t *testing.T) {
	r := roots(t)
	r.staging = new(staging)
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	if dir, err := r.Staging(); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("got %q, %v", dir, err)
	}
}
