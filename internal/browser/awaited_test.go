package browser

import (
	"context"
	"errors"
	"testing"
)

// One caller waits for the next download of a tab, the last that asked; one that
// it did not take is for whoever asks next.
func TestAwaited(t *testing.T) {
	b := &Browser{changed: make(chan struct{})}
	tab, other := newTab(b, nil), newTab(b, nil)
	begins := func(of *Tab) *Download {
		d := &Download{Tab: of, done: make(chan struct{})}
		b.addDownload(d)
		return d
	}
	first, elsewhere := tab.ExpectDownload(nil, false), other.ExpectDownload(nil, false)
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
	if missed := tab.ExpectDownload(nil, true); missed.Begun() {
		t.Error("what one caller has taken is given to another")
	}

	third := other.ExpectDownload(nil, false)
	d = begins(other)
	third.Close() // without having taken it
	if got, err := other.ExpectDownload(nil, true).Wait(t.Context()); got != d || err != nil {
		t.Errorf("missed: %v, %v", got, err)
	}
}
