package profile

import (
	"context"
	"errors"
	"testing"
	"time"

	"chela/internal/base/config"
	"chela/internal/base/media"
	"chela/internal/engine/browser"
)

// A deafHolding is the lease of a profile, from a store that does not answer. It is its own keeper.
type deafHolding struct {
	saves chan context.Context // gets the context of each save
	free  chan struct{}        // closed to let saves end even though their contexts have not ended
	heeds bool                 // a save also ends with its context
	lost  chan struct{}
	taken Taken  // what Take returns, besides the lease
	saved []byte // the content that was saved last
	down  error  // the error of Take and Save; nil: the store can be reached
}

func (h *deafHolding) Take(_ context.Context, of Local) (Taken, error) {
	if h.down != nil {
		return Taken{}, h.down
	}
	taken := h.taken
	if of.Again && !taken.Same {
		return Taken{}, ErrNotHeld
	}
	taken.Holding = h
	return taken, nil
}

func (h *deafHolding) Save(ctx context.Context, content []byte) error {
	if h.down != nil {
		return h.down
	}
	h.saved = content
	h.saves <- ctx
	var ended <-chan struct{}
	if h.heeds {
		ended = ctx.Done()
	}
	select {
	case <-ended:
		return ctx.Err()
	case <-h.free:
		return nil
	}
}

func (h *deafHolding) Lost() <-chan struct{}         { return h.lost }
func (h *deafHolding) Release(context.Context) error { return nil }

// newPortable returns a portable profile with its lease.
func newPortable(t *testing.T, heeds bool) (context.Context, *Profile, *deafHolding) {
	t.Helper()
	yes := true
	m := managerOf(t, config.Browser{Headless: &yes, NoSandbox: true, Profiles: map[string]config.Profile{"work": {Portable: true}}})
	files, err := media.Open(media.Places{Media: t.TempDir(), Downloads: t.TempDir()}, media.Bounds{MaxAge: time.Hour, MaxBytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	m.files = files
	h := &deafHolding{saves: make(chan context.Context, 10), free: make(chan struct{}), heeds: heeds, lost: make(chan struct{}), taken: Taken{Generation: 1, Same: true}}
	m.KeepBy(h)
	t.Cleanup(func() {
		m.Close(context.Background())
		files.Close()
	})
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	t.Cleanup(cancel)
	return ctx, m.mustName(t, "work"), h
}

// startPortable starts the browser of a portable profile, and waits until it is being saved.
func startPortable(t *testing.T, heeds bool) (context.Context, *Profile, *browser.Browser, *deafHolding) {
	t.Helper()
	ctx, p, h := newPortable(t, heeds)
	b, err := p.Browser(ctx)
	if err != nil {
		t.Fatal(err)
	}
	<-h.saves
	return ctx, p, b, h
}

// A browser does not start when the lease of its profile is lost before that.
func TestLostBeforeTheStart(t *testing.T) {
	ctx, p, h := newPortable(t, true)
	close(h.lost)
	b, err := p.Browser(ctx)
	if _, ok := errors.AsType[*TakeError](err); !ok || !errors.Is(err, ErrNotHeld) || b != nil {
		t.Errorf("started: %v", err)
	}
}

// When the lease of a profile is lost, its browser ends at once, even if a save is under way that
// does not end. Another machine can take the profile soon.
func TestLostDuringASave(t *testing.T) {
	ctx, _, b, h := startPortable(t, false)
	defer close(h.free)
	close(h.lost)
	select {
	case <-b.Lost():
	case <-ctx.Done():
		t.Error("the browser runs on while its state is being saved")
	}
}

// A stop does not wait for a save that is under way. Nor does it wait longer than its caller does
// until the last state is saved; the next browser waits for that.
func TestStopDuringASave(t *testing.T) {
	ctx, p, _, h := startPortable(t, true)
	stop, giveUp := context.WithCancel(ctx)
	go func() {
		select {
		case <-h.saves: // the browser has ended, and its last state is being saved
			giveUp()
		case <-ctx.Done():
		}
	}()
	if _, err := p.Stop(stop, Stopping{}); err != nil || ctx.Err() != nil {
		t.Errorf("stopped: %v, %v", err, ctx.Err())
	}
	if p.Running() != nil {
		t.Error("the browser runs")
	}
	close(h.free)
	if err := p.awaitGone(ctx); err != nil {
		t.Errorf("the profile is not given back: %v", err)
	}
}
