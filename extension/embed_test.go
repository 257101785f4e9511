package extension

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestID(t *testing.T) {
	if id := ID(); len(id) != 32 || strings.Trim(id, "abcdefghijklmnop") != "" {
		t.Errorf("got %q", id)
	}
}

func TestUnpack(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	for range 2 { // the second time over the first
		if err := Unpack(dir); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"manifest.json", "worker.js", "icons/16.png"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}
