package config

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"
)

// Any configuration file can be loaded, or the error names a line that the file has. A
// configuration that was loaded can be loaded again.
func FuzzLoad(f *testing.F) {
	for _, text := range []string{
		`{browser: {headless: true, profiles: {work: {color: '#0066CC', cdpPort: 18801}}}}`, `{"gateway": {"port": 99999}}`, `{browser: {ssrfPolicy: {allowedHostnames: ["a b"]}}}`,
		`{browser: null}`, `{browser: {color: "red", extraArgs: "x"}}`, `// x`, `[]`, "{\n\n\"media\": {\"maxMB\": -1}}", `{browser: {profiles: {"../x": {}}}}`, `{gateway: {bind: "lan", auth: {mode: "nope"}}}`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := load(t, text, Flags{})
		if wrong, ok := errors.AsType[*FileError](err); ok {
			if wrong.Line < 0 || wrong.Line > strings.Count(text, "\n")+1 || wrong.Problem == "" {
				t.Errorf("%q: %v", text, err)
			}
			return
		}
		if err != nil {
			if !strings.Contains(err.Error(), "port") {
				t.Errorf("%q: %v", text, err)
			}
			return
		}
		for name := range c.Browser.Profiles {
			if strings.ContainsAny(name, "/\\.") {
				t.Errorf("a profile is called %q", name)
			}
		}
		all, err := c.Get("")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := json.Marshal(all); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	})
}

// A value that Set has written can be read again.
func FuzzSet(f *testing.F) {
	f.Add("browser.headless", "true")
	f.Add("browser.profiles.work.color", "#0066CC")
	f.Add("browser.ssrfPolicy.allowedHostnames", `["localhost", 'x']`)
	f.Add("browser.extraArgs", "[1e999]")
	f.Add("browser..color", "null")
	f.Fuzz(func(t *testing.T, key, text string) {
		noEnvironment(t)
		dir := t.TempDir()
		write(t, filepath.Join(dir, "chela.json"), "{\n  // mine\n  \"media\": {\"maxMB\": 7},\n}")
		c, err := Set(Flags{StateDir: dir}, key, text)
		if err != nil {
			return
		}
		if c.Media.MaxMB != 7 && !strings.HasPrefix(key, "media") {
			t.Errorf("%s = %q has changed another key", key, text)
		}
		again, err := Load(Flags{StateDir: dir})
		if err != nil {
			t.Fatalf("%s = %q cannot be read: %v", key, text, err)
		}
		want, err := c.Get(key)
		got, _ := again.Get(key)
		if a, _ := json.Marshal(want); err != nil || string(a) != string(first(json.Marshal(got))) {
			t.Errorf("%s = %q is %v, then %v (%v)", key, text, want, got, err)
		}
	})
}

func first(raw []byte, _ error) []byte { return raw }
