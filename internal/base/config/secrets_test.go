package config

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Each secret of the configuration names one source, and origins.
func TestSecretSources(t *testing.T) {
	for _, s := range []struct{ secret, want, wrong string }{
		{`{"from": "env:GH", "for": ["https://a.test"]}`, "env:GH", ""},
		{`{"from": "file:/run/secrets/gh", "for": ["https://a.test"], "ask": "session"}`, "file:/run/secrets/gh", ""},
		{`{"from": "file:gh", "for": ["https://a.test"]}`, "file:DIR/gh", ""},
		{`{"from": "exec:pass show 'my site'", "for": ["https://a.test"], "totp": true}`, "exec:pass|show|my site", ""},
		{`{"from": ["op", "read", "op://a b/c"], "for": ["https://a.test"]}`, "exec:op|read|op://a b/c", ""},
		{`{"from": "hunter2hunter2", "for": ["https://a.test"]}`, "", "browser.secrets.gh/pw.from must be env:NAME, file:PATH, exec:COMMAND, or a list of words"},
		{`{"from": "env:", "for": ["https://a.test"]}`, "", "must be env:NAME"},
		{`{"from": "exec: ", "for": ["https://a.test"]}`, "", "must be env:NAME"},
		{`{"from": "exec:pass 'a", "for": ["https://a.test"]}`, "", "has a quote without its end"},
		{`{"from": [], "for": ["https://a.test"]}`, "", "must be env:NAME"},
		{`{"for": ["https://a.test"]}`, "", "must be env:NAME"},
		{`{"from": "env:GH"}`, "", "browser.secrets.gh/pw.for must name at least one origin"},
		{`{"from": "env:GH", "for": ["https://a.test"], "ask": "often"}`, "", `browser.secrets.gh/pw.ask is "often"`},
	} {
		dir := t.TempDir()
		file := filepath.Join(dir, "chela.json")
		if err := os.WriteFile(file, []byte(`{"browser": {"secrets": {"gh/pw": `+s.secret+`}}}`), 0o600); err != nil {
			t.Fatal(err)
		}
		live, err := Open(Flags{StateDir: dir, File: file})
		if s.wrong != "" {
			if err == nil || !strings.Contains(err.Error(), s.wrong) || strings.Contains(err.Error(), "hunter2") {
				t.Errorf("%s: got %v, want %s", s.secret, err, s.wrong)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", s.secret, err)
			continue
		}
		source := live.Current().Source(live.Current().Browser.Secrets["gh/pw"])
		got := source.String()
		if source.Command != nil {
			got = fromCommand + strings.Join(source.Command, "|")
		}
		if want := strings.Replace(s.want, "DIR", dir, 1); got != want {
			t.Errorf("%s: got %s, want %s", s.secret, got, want)
		}
	}
}

func TestSplitWords(t *testing.T) {
	for command, want := range map[string][]string{
		"a b  c": {"a", "b", "c"}, `a 'b c' "d'e"`: {"a", "b c", "d'e"}, `a=''x ""`: {"a=x", ""}, "": nil, `$HOME *`: {"$HOME", "*"}, `a\ b`: {`a\`, "b"},
	} {
		if got, err := splitWords(command); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: got %q, %v", command, got, err)
		}
	}
}

// A misspelled key of a secret is reported with the right one.
func TestSecretKeys(t *testing.T) {
	if got := didYouMean("browser.secrets.gh/pw.fro"); got != "browser.secrets.gh/pw.from" {
		t.Errorf("got %s", got)
	}
}
