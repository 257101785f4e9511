package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A file is replaced as a whole, by one that only the user can read. A killed process may leave a
// temporary file; it is removed once nobody can be writing it any more.
func TestReplaceFile(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "state.json")
	for _, name := range []string{".state.json.1.new", ".state.json.2.new", ".other.json.1.new"} {
		write(t, filepath.Join(dir, name), "half of i")
	}
	old := time.Now().Add(-abandonedAge)
	for _, name := range []string{".state.json.1.new", ".other.json.1.new"} {
		if err := os.Chtimes(filepath.Join(dir, name), old, old); err != nil {
			t.Fatal(err)
		}
	}
	for _, until := range []Lasting{PastKill, PastPowerLoss} {
		if err := ReplaceFile(file, []byte("whole"), until); err != nil {
			t.Fatal(err)
		}
	}
	info, err := os.Stat(file)
	if err != nil || !IsPrivate(info) {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if got := names(t, dir); got != ".other.json.1.new .state.json.2.new state.json" {
		t.Errorf("the files are %s", got)
	}
	if err := removeFile(file); err != nil {
		t.Error(err)
	}
	if got := names(t, dir); got != ".other.json.1.new" {
		t.Errorf("after it was removed, the files are %s", got)
	}
	if err := removeFile(file); err != nil {
		t.Errorf("a file that is not there: %v", err)
	}
}

// A file that cannot be replaced stays, and nothing is left beside it.
func TestReplaceFileFails(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "state.json", "below"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := ReplaceFile(filepath.Join(dir, "state.json"), []byte("whole"), PastPowerLoss); err == nil {
		t.Error("a folder was replaced")
	}
	if got := names(t, dir); got != "state.json" {
		t.Errorf("the files are %s", got)
	}
}

// names returns the names of the files in a folder.
func names(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, entry := range entries {
		all = append(all, entry.Name())
	}
	return strings.Join(all, " ")
}

// Only one process writes the file of a profile. So a temporary file that a killed server has left
// is removed at once.
func TestProfileFileLeftovers(t *testing.T) {
	state := State{Dir: t.TempDir()}
	file := state.ProfileFile("work", "session.json")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(filepath.Dir(file), ".session.json.1.new"), "half of i")
	if err := state.WriteProfileFile("work", "session.json", []byte("whole"), PastKill); err != nil {
		t.Fatal(err)
	}
	if got := names(t, filepath.Dir(file)); got != "session.json" {
		t.Errorf("the files are %s", got)
	}
}
