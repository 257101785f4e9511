package profile

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Removed data stay in the trash until ten later entries are in it.
func TestTrash(t *testing.T) {
	state := t.TempDir()
	bin := trash{filepath.Join(state, "trash")}
	data := filepath.Join(state, "user-data")
	fill := func() {
		t.Helper()
		if err := os.MkdirAll(data, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(data, "Cookies"), []byte("login"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if to, err := bin.take("work", data, ""); to != "" || err != nil {
		t.Errorf("nothing to remove: %q, %v", to, err)
	}
	fill()
	to, err := bin.take("work", data, "user-data")
	got, readErr := os.ReadFile(filepath.Join(to, "Cookies"))
	if err != nil || readErr != nil || string(got) != "login" || filepath.Base(to) != "user-data" {
		t.Errorf("moved to %s: %v, %v", to, err, readErr)
	}
	old := filepath.Join(bin.dir, "other-19990102-030405")
	foreign := filepath.Join(bin.dir, "notes")
	for _, dir := range []string{old, foreign} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for range maxTrash - 1 {
		fill()
		if _, err := bin.take("work", data, ""); err != nil {
			t.Fatal(err)
		}
	}
	left, _ := os.ReadDir(bin.dir)
	if len(left) != maxTrash+1 {
		t.Errorf("left: %v", left)
	}
	for path, stays := range map[string]bool{to: true, foreign: true, old: false} {
		if _, err := os.Stat(path); (err == nil) != stays {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestEntriesOfOneSecond(t *testing.T) {
	bin := trash{t.TempDir()}
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, want := range []string{"work-20260102-030405", "work.2-20260102-030405", "work.3-20260102-030405"} {
		path, err := bin.entry("work", now)
		if err != nil || filepath.Base(path) != want {
			t.Errorf("got %s, %v; want %s", path, err, want)
		}
		if err := os.Mkdir(path, 0o700); err != nil {
			t.Fatal(err)
		}
	}
}

// Data are in the trash even if an old entry cannot be deleted.
func TestTrashThatCannotBeCleaned(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root can delete the entry")
	}
	bin := trash{filepath.Join(t.TempDir(), "trash")}
	stuck := filepath.Join(bin.dir, "a-19990102-030405")
	if err := os.MkdirAll(filepath.Join(stuck, "full"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(stuck, 0o500); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(stuck, 0o700)
	for range maxTrash {
		data := t.TempDir()
		if to, err := bin.take("work", data, ""); to == "" || err != nil {
			t.Errorf("moved to %q, %v", to, err)
		}
	}
}

// Data that cannot be moved leave no empty entry, which would count.
func TestDataThatCannotBeMoved(t *testing.T) {
	state := t.TempDir()
	bin := trash{filepath.Join(state, "trash")}
	to, err := bin.take("work", state, "user-data") // a folder cannot be moved into itself
	if left, _ := os.ReadDir(bin.dir); to != "" || err == nil || len(left) != 0 {
		t.Errorf("moved to %q, %v; left: %v", to, err, left)
	}
}
