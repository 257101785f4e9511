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
