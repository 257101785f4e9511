package browser

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"chela/internal/base/media"
)

// Only the last caller that asked gets the next download of a tab. If that caller does not take it,
// the next caller gets it.
func TestAwaited(t *testing.T) {
	b := downloading(t, media.Bounds{MaxAge: time.Hour})
	tab, other := newTab(b, nil), newTab(b, nil)
	begins := func(of *Tab) *Download {
		d := &Download{Tab: of, done: make(chan struct{})}
		b.addDownload(d)
		return d
	}
	first, elsewhere := tab.ExpectDownload(nil, true), other.ExpectDownload(nil, false)
	if first.Begun() {
		t.Error("begun before anything came")
	}
	second := tab.ExpectDownload(nil, false)
	if _, err := first.Wait(t.Context()); !first.Begun() || !errors.Is(err, ErrSuperseded) {
		t.Errorf("superseded: begun %v, %v", first.Begun(), err)
	}
	gaveUp, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := second.Wait(gaveUp); !errors.Is(err, context.Canceled) {
		t.Errorf("gave up: %v", err)
	}
	d := begins(tab)
	if got, err := second.Wait(t.Context()); got != d || err != nil || elsewhere.Begun() {
		t.Errorf("got %v, %v; the other tab's has begun: %v", got, err, elsewhere.Begun())
	}
	second.Close()

	// Another caller that only waits does not take the download of the call that begins it.
	begun, waits := tab.ExpectDownload(nil, false), tab.ExpectDownload(nil, true)
	if d = begins(tab); begun.got != d || waits.Begun() {
		t.Errorf("got %v, want %v; the other wait has begun: %v", begun.got, d, waits.Begun())
	}
	begun.Wait(t.Context())
	waits.Close()
	begun.Close()

	if missed := tab.ExpectDownload(nil, true); missed.Begun() {
		t.Error("what one caller has taken is given to another")
	}

	// A download of a tab that was opened meanwhile is waited for, but not one of a tab that was
	// opened before.
	before, after := newTab(b, nil), newTab(b, nil)
	before.opener, after.opener, after.ID = tab, tab, "t7"
	b.tabs.list = []*Tab{before, tab}
	popup := tab.ExpectDownload(nil, false)
	b.tabs.list = append(b.tabs.list, after)
	if begins(before); popup.Begun() {
		t.Error("a download of a tab that it has opened before is taken")
	}
	if got := popup.Opened(); !slices.Equal(got, []string{"t7"}) {
		t.Errorf("opened %v", got)
	}
	if d = begins(after); popup.got != d {
		t.Error("a download of a tab that it has opened is not taken")
	}

	elsewhere.Close()
	third := other.ExpectDownload(nil, false)
	d = begins(other)
	third.Close() // the third wait ends without having taken the download
	if got, err := other.ExpectDownload(nil, true).Wait(t.Context()); got != d || err != nil {
		t.Errorf("missed: %v, %v", got, err)
	}
}
