package queue

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// places counts the free places of a test by their kinds.
type places struct {
	mu   sync.Mutex
	free map[string]int
}

func (p *places) take(kind string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.free[kind] == 0 {
		return false
	}
	p.free[kind]--
	return true
}

func (p *places) free1(q *Queue, kind string) {
	p.mu.Lock()
	p.free[kind]++
	p.mu.Unlock()
	q.Wake()
	synctest.Wait()
}

// A hall is a queue with places. It notes which call got a place.
type hall struct {
	Queue
	places
	mu  sync.Mutex
	got []string
}

func (h *hall) come(ctx context.Context, session, kind string, first bool) <-chan error {
	result := make(chan error, 1)
	go func() {
		err := h.Wait(ctx, Call{Session: session, Wish: kind, First: first, Take: func() bool { return h.take(kind) }})
		if err == nil {
			h.mu.Lock()
			h.got = append(h.got, session)
			h.mu.Unlock()
		}
		result <- err
	}()
	synctest.Wait()
	return result
}

func newHall() *hall { return &hall{places: places{free: map[string]int{}}} }

// A session with 1,000 calls does not hold back the one call of another.
func TestFairBetweenSessions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHall()
		for range maxLine {
			h.come(t.Context(), "many", "any", false)
		}
		h.come(t.Context(), "one", "any", false)
		for range 3 {
			h.free1(&h.Queue, "any")
		}
		if want := []string{"many", "one", "many"}; !slices.Equal(h.got, want) {
			t.Errorf("places went to %v, want %v", h.got, want)
		}
		h.come(t.Context(), "back", "any", true)
		h.free1(&h.Queue, "any")
		if last := h.got[len(h.got)-1]; last != "back" {
			t.Errorf("a call that had its turn already waits behind %s", last)
		}
		for h.Waiting() > 0 {
			h.free1(&h.Queue, "any")
		}
	})
}

// A call whose wish cannot be met now does not hold back other calls, not even those of its session.
func TestWishes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHall()
		rare := h.come(t.Context(), "a", "gpu", false)
		h.come(t.Context(), "a", "any", false)
		h.come(t.Context(), "b", "any", false)
		h.free1(&h.Queue, "any")
		h.free1(&h.Queue, "any")
		if want := []string{"a", "b"}; !slices.Equal(h.got, want) {
			t.Errorf("places went to %v, want %v", h.got, want)
		}
		h.free1(&h.Queue, "gpu")
		if err := <-rare; err != nil || h.Waiting() != 0 {
			t.Errorf("%v, and %d wait", err, h.Waiting())
		}
	})
}

// The number of waiting calls is bounded, for one session and in all. RetryAfter follows from how
// fast places come free.
func TestBounds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHall()
		ctx, cancel := context.WithCancel(t.Context())
		for i := range maxWaiting {
			h.come(ctx, fmt.Sprint("session", i/maxLine), "any", false)
		}
		for _, session := range []string{"session0", "another"} {
			if err := <-h.come(ctx, session, "any", false); err != ErrFull {
				t.Errorf("one more of %s: %v", session, err)
			}
		}
		for range 50 {
			time.Sleep(20 * time.Millisecond)
			h.free1(&h.Queue, "any")
		}
		if got := h.RetryAfter(); got != 200*time.Millisecond { // ten sessions wait, and a place comes free every 20 ms
			t.Errorf("with a place every 20 ms: try again after %s", got)
		}
		time.Sleep(3 * time.Second)
		if got := h.RetryAfter(); got != 30*time.Second {
			t.Errorf("after 3 s without any: try again after %s", got)
		}
		cancel()
		synctest.Wait()
	})
}

// A call that is cancelled while it waits leaves nothing behind, even if it gets a place meanwhile.
func TestCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHall()
		ctx, cancel := context.WithCancelCause(t.Context())
		gone := errors.New("the caller has gone")
		var results []<-chan error
		for i := range 1000 {
			results = append(results, h.come(ctx, fmt.Sprint(i%7), "any", false))
		}
		cancel(gone)
		for _, result := range results {
			if err := <-result; err != gone {
				t.Fatal(err)
			}
		}
		h.free1(&h.Queue, "any")
		if h.Waiting() != 0 || len(h.lines) != 0 || h.free["any"] != 1 {
			t.Errorf("%d calls wait in %d lines, %d places are free", h.Waiting(), len(h.lines), h.free["any"])
		}
		if err := <-h.come(ctx, "late", "any", false); err != gone || h.free["any"] != 1 {
			t.Errorf("one that was cancelled before: %v, %d places are free", err, h.free["any"])
		}
	})
}
