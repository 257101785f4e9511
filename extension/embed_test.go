package extension

import (
	"archive/zip"
	"bytes"
	"errors"
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
	for range 2 { // the second time, the files already exist
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

func TestPack(t *testing.T) {
	var one, other bytes.Buffer
	if err := errors.Join(Pack(&one), Pack(&other)); err != nil || !bytes.Equal(one.Bytes(), other.Bytes()) {
		t.Fatalf("%d and %d bytes, %v", one.Len(), other.Len(), err)
	}
	archive, err := zip.NewReader(bytes.NewReader(one.Bytes()), int64(one.Len()))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := Unpack(dir); err != nil || !AreIn(dir) {
		t.Fatal("unpacked files are others", err)
	}
	if err := os.RemoveAll(dir); err != nil || AreIn(dir) {
		t.Fatal("removed files are there", err)
	}
	if err := os.CopyFS(dir, archive); err != nil || !AreIn(dir) {
		t.Error("the archive has other files", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "host.json")); err == nil {
		t.Error("the archive names a chela")
	}
}
