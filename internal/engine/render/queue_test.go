package render

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
)

func TestQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue(1, 1)
		if err := q.enter(t.Context()); err != nil {
			t.Fatal(err)
		}
		waiting, cancel := context.WithCancel(t.Context())
		results := make(chan error)
		go func() { results <- q.enter(waiting) }()
		synctest.Wait()
		if err := q.enter(t.Context()); err != ErrFull {
			t.Errorf("with one call at work and one waiting: %v", err)
		}
		cancel()
		if err := <-results; !errors.Is(err, ErrQueued) || !errors.Is(err, context.Canceled) {
			t.Errorf("one that gives up: %v", err)
		}
		go func() { results <- q.enter(t.Context()) }()
		synctest.Wait()
		q.leave()
		if err := <-results; err != nil {
			t.Errorf("one that waits until the other has left: %v", err)
		}
	})
}
