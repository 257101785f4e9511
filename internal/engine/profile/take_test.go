package profile

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"chela/internal/base/config"
	"chela/internal/engine/browser"
	"chela/internal/engine/page"
	"chela/internal/wall/limits"
)

// contentOf returns the content of a portable profile that has a memory.
func contentOf(t *testing.T, m browser.Memory) []byte {
	t.Helper()
	raw, err := json.Marshal(carried{Version: config.StateVersion, Portable: browser.Portable{Memory: m}})
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// If a start with the state from another machine fails, the trash has only the user's own data. Those
// of the failed starts would soon be all that is in it.
func TestFailedStartsLeaveTheTrash(t *testing.T) {
	ctx, p, h := newPortable(t, true)
	h.taken = Taken{Generation: 5, Content: contentOf(t, browser.Memory{})}
	write := func(file string) {
		if err := os.MkdirAll(filepath.Join(p.userData(), file), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	write("of the user")
	for range 3 {
		c, _, err := p.take(ctx, p.Setup(), browser.Memory{})
		if err != nil {
			t.Fatal(err)
		}
		write("of a failed start")
		c.abort(nil)
	}
	found, _ := filepath.Glob(filepath.Join(p.outdated().dir, "*", "*", "*"))
	if len(found) != 1 || filepath.Base(found[0]) != "of the user" {
		t.Errorf("the trash has %v", found)
	}
}

// A handle is not used again, whether it was used on this machine or on another one.
func TestHandlesAcrossMachines(t *testing.T) {
	for _, s := range []struct {
		name              string
		same              bool
		here, there, want int
	}{
		{"of this machine", true, 7, 0, 7}, // after a reset, the saved content is empty
		{"of this machine, and more elsewhere", false, 7, 3, 7},
		{"of another machine", false, 3, 7, 7},
	} {
		ctx, p, h := newPortable(t, true)
		h.taken = Taken{Generation: 5, Same: s.same, Content: contentOf(t, browser.Memory{LastTab: s.there})}
		_, m, err := p.take(ctx, p.Setup(), browser.Memory{LastTab: s.here})
		if err != nil || m.LastTab != s.want {
			t.Errorf("%s: the last handle is t%d, want t%d; %v", s.name, m.LastTab, s.want, err)
		}
	}
}

// A stop forgets the tabs and session cookies of a portable profile even if no browser runs. Otherwise
// the next browser of any machine would have them again, from the saved content.
func TestStopOfASavedProfile(t *testing.T) {
	login := browser.Memory{
		LastTab: 3, Tabs: []browser.SavedTab{{ID: "t3", URL: "http://one.test/"}}, Cookies: slices.Clone(sessionCookies),
	}
	ctx, p, h := newPortable(t, true)
	close(h.free)
	hadBefore(t, p)
	h.taken = Taken{Generation: 5, Same: true, Content: contentOf(t, login)}
	if _, err := p.Stop(ctx, Stopping{Forget: true}); err != nil {
		t.Fatal(err)
	}
	left, err := readCarried(h.saved)
	if err != nil || len(left.Memory.Tabs) > 0 || len(left.Memory.Cookies) > 0 || left.Memory.LastTab != 3 {
		t.Errorf("left: %+v, %v", left.Memory, err)
	}
	if local, _ := p.local(); local.Generation != 5 || local.Stop != nil {
		t.Errorf("this machine takes its own data for old ones, or stops again: %+v", local)
	}

	login.Tabs[0].Person = page.TakeOver{Until: time.Now().Add(time.Hour)}
	h.taken.Content, h.saved = contentOf(t, login), nil
	_, err = p.Stop(ctx, Stopping{UnlessTaken: true})
	if _, taken := errors.AsType[*page.TakenError](err); !taken || h.saved != nil {
		t.Errorf("a tab that a person has taken over: %v", err)
	}
	if err := p.Leave(ctx); err != nil || h.saved != nil {
		t.Errorf("a profile that is left to others has lost its tabs: %v", err)
	}
}

// hadBefore notes that this machine has had the profile.
func hadBefore(t *testing.T, p *Profile) {
	t.Helper()
	if err := p.saveLocal(Local{Holder: "this one", Generation: 4}); err != nil {
		t.Fatal(err)
	}
}

// A stop that cannot change what is saved takes effect when this machine takes the profile again, unless
// another one has had it meanwhile. It succeeds unless it was to forget logins, which are still there.
func TestStopWithoutTheKeeper(t *testing.T) {
	login := browser.Memory{Tabs: []browser.SavedTab{{ID: "t3", URL: "http://one.test/"}}, Cookies: slices.Clone(sessionCookies)}
	taken := login
	taken.Tabs = []browser.SavedTab{{ID: "t3", URL: "http://one.test/", Person: page.TakeOver{Until: time.Now().Add(time.Hour)}}}
	for _, test := range []struct {
		name string
		same bool
		m    browser.Memory
		stop Stopping
		tabs int
	}{
		{"the same machine takes it", true, login, Stopping{}, 0},
		{"another machine had it", false, login, Stopping{}, 1},
		{"an agent stops, and a person has the tab", true, taken, Stopping{UnlessTaken: true}, 1},
	} {
		ctx, p, h := newPortable(t, true)
		close(h.free)
		hadBefore(t, p)
		h.down = errors.New("NATS is down")
		if _, err := p.Stop(ctx, test.stop); err != nil {
			t.Errorf("%s: stop: %v", test.name, err)
		}
		if _, err := p.Stop(ctx, Stopping{Forget: true, UnlessTaken: test.stop.UnlessTaken}); !errors.Is(err, h.down) {
			t.Errorf("%s: second stop: %v", test.name, err)
		}
		h.down, h.taken = nil, Taken{Generation: 5, Same: test.same, Content: contentOf(t, test.m)}
		for range 2 { // the first browser may fail to start
			c, m, err := p.take(ctx, p.Setup(), browser.Memory{})
			if err != nil || len(m.Tabs) != test.tabs || len(m.Cookies) > 0 != (test.tabs > 0) {
				t.Errorf("%s: taken with %+v, %v", test.name, m, err)
			}
			c.abort(nil)
		}
		c, _, _ := p.take(ctx, p.Setup(), browser.Memory{})
		if err := p.saveLocal(c.local); err != nil { // as begin does if the state is from another machine
			t.Fatal(err)
		}
		if err := c.put(ctx, carried{Version: config.StateVersion, Portable: browser.Portable{Memory: login}}); err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		c.abort(nil)
		h.taken.Same = true
		if _, m, err := p.take(ctx, p.Setup(), browser.Memory{}); err != nil || len(m.Tabs) != 1 {
			t.Errorf("%s: the stop takes effect once more: %+v, %v", test.name, m, err)
		}
	}
}

// The same holds for a stop of a browser that runs.
func TestStopOfABrowserWithoutTheKeeper(t *testing.T) {
	login := browser.Memory{Tabs: []browser.SavedTab{{ID: "t3", URL: "http://one.test/"}}, Cookies: slices.Clone(sessionCookies)}
	for _, how := range []Stopping{{}, {Forget: true}} {
		ctx, p, _, h := startPortable(t, true)
		h.down = errors.New("NATS is down")
		if ran, err := p.Stop(ctx, how); !ran || errors.Is(err, h.down) != how.Forget {
			t.Errorf("%+v: ran %v, %v", how, ran, err)
		}
		h.down, h.taken = nil, Taken{Generation: 5, Same: true, Content: contentOf(t, login)}
		c, m, err := p.take(ctx, p.Setup(), browser.Memory{})
		if err != nil || len(m.Tabs) > 0 || how.Forget && len(m.Cookies) > 0 {
			t.Errorf("%+v: taken with %+v, %v", how, m, err)
		}
		c.abort(nil)
	}
}

// A stop where no browser runs does not touch a profile that another machine has had last. Otherwise
// that machine would take its own data for old ones.
func TestStopOfAProfileElsewhere(t *testing.T) {
	ctx, p, h := newPortable(t, true)
	close(h.free)
	for range 2 {
		h.taken = Taken{Generation: 5, Content: contentOf(t, browser.Memory{Tabs: []browser.SavedTab{{ID: "t3"}}})}
		if _, err := p.Stop(ctx, Stopping{Forget: true}); err != nil || h.saved != nil {
			t.Errorf("saved %q, %v", h.saved, err)
		}
		hadBefore(t, p)
	}
}

// The tabs of a limited session do not open again after its end, as its limit has ended with it.
func TestSavedTabsOfAnEndedSession(t *testing.T) {
	ctx, p, h := newPortable(t, true)
	var err error
	if p.limits, err = limits.Open(p.config.State()); err != nil {
		t.Fatal(err)
	}
	stays, ended := []string{"one.test"}, []string{"two.test"}
	if err := p.limits.SetHosts("stays", stays); err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(carried{
		Version: config.StateVersion, Hosts: map[string][]string{"stays": stays, "ended": ended},
		Portable: browser.Portable{Memory: browser.Memory{Tabs: []browser.SavedTab{{ID: "t1", Owner: "stays"}, {ID: "t2", Owner: "ended"}}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	h.taken = Taken{Generation: 5, Same: true, Content: raw}
	_, m, err := p.take(ctx, p.Setup(), browser.Memory{})
	if err != nil || len(m.Tabs) != 1 || m.Tabs[0].Owner != "stays" {
		t.Errorf("the tabs are %+v, %v", m.Tabs, err)
	}
}

// The saved tabs of a session do not open after its end, even if no browser ran when it ended.
func TestEndOfASavedSession(t *testing.T) {
	tabs := browser.Memory{Tabs: []browser.SavedTab{{ID: "t1", Owner: "stays"}, {ID: "t2", Owner: "ended"}}}
	byPerson := browser.Memory{Tabs: []browser.SavedTab{{ID: "t2", Owner: "ended", Person: page.TakeOver{Until: time.Now().Add(time.Hour)}}}}
	for _, test := range []struct {
		name    string
		content browser.Memory
		same    bool // this machine had the profile last
		down    error
		closed  int
		left    string // the tab that is left; "": nothing is saved
	}{
		{"of this machine", tabs, true, nil, 1, "t1"},
		{"of another machine", tabs, false, nil, 0, ""},
		{"without the keeper", tabs, true, errors.New("NATS is down"), 0, ""},
		{"a person has the tab", byPerson, true, nil, 0, ""},
		{"no tabs", browser.Memory{}, true, nil, 0, ""},
	} {
		ctx, p, h := newPortable(t, true)
		close(h.free)
		hadBefore(t, p)
		h.taken, h.down = Taken{Generation: 5, Same: test.same, Content: contentOf(t, test.content)}, test.down
		closed, err := p.endSession(ctx, "ended")
		if _, taken := errors.AsType[*page.TakenError](err); closed != test.closed || taken != (test.name == "a person has the tab") || err != nil && !taken {
			t.Errorf("%s: closed %d, %v", test.name, closed, err)
		}
		left, err := readCarried(h.saved)
		if err != nil || (h.saved != nil) != (test.left != "") || h.saved != nil && (len(left.Memory.Tabs) != 1 || left.Memory.Tabs[0].ID != test.left) {
			t.Errorf("%s: left %q, %v", test.name, h.saved, err)
		}
	}
}

// Data that are replaced by those of another machine do not push out of the trash what was reset.
func TestMovesLeaveTheTrash(t *testing.T) {
	ctx, p, h := newPortable(t, true)
	h.taken = Taken{Generation: 5, Content: contentOf(t, browser.Memory{})}
	fill := func() {
		t.Helper()
		if err := os.MkdirAll(p.userData(), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	fill()
	reset, err := p.trash().take("work", p.userData(), "user-data")
	if err != nil {
		t.Fatal(err)
	}
	for range maxTrash + 1 {
		fill()
		if _, _, err := p.take(ctx, p.Setup(), browser.Memory{}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(reset); err != nil {
		t.Error(err)
	}
	if moved, err := os.ReadDir(p.outdated().dir); len(moved) != maxTrash {
		t.Errorf("%d data that were replaced are kept, %v", len(moved), err)
	}
}
