package config

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
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

// A wrong type in the file is an error with its line, whether there are saved profiles or not.
func TestWrongTypesBesideSavedProfiles(t *testing.T) {
	for text, want := range map[string]string{
		"{\nbrowser: []}":                      "chela.json:2: browser must be an object, not a list",
		"{browser: {\nprofiles: ['work']}}":    "chela.json:2: browser.profiles must be an object, not a list",
		"{browser: {profiles: {\nwork: 'x'}}}": "chela.json:2: browser.profiles.work must be an object, not a string",
	} {
		noEnvironment(t)
		dir := t.TempDir()
		write(t, filepath.Join(dir, "chela.json"), text)
		write(t, State{dir}.profilesFile(), `{"work": {"cdpPort": 18801}}`)
		if _, err := Load(Flags{StateDir: dir}); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
}

// A configuration file that cannot be written, such as one that is mounted, is one that cannot be
// edited.
func TestReadOnlyConfiguration(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root can write every file")
	}
	noEnvironment(t)
	dir := t.TempDir()
	file := filepath.Join(dir, "chela.json")
	write(t, file, "{}")
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(dir, 0o700) })
	flags := Flags{StateDir: t.TempDir(), File: file}
	_, err := Set(flags, "browser.headless", "true")
	if e, ok := errors.AsType[*UneditableError](err); !ok || e.Error() != file+" cannot be edited: it cannot be written: permission denied" {
		t.Errorf("got %v", err)
	}
	l, err := Open(flags)
	if err != nil {
		t.Fatal(err)
	}
	if where, instead, err := l.SaveProfile("work", Profile{CDPPort: 18801}); filepath.Base(where) != "profiles.json" || instead == nil || err != nil {
		t.Errorf("%s, %v, %v", where, instead, err)
	}
	if l.Current().Browser.Profiles["work"].CDPPort != 18801 {
		t.Errorf("got %+v", l.Current().Browser.Profiles)
	}
}

// Which errors of the system say so. In containers, tests run as root, who can write every file.
func TestUnwritten(t *testing.T) {
	for errno, want := range map[syscall.Errno]bool{
		syscall.EROFS: true, syscall.EACCES: true, syscall.EPERM: true, syscall.EBUSY: true, syscall.ENOSPC: false, syscall.EIO: false,
	} {
		for _, err := range []error{&fs.PathError{Err: errno}, errors.Join(&os.LinkError{Err: errno}, fs.ErrNotExist)} {
			if _, got := errors.AsType[*UneditableError](new(Config).unwritten(err)); got != want {
				t.Errorf("%v: cannot be edited: %v", err, got)
			}
		}
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
