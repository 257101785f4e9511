package render

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"chela/internal/engine/browser"
)

// none is a browser that cannot be started.
type none struct{ stops int }

var errNone = errors.New("there is no browser")

func (n *none) Browser(context.Context) (*browser.Browser, error) { return nil, errNone }

func (n *none) Stop(context.Context) error {
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
