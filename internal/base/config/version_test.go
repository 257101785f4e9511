package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Profiles that a newer chela has saved are neither read nor overwritten. A file from before there
// were versions is read, and gets one when it is written.
func TestVersionOfSavedProfiles(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "profiles.json")
	write(t, filepath.Join(dir, "chela.json"), `{browser: {color: '#0066CC'}}`) // JSON5, which is not edited
	const newer = `{"$version": 2, "work": {"color": "#000000", "ports": [1, 2]}}`
	write(t, file, newer)
	_, err := Open(Flags{StateDir: dir})
	if e, ok := errors.AsType[*NewerError](err); !ok || e.File != file || e.Version != 2 || !strings.Contains(e.Hint(), "update chela") {
		t.Errorf("got %v", err)
	}
	if err := (State{Dir: dir}).changeSaved(func(map[string]any) { t.Error("changed") }); err == nil {
		t.Error("written")
	}
	if got, _ := os.ReadFile(file); string(got) != newer {
		t.Errorf("the file became %s", got)
	}

	write(t, file, `{"work": {"color": "#000000"}}`)
	l, err := Open(Flags{StateDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := l.SaveProfile("home", Profile{Color: "#112233"}); err != nil {
		t.Fatal(err)
	}
	got, _ := os.ReadFile(file)
	if all := l.Current().Browser.Profiles; !strings.Contains(string(got), `"$version": 1`) || all["work"].Color != "#000000" || all["home"].Color != "#112233" {
		t.Errorf("got %+v by %s", all, got)
	}
}
