package profile

import (
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"chela/internal/base/config"
	"chela/internal/engine/browser"
)

// Whatever a session file contains, a browser can start with what is read from it, and writes the
// same again.
func FuzzSession(f *testing.F) {
	slog.SetDefault(slog.New(slog.DiscardHandler))
	for _, text := range []string{
		`{"lastTab":3,"tabs":[{"id":"t3","targetId":"X","url":"http://a.test/","lost":["forms"]}],"currents":{"":"t3"},"cookies":[{"name":"a","value":"b"}]}`,
		`{"tabs":[null],"cookies":[null]}`, `{"isolated":[""],"settings":{"routes":[null],"headers":[null],"logins":[null]}}`, `{"tabs":[{"id":"t-1"}]}`, `null`, `{"grants":[{}],"origins":[""],"settings":{}}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		s := &sessionStore{state: config.State{Dir: t.TempDir()}, profile: "work"}
		file := s.state.ProfileFile(s.profile, sessionFileName)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		m, lost := s.read()
		restoredFrom(m, lost)
		for _, tab := range m.Tabs {
			tab.Info()
		}
		m.Closed().WithoutSession()
		m.Sessions()
		m.End("a")
		m.Settings.Restored()
		written, err := json.Marshal(m)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		var again browser.Memory
		if err := json.Unmarshal(written, &again); err != nil {
			t.Fatalf("%q became %q: %v", text, written, err)
		}
		if twice, err := json.Marshal(again); err != nil || string(twice) != string(written) {
			t.Errorf("%q became %q, then %q", text, written, twice)
		}
	})
}
