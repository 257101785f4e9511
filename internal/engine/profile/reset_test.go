package profile

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chela/internal/base/config"
	"chela/internal/engine/browser"
)

// The data of a profile that is reset are in the trash, and its next browser takes over nothing.
func TestReset(t *testing.T) {
	m := managerOf(t, config.Browser{Profiles: map[string]config.Profile{"work": {CDPPort: 18801}}})
	p := m.mustName(t, "work")
	from, to, err := p.Reset(t.Context(), false)
	if err != nil || to != "" || from != filepath.Join(p.config.Current().State.Dir, "browser", "work", "user-data") {
		t.Errorf("nothing there: %s, %s, %v", from, to, err)
	}
	if err := os.MkdirAll(filepath.Join(from, "Default"), 0o700); err != nil {
		t.Fatal(err)
	}
	p.memory = browser.Memory{Tabs: []browser.SavedTab{{ID: "t1", URL: "http://one.test/"}}}
	p.session.save(p.memory)
	_, to, err = p.Reset(t.Context(), false)
	_, moved := os.Stat(filepath.Join(to, "Default"))
	if err != nil || moved != nil || !strings.Contains(to, filepath.Join("trash", "work-")) {
		t.Errorf("moved to %q: %v, %v", to, err, moved)
	}
	if left, _ := os.ReadDir(filepath.Dir(from)); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
	if len(p.Remembered(t.Context(), "")) != 0 {
		t.Error("its tabs are left")
	}
	p.memory = browser.Memory{LastTab: 3, Isolated: []string{"a"}, Cookies: sessionCookies}
	if _, _, err := p.Reset(t.Context(), false); err != nil {
		t.Error(err)
	}
	if left, lost := p.session.read(); left.LastTab != 3 || len(left.Isolated) != 1 || left.Cookies != nil || !lost.IsZero() {
		t.Errorf("the next server reads %+v: a handle would mean another tab, or a session would not be isolated", left)
	}
}

// A profile whose data are elsewhere cannot be reset.
func TestResetOfRemoteProfiles(t *testing.T) {
	m := managerOf(t, config.Browser{Profiles: map[string]config.Profile{"remote": {CDPURL: "http://10.0.0.42:9222"}}})
	for _, name := range []string{"remote", User, Chrome} {
		_, _, err := m.mustName(t, name).Reset(t.Context(), false)
		if e, ok := errors.AsType[*RemoteError](err); !ok || e.Profile != name {
			t.Errorf("%s: %v", name, err)
		}
	}
}
