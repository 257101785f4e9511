package profile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"

	"chela/internal/base/config"
	"chela/internal/engine/browser"
	"chela/internal/engine/setting"
)

var sessionCookies = []*network.Cookie{{
	Name: "n", Value: "v", Domain: "one.test", Path: "/", Session: true,
	Priority: network.CookiePriorityMedium, SourceScheme: network.CookieSourceSchemeSecure,
}}

// newSession returns the session store of a profile in an empty state directory.
func newSession(t *testing.T) (s *sessionStore, path func(file string) string) {
	state, err := config.StateAt(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return &sessionStore{state: state, profile: "chela"}, func(file string) string { return filepath.Join(state.Dir, "browser", "chela", file) }
}

// A lost browser leaves everything to the next one. A stopped browser leaves session cookies and
// origins. If nothing is left, there is no file.
func TestSession(t *testing.T) {
	s, path := newSession(t)
	running := browser.Memory{
		LastTab: 3, Current: map[string]string{"": "t3"}, Tabs: []browser.SavedTab{{ID: "t3", TargetID: "A", URL: "http://one.test/"}},
		Cookies: sessionCookies, Origins: []string{"http://one.test"}, Settings: setting.Common{Timezone: "Asia/Tokyo"}, Isolated: []string{"agent"},
	}
	stopped := running.Closed()
	for _, step := range []struct {
		name  string
		write func() error
		want  browser.Memory
		lost  bool
		files string
	}{
		{"nothing yet", func() error { return nil }, browser.Memory{}, false, ""},
		{"nothing to keep", func() error { return s.close(browser.Memory{Isolated: []string{}}) }, browser.Memory{}, false, ""},
		{"it runs", func() error { return s.save(running) }, running, true, "session.json"},
		{"it was stopped", func() error { return s.close(running.Closed()) }, stopped, false, "session.json"},
		{"it runs again, and the cookies were deleted", func() error { return s.save(browser.Memory{}) }, browser.Memory{}, true, "session.json"},
		{"it was stopped and is to forget", func() error { return s.close(browser.Memory{Origins: running.Origins}) }, browser.Memory{Origins: running.Origins}, false, "session.json"},
		{"there was nothing", func() error { return s.close(browser.Memory{}) }, browser.Memory{}, false, ""},
	} {
		if err := step.write(); err != nil {
			t.Errorf("%s: %v", step.name, err)
		}
		got, lost := s.read()
		if !reflect.DeepEqual(got, step.want) || lost.IsZero() == step.lost {
			t.Errorf("%s: %+v, lost with its server: %v", step.name, got, lost)
		}
		files := ""
		list, _ := os.ReadDir(path(""))
		for _, file := range list {
			if info, err := file.Info(); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("%s: %s has mode %v, %v", step.name, file.Name(), info.Mode(), err)
			}
			files += file.Name()
		}
		if files != step.files {
			t.Errorf("%s: the files are %q, want %q", step.name, files, step.files)
		}
	}
}

// A file that cannot be read, or was only half written, is replaced.
func TestBrokenSession(t *testing.T) {
	s, path := newSession(t)
	s.close(browser.Memory{Cookies: sessionCookies})
	if err := os.WriteFile(path("session.json"), []byte(`{"tabs": [{"id": "t1"}], "origins": ["http://two`), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, lost := s.read(); !reflect.DeepEqual(got, browser.Memory{}) || !lost.IsZero() {
		t.Errorf("got %+v, %v", got, lost)
	}
	s.close(browser.Memory{})
	if left, _ := filepath.Glob(path("*.json*")); len(left) != 0 {
		t.Errorf("left: %q", left)
	}
}

// If a session ends while no browser runs, the next browser has none of its tabs. Of a browser that
// somebody else has started, the file has no tabs.
func TestEndRemembered(t *testing.T) {
	memory := browser.Memory{
		Tabs:    []browser.SavedTab{{ID: "t1", Owner: "b"}, {ID: "t2", Owner: "a"}, {ID: "t3", Owner: "a", Lease: browser.Lease{Session: "b", Until: time.Now().Add(time.Hour)}}},
		Current: map[string]string{"a": "t2"}, Isolated: []string{"a", "c"}, Cookies: sessionCookies,
	}
	for _, step := range []struct {
		name   string
		url    string // address of the browser
		lost   bool
		key    string
		closed int
		left   string // what is left in the file
	}{
		{"a browser that was lost", "", true, "a", 1, `t1=b t3=b; isolated [c], lost`},
		{"a session without tabs", "", true, "c", 0, `t1=b t2=a t3=a; isolated [a], lost`},
		{"a browser that was stopped", "", false, "c", 0, `; isolated [a]`},
		{"a session that is not known", "", true, "d", 0, `no file`},
		{"a browser of somebody else", "http://10.0.0.42:9222", true, "a", 1, `; isolated [c], lost`},
	} {
		p := managerOf(t, config.Browser{Profiles: map[string]config.Profile{"work": {CDPPort: 18801, CDPURL: step.url}}}).mustName(t, "work")
		p.memory, p.lost = memory, step.lost
		if !step.lost {
			p.memory = memory.Closed()
		}
		closed, err := p.endSession(t.Context(), step.key)
		if err != nil || closed != step.closed {
			t.Errorf("%s: %d closed, %v", step.name, closed, err)
		}
		got := "no file"
		if _, err := os.Stat(p.config.State().ProfileFile("work", sessionFileName)); err == nil {
			m, lost := p.session.read()
			var tabs []string
			for _, tab := range m.Tabs {
				tabs = append(tabs, tab.ID+"="+tab.Owner)
			}
			got = fmt.Sprintf("%s; isolated %v", strings.Join(tabs, " "), m.Isolated)
			if !lost.IsZero() {
				got += ", lost"
			}
		}
		if got != step.left {
			t.Errorf("%s: left is %s, want %s", step.name, got, step.left)
		}
	}
}

// After a browser was lost with its server, chela reports what it has restored, until a call that
// uses the browser has reported it.
func TestRestored(t *testing.T) {
	s, _ := newSession(t)
	s.save(browser.Memory{Tabs: []browser.SavedTab{{ID: "t3"}, {ID: "t1"}}, Cookies: sessionCookies, Settings: setting.Common{Offline: true}})
	memory, lost := s.read()
	p := &Profile{restored: restoredFrom(memory, lost)}
	want := &Restored{Tabs: []string{"t3", "t1"}, Cookies: 1, Settings: true, Saved: lost}
	for _, got := range []*Restored{p.Restored(), p.TakeRestored()} {
		if !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
	if p.Restored() != nil || p.TakeRestored() != nil {
		t.Error("it is reported again")
	}
	s.save(browser.Memory{LastTab: 3})
	if r := restoredFrom(s.read()); r != nil {
		t.Errorf("of nothing: %+v", r)
	}
	s.close(browser.Memory{Cookies: sessionCookies})
	if r := restoredFrom(s.read()); r != nil {
		t.Errorf("of a browser that was stopped: %+v", r)
	}
}

// If a newer chela has written the session file, the file is neither lost nor overwritten. No browser
// starts until the file is removed or the profile is reset.
func TestSessionOfNewerChela(t *testing.T) {
	m := managerOf(t, config.Browser{Profiles: map[string]config.Profile{"work": {}}})
	file := m.config.State().ProfileFile("work", sessionFileName)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	const newer = `{"version": 2, "tabs": {"t1": "http://one.test/"}}`
	if err := os.WriteFile(file, []byte(newer), 0o600); err != nil {
		t.Fatal(err)
	}
	p := m.mustName(t, "work")
	if _, err := p.Browser(t.Context()); !isNewer(err, file) {
		t.Errorf("start: got %v", err)
	}
	if _, err := p.Stop(t.Context(), Stopping{}); err != nil {
		t.Errorf("stop: %v", err)
	}
	if _, err := p.Stop(t.Context(), Stopping{Forget: true}); !isNewer(err, file) {
		t.Errorf("stop that forgets: %v", err)
	}
	if err := p.session.save(browser.Memory{}); !isNewer(err, file) {
		t.Errorf("save: %v", err)
	}
	if got, _ := os.ReadFile(file); string(got) != newer {
		t.Errorf("the file became %s", got)
	}
	if _, _, err := p.Reset(t.Context(), false); err != nil {
		t.Errorf("reset: %v", err)
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("its logins are left after a reset")
	}
	setup := p.Setup()
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.mayStartLocked(setup); err != nil {
		t.Errorf("after a reset: %v", err)
	}
}

func isNewer(err error, file string) bool {
	e, ok := errors.AsType[*config.NewerError](err)
	return ok && e.File == file && e.Version == 2
}

// A browser of the user gets nothing that was set in one that chela had launched, even if this server
// has launched none. A browser that is launched again gets all.
func TestMemoryForTheUsersBrowser(t *testing.T) {
	p := managerOf(t, config.Browser{Profiles: map[string]config.Profile{"work": {CDPURL: "http://127.0.0.1:9333"}}}).mustName(t, "work")
	left := browser.Memory{
		LastTab: 3, Tabs: []browser.SavedTab{{ID: "t3"}}, Isolated: []string{"a"}, Cookies: sessionCookies,
		Grants: []browser.Grant{{Origin: "http://one.test"}}, Settings: setting.Common{Offline: true},
	}
	p.session.save(left)
	p.readSessionLocked()
	launched := p.Setup()
	found := launched
	found.Found = true
	for _, s := range []struct {
		name string
		next Setup
		want browser.Memory
	}{
		{"of the user", found, browser.Memory{LastTab: 3, Isolated: []string{"a"}}},
		{"launched again", launched, left},
	} {
		if got, err := p.memoryFor(t.Context(), s.next); err != nil || !reflect.DeepEqual(got, s.want) {
			t.Errorf("%s: %+v, %v", s.name, got, err)
		}
	}
	attached := managerOf(t, config.Browser{Profiles: map[string]config.Profile{"work": {CDPURL: "http://127.0.0.1:9333", AttachOnly: new(true)}}}).mustName(t, "work")
	attached.session.save(left)
	attached.readSessionLocked()
	if got, err := attached.memoryFor(t.Context(), attached.Setup()); err != nil || !reflect.DeepEqual(got, left.Fresh()) {
		t.Errorf("the profile had no attachOnly before: %+v, %v", got, err)
	}
}
