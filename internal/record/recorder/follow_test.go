package recorder

import (
	"testing"
	"time"

	"chela/internal/engine/browser"
)

// The texts of pages often quote addresses of requests, with their secrets.
func TestEventsWithoutSecrets(t *testing.T) {
	r := New(t.TempDir(), func() Limits { return Limits{Age: time.Hour, Calls: 10, Bytes: 1 << 20} })
	defer r.Close()
	tab := new(browser.Tab)
	f := &follower{recorder: r, tabs: map[*browser.Tab]*tabEvents{tab: {}}}
	r.Add(Entry{Time: time.Now()})
	f.add(tab, Event{Time: time.Now(), Kind: Console, Text: "error: GET https://a.test/x?access_token=abc failed"})
	read, err := r.Read(t.Context())
	if err != nil || len(read.Events) != 1 {
		t.Fatalf("%v, %v", read, err)
	}
	if got, want := read.Events[0].Text, "error: GET https://a.test/x?access_token=[secret] failed"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The recorder of a profile that was deleted ends. A new profile of that name has another one.
func TestForget(t *testing.T) {
	rs := NewRecorders(func() Limits { return Limits{} })
	defer rs.Close()
	dir := t.TempDir()
	old := rs.Of("a", dir)
	rs.Forget("a")
	rs.Forget("unknown")
	if _, err := old.Read(t.Context()); err != ErrClosed {
		t.Errorf("the old recorder: %v", err)
	}
	if rs.Of("a", dir) == old {
		t.Error("the new profile has the old recorder")
	}
}

// A profile may be removed from the configuration without a call. Its recorder ends, unless a browser
// of the profile still runs.
func TestExpireForgets(t *testing.T) {
	rs := NewRecorders(func() Limits { return Limits{} })
	defer rs.Close()
	kept, gone, running := rs.Of("kept", t.TempDir()), rs.Of("gone", t.TempDir()), rs.Of("running", t.TempDir())
	rs.followed[new(browser.Browser)] = &follower{recorder: running}
	var added *Recorder
	rs.expire(func() []*Recorder {
		added = rs.Of("added", t.TempDir())
		return []*Recorder{kept}
	})
	for _, r := range []*Recorder{kept, running, added} {
		if _, err := r.Read(t.Context()); err != nil {
			t.Errorf("a recorder of a profile that is in use: %v", err)
		}
	}
	if _, err := gone.Read(t.Context()); err != ErrClosed {
		t.Errorf("the recorder of a profile that was removed: %v", err)
	}
}
