package render

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"chela/internal/engine/browser"
)

// none is a browser that cannot be started.
type none struct {
	stops int
	takes time.Duration // how long Stop takes

	stopping, usedStopping atomic.Bool // Stop is under way; Browser was called meanwhile
}

var errNone = errors.New("there is no browser")

func (n *none) Browser(context.Context) (*browser.Browser, error) {
	if n.stopping.Load() {
		n.usedStopping.Store(true)
	}
	return nil, errNone
}

func (n *none) Stop(context.Context) error {
	n.stopping.Store(true)
	time.Sleep(n.takes)
	n.stopping.Store(false)
	n.stops++
	return nil
}

// The browser ends when there was no call for a while, and no sooner.
func TestIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := new(none)
		r := New(b)
		call := func(after time.Duration, stops int) {
			t.Helper()
			if _, err := r.Show(t.Context(), View{}, nil); err != errNone {
				t.Fatal(err)
			}
			time.Sleep(after)
			synctest.Wait()
			if b.stops != stops {
				t.Errorf("ended %d times, want %d", b.stops, stops)
			}
		}
		call(idleTime-time.Second, 0)
		call(idleTime-time.Second, 0)
		call(idleTime+time.Second, 1)
		call(0, 1)
		r.Close()
		time.Sleep(2 * idleTime)
		if b.stops != 1 {
			t.Error("it was ended when the renderer was closed")
		}
	})
}

// A call that begins while the idle browser is being ended waits for the end. Otherwise it could get
// the browser that ends.
func TestCallWhileIdleBrowserEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &none{takes: time.Second}
		r := New(b)
		if err := r.Start(t.Context()); err != errNone {
			t.Fatal(err)
		}
		time.Sleep(idleTime)
		synctest.Wait()
		if !b.stopping.Load() {
			t.Fatal("the browser is not being ended")
		}
		short, cancel := context.WithTimeout(t.Context(), b.takes/2)
		defer cancel()
		if _, err := r.Show(short, View{}, nil); err != context.DeadlineExceeded {
			t.Errorf("a call with little time: %v", err)
		}
		if _, err := r.Show(t.Context(), View{}, nil); err != errNone || b.stops != 1 {
			t.Errorf("a call: %v, when the browser was ended %d times", err, b.stops)
		}
		if b.usedStopping.Load() {
			t.Error("a call got the browser that was being ended")
		}
		r.Close()
	})
}
