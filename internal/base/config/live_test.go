package config

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// A server applies changes of its file, except for settings that need a restart. A wrong file has
// no effect.
func TestLive(t *testing.T) {
	noEnvironment(t)
	log := slog.Default()
	slog.SetDefault(slog.New(slog.DiscardHandler))
	t.Cleanup(func() { slog.SetDefault(log) })
	dir := t.TempDir()
	file := filepath.Join(dir, "chela.json")
	l, err := Open(Flags{StateDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if c := l.Current(); !c.Browser.EvaluateEnabled || c != l.Current() {
		t.Errorf("without a file: %+v", c)
	}
	for _, step := range []struct {
		text     string
		evaluate bool
		warning  string
	}{
		{`{browser: {evaluateEnabled: false}, gateway: {port: 20000, nodes: {browser: {mode: "off"}}}}`, false,
			"not in effect until the server is started again: gateway.port"},
		{`{browser: {evaluateEnabled: false}, fleet: {url: "nats://nats.example.com", tenant: "b", prefer: "a=b"}, media: {maxMB: 1}}`, false,
			"not in effect until the server is started again: media.maxMB, fleet.url, fleet.tenant"},
		{`{browser: {evaluateEnabled: true}}`, true, ""},
		{`{browser: {evaluateEnabled: 12}}`, true, "what it said before is in force"},
		{`{browser: {evaluateEnabled: true}}`, true, ""},
		{`{browser: {evaluateEnabled: false}}`, false, ""},
	} {
		write(t, file, step.text)
		c := l.Current()
		if got := strings.Join(c.Report(), " "); c.Browser.EvaluateEnabled != step.evaluate || !strings.Contains(got, step.warning) || step.warning == "" && got != "" {
			t.Errorf("%s: evaluate %v, warnings %q", step.text, c.Browser.EvaluateEnabled, got)
		}
		if c.Fleet.URL != "" || c.Media.MaxMB != 1000 {
			t.Errorf("%s: the fleet is %+v, and media %+v", step.text, c.Fleet, c.Media)
		}
		if c.Port != 18791 || c.Gateway.Port != 18789 {
			t.Errorf("%s: the port has changed to %d", step.text, c.Port)
		}
	}
}

// What the user has forbidden stays forbidden while the file cannot be read or has been deleted,
// and the server reports that.
func TestLastGoodStaysInForce(t *testing.T) {
	noEnvironment(t)
	log := slog.Default()
	slog.SetDefault(slog.New(slog.DiscardHandler))
	t.Cleanup(func() { slog.SetDefault(log) })
	const strict = `{browser: {evaluateEnabled: false, profiles: {work: {cdpPort: 18999, color: "#0066CC"}}}}`
	remove := func(t *testing.T, file string) {
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
	content := func(text string) func(*testing.T, string) {
		return func(t *testing.T, file string) { write(t, file, text) }
	}
	for _, test := range []struct {
		name, file string
		harm       func(t *testing.T, file string)
		outdated   string
	}{
		{"emptied", "chela.json", content(""), "chela.json:1: the file is empty"},
		{"only white space", "chela.json", content("\n \n"), "chela.json:1: the file is empty"},
		{"half written", "chela.json", content(strict[:40]), "chela.json:1: "},
		{"deleted", "chela.json", remove, "chela.json: there is no such file"},
		{"deleted, and OpenClaw's is there", "chela.json", func(t *testing.T, file string) {
			write(t, filepath.Join(filepath.Dir(file), openClawFile), "{}")
			remove(t, file)
		}, "chela.json: there is no such file"},
		{"unreadable", "chela.json", func(t *testing.T, file string) {
			remove(t, file)
			if err := os.Mkdir(file, 0o700); err != nil {
				t.Fatal(err)
			}
		}, "chela.json: it cannot be read: it is not a regular file, or it is too large"},
		{"a link to nothing", "chela.json", func(t *testing.T, file string) {
			remove(t, file)
			if err := os.Symlink("elsewhere.json", file); err != nil {
				t.Fatal(err)
			}
		}, "chela.json: it is a link to a file that is not there"},
		{"saved profiles emptied", "profiles.json", content(""), "profiles.json:1: the file is empty"},
		{"saved profiles deleted", "profiles.json", remove, "profiles.json: there is no such file"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, filepath.Join(dir, "chela.json"), strict)
			write(t, filepath.Join(dir, "profiles.json"), `{"made": {"cdpPort": 18998, "color": "#0066CC"}}`)
			l, err := Open(Flags{StateDir: dir})
			if err != nil {
				t.Fatal(err)
			}
			test.harm(t, filepath.Join(dir, test.file))
			for range 2 {
				c := l.Current()
				if _, made := c.Browser.Profiles["made"]; c.Browser.EvaluateEnabled || !made {
					t.Errorf("in force: evaluateEnabled %v, profiles %v", c.Browser.EvaluateEnabled, c.Browser.ProfileNames())
				}
				if want := filepath.Join(dir, test.outdated); !strings.HasPrefix(c.Outdated, want) || !slices.Contains(c.Report(), c.Outdated) {
					t.Errorf("got %q, want %q; the report is %q", c.Outdated, want, c.Report())
				}
			}
			_, _, err = l.SaveProfile("next", Profile{Color: "#0066CC"})
			if _, ok := errors.AsType[*OutdatedError](err); !ok {
				t.Errorf("a profile was saved: %v", err)
			}
			if _, ok := errors.AsType[*OutdatedError](l.RemoveProfile("made")); !ok {
				t.Error("a profile was removed")
			}
			os.Remove(filepath.Join(dir, test.file))
			write(t, filepath.Join(dir, "chela.json"), `{browser: {headless: true}}`)
			write(t, filepath.Join(dir, "profiles.json"), `{}`)
			if c := l.Current(); c.Outdated != "" || !c.Browser.EvaluateEnabled || *c.Browser.Headless != true {
				t.Errorf("a good file has come, and in force is %+v", c.Browser)
			}
		})
	}
}

// A wrong file is not read at each call. Current is called often, and reading costs more than a look at
// the file.
func TestWrongFileIsReadSeldom(t *testing.T) {
	noEnvironment(t)
	log := slog.Default()
	slog.SetDefault(slog.New(slog.DiscardHandler))
	t.Cleanup(func() { slog.SetDefault(log) })
	dir := t.TempDir()
	l, err := Open(Flags{StateDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	past := time.Now().Add(-time.Minute)
	put := func(text string) {
		write(t, filepath.Join(dir, "chela.json"), text)
		if err := os.Chtimes(filepath.Join(dir, "chela.json"), past, past); err != nil {
			t.Fatal(err)
		}
	}
	put(`{browser: {evaluateEnabled: 12345}}`)
	l.Current()
	put(`{browser: {evaluateEnabled: false}}`) // with the same size and time, so it looks unchanged
	l.failed = time.Now()
	if c := l.Current(); c.Outdated == "" {
		t.Error("it was read again at once")
	}
	l.failed = l.failed.Add(-retryAfter)
	if c := l.Current(); c.Outdated != "" || c.Browser.EvaluateEnabled {
		t.Errorf("it was not read again later: %s", c.Outdated)
	}
}

// A file that is created later replaces the defaults, and chela's own file replaces OpenClaw's.
func TestFileComes(t *testing.T) {
	noEnvironment(t)
	dir := t.TempDir()
	l, err := Open(Flags{StateDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		file, text string
		evaluate   bool
	}{
		{openClawFile, `{"browser": {"evaluateEnabled": false}}`, false},
		{"chela.json", `{}`, true},
	} {
		write(t, filepath.Join(dir, step.file), step.text)
		if c := l.Current(); c.Browser.EvaluateEnabled != step.evaluate || c.Outdated != "" {
			t.Errorf("%s has come: evaluateEnabled %v, %s", step.file, c.Browser.EvaluateEnabled, c.Outdated)
		}
	}
}

// A server does not start with a file that it cannot read.
func TestStartNeedsGoodFile(t *testing.T) {
	noEnvironment(t)
	for _, test := range []struct{ file, text, want string }{
		{"chela.json", "", ":1: the file is empty"},
		{"chela.json", "{\n browser: {\n", ":3: "},
		{"chela.json", "// nothing yet\n", ":2: "},
		{"profiles.json", "", ":1: the file is empty"},
	} {
		dir := t.TempDir()
		file := filepath.Join(dir, test.file)
		write(t, file, test.text)
		if _, err := Open(Flags{StateDir: dir}); err == nil || !strings.HasPrefix(err.Error(), file+test.want) {
			t.Errorf("%s %q: got %v, want %s", test.file, test.text, err, test.want)
		}
		if test.file != "chela.json" {
			continue
		}
		if _, err := Set(Flags{StateDir: dir}, "browser.headless", "true"); err == nil {
			t.Errorf("%q was edited", test.text)
		}
		if raw, _ := os.ReadFile(file); string(raw) != test.text {
			t.Errorf("%q became %q", test.text, raw)
		}
	}
}
