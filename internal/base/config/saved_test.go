package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Profiles are saved in the configuration file where that can be edited.
func TestSaveProfile(t *testing.T) {
	noEnvironment(t)
	dir := t.TempDir()
	file := filepath.Join(dir, "chela.json")
	write(t, file, "{\n  // mine\n  \"browser\": {\"profiles\": {\"home\": {\"color\": \"#112233\"}}}\n}\n")
	l, err := Open(Flags{StateDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	for name, p := range map[string]Profile{"work": {CDPPort: 18801}, "home": {CDPPort: 18802}} {
		if where, instead, err := l.SaveProfile(name, p); where != file || instead != nil || err != nil {
			t.Fatalf("%s, %v, %v", where, instead, err)
		}
	}
	all := l.Current().Browser.Profiles
	if all["work"].CDPPort != 18801 || all["home"].CDPPort != 18802 || all["home"].Color != "#112233" {
		t.Errorf("got %+v", all)
	}
	if err := l.RemoveProfile("home"); err != nil {
		t.Fatal(err)
	}
	if all := l.Current().Browser.Profiles; len(all) != 1 {
		t.Errorf("after home was removed: %+v", all)
	}
	if got, _ := os.ReadFile(file); !strings.Contains(string(got), "// mine") {
		t.Errorf("the comment is lost:\n%s", got)
	}
	if err := l.RemoveProfile("none"); err != nil {
		t.Error(err)
	}
	if exists(l.Current().State.profilesFile()) {
		t.Error("there is a file of saved profiles")
	}
}

// Where the configuration file cannot be edited, profiles are saved beside it. Settings in the
// configuration file win.
func TestSaveProfileElsewhere(t *testing.T) {
	for _, s := range []struct{ name, file, text string }{
		{"JSON5", "chela.json", "{browser: {profiles: {home: {color: '#112233'}}}}"},
		{"OpenClaw's", "openclaw.json", `{"browser": {"profiles": {"home": {"color": "#112233"}}}}`},
	} {
		t.Run(s.name, func(t *testing.T) {
			noEnvironment(t)
			dir := t.TempDir()
			file := filepath.Join(dir, s.file)
			write(t, file, s.text)
			l, err := Open(Flags{StateDir: dir})
			if err != nil {
				t.Fatal(err)
			}
			for name, p := range map[string]Profile{"work": {CDPPort: 18801}, "home": {CDPPort: 18802, Color: "#000000"}} {
				where, instead, err := l.SaveProfile(name, p)
				if filepath.Base(where) != "profiles.json" || instead == nil || err != nil {
					t.Fatalf("%s, %v, %v", where, instead, err)
				}
			}
			all := l.Current().Browser.Profiles
			if all["work"].CDPPort != 18801 || all["home"].CDPPort != 18802 || all["home"].Color != "#112233" {
				t.Errorf("got %+v", all)
			}
			if e, ok := errors.AsType[*UneditableError](l.RemoveProfile("home")); !ok || e.File != file {
				t.Errorf("a profile of the file: %v", e)
			}
			if err := l.RemoveProfile("work"); err != nil {
				t.Error(err)
			}
			if _, ok := l.Current().Browser.Profiles["work"]; ok {
				t.Error("work is still there")
			}
			if got, _ := os.ReadFile(file); string(got) != s.text {
				t.Errorf("the file was changed to\n%s", got)
			}
		})
	}
}
