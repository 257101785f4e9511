package profile

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/chromedp/cdproto/network"

	"chela/internal/browser"
	"chela/internal/config"
	"chela/internal/page"
)

var sessionCookies = []*network.Cookie{{
	Name: "n", Value: "v", Domain: "one.test", Path: "/", Session: true,
	Priority: network.CookiePriorityMedium, SourceScheme: network.CookieSourceSchemeSecure,
}}

// newSession is the session of a profile in an empty state directory.
func newSession(t *testing.T) (s session, path func(file string) string) {
	state, err := config.StateAt(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return session{state, "chela"}, func(file string) string { return filepath.Join(state.Dir, "browser", "chela", file) }
}

// What a browser leaves comes back to the next: all of one that was lost, session cookies
// and origins of one that was stopped. Each is in files of its own, and those that are not
// needed are removed.
func TestSession(t *testing.T) {
	s, path := newSession(t)
	running := browser.Memory{
		LastTab: 3, Current: map[string]string{"": "t3"}, Tabs: []browser.SavedTab{{ID: "t3", TargetID: "A", URL: "http://one.test/"}},
		Cookies: sessionCookies, Origins: []string{"http://one.test"}, Settings: page.Common{Timezone: "Asia/Tokyo"}, Isolated: []string{"agent"},
	}
	for _, step := range []struct {
		name  string
		write func()
		want  browser.Memory
		lost  bool
		files string
	}{
		{"nothing yet", func() {}, browser.Memory{}, false, ""},
		{"nothing to keep", func() { s.keep(browser.Memory{LastTab: 3}, true) }, browser.Memory{}, false, ""},
		{"it runs", func() { s.keep(running, false) }, running, true, "session.json"},
		{
			"it was stopped", func() { s.close(running.Closed()) }, browser.Memory{Cookies: running.Cookies, Origins: running.Origins, Isolated: running.Isolated}, false,
			"cookies.json isolated.json origins.json",
		},
		{"it runs again, and the cookies were deleted", func() { s.write(browser.Memory{}) }, browser.Memory{}, true, "cookies.json isolated.json origins.json session.json"},
		{"it was stopped and is to forget", func() { s.close(browser.Memory{Origins: running.Origins}) }, browser.Memory{Origins: running.Origins}, false, "origins.json"},
		{"there was nothing", func() { s.close(browser.Memory{}) }, browser.Memory{}, false, ""},
	} {
		step.write()
		got, lost := s.read()
		if !reflect.DeepEqual(got, step.want) || lost.IsZero() == step.lost {
			t.Errorf("%s: %+v, lost with its server: %v", step.name, got, lost)
		}
		files := ""
		list, _ := os.ReadDir(path(""))
		for i, file := range list {
			if info, err := file.Info(); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("%s: %s has mode %v, %v", step.name, file.Name(), info.Mode(), err)
			}
			if i > 0 {
				files += " "
			}
			files += file.Name()
		}
		if files != step.files {
			t.Errorf("%s: the files are %q, want %q", step.name, files, step.files)
		}
	}
}

// A file that cannot be read, or was only half written, is no reason to lose the others.
func TestBrokenSession(t *testing.T) {
	s, path := newSession(t)
	s.close(browser.Memory{Cookies: sessionCookies, Origins: []string{"http://one.test"}})
	for _, name := range []string{"session.json", "origins.json", ".session.json.1.new"} {
		if err := os.WriteFile(path(name), []byte(`{"tabs": [{"id": "t1"}], "origins": ["http://two`), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got, lost := s.read(); len(got.Cookies) != 1 || got.Tabs != nil || got.Origins != nil || !lost.IsZero() {
		t.Errorf("got %+v, %v", got, lost)
	}
	s.close(browser.Memory{})
	if left, _ := filepath.Glob(path("*.json*")); len(left) != 0 {
		t.Errorf("left: %q", left)
	}
}

// What was restored is reported of a browser that was lost with its server, and once to
// callers that use it.
func TestRestored(t *testing.T) {
	s, _ := newSession(t)
	s.write(browser.Memory{Tabs: []browser.SavedTab{{ID: "t3"}, {ID: "t1"}}, Cookies: sessionCookies, Settings: page.Common{Offline: true}})
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
	s.write(browser.Memory{LastTab: 3})
	if r := restoredFrom(s.read()); r != nil {
		t.Errorf("of nothing: %+v", r)
	}
	s.close(browser.Memory{Cookies: sessionCookies})
	if r := restoredFrom(s.read()); r != nil {
		t.Errorf("of a browser that was stopped: %+v", r)
	}
}
