package cdp

import (
	"context"
	"errors"
	"sync"
	"testing"
)

func TestQueueKeepsTheOrder(t *testing.T) {
	q := newFIFO[int]()
	go func() {
		for i := range 1000 {
			q.put(i)
		}
		q.close(ErrClosed)
		q.put(1000)
	}()
	for want := range 1000 {
		if got, err := q.next(soon(t)); err != nil || got != want {
			t.Fatalf("next = %d, %v, want %d", got, err, want)
		}
	}
	for range 2 {
		if _, err := q.next(soon(t)); err != ErrClosed {
			t.Errorf("after the last: %v, want ErrClosed", err)
		}
	}
}

func TestQueueServesManyTakers(t *testing.T) {
	q := newFIFO[int]()
	var takers sync.WaitGroup
	taken := make(chan int, 100)
	for range 4 {
		takers.Go(func() {
			for {
				i, err := q.next(soon(t))
				if err != nil {
					return
				}
				taken <- i
			}
		})
	}
	for i := range 100 {
		q.put(i)
	}
	q.close(ErrClosed)
	takers.Wait()
	if len(taken) != 100 {
		t.Errorf("%d items taken, want 100", len(taken))
	}
}

func TestQueueWaitEndsWithItsContext(t *testing.T) {
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	if _, err := newQueue().Next(ctx); err != why {
		t.Errorf("error = %v, want %v", err, why)
	}
}

// Sync returns at once if the queue is closed. Nothing would take its mark, so it would wait until
// the deadline of the call.
func TestSyncEndsWithItsSession(t *testing.T) {
	s := Closed()
	if err := s.Events().Sync(soon(t)); err != ErrClosed {
		t.Errorf("error = %v, want %v", err, ErrClosed)
	}
}
