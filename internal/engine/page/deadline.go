package page

import (
	"context"
	"sync"
	"time"

	"chela/internal/engine/frame"
)

// margin is the time from the end of a wait in the page to the deadline of the call. In that time
// the answer arrives, which says what was missing.
const margin = 200 * time.Millisecond

// AnswerTime is how long a call needs to answer after a wait. The deadline of a call's context is
// later than the caller's deadline by this time. Waits that callers request end at the caller's
// deadline. The answer must come within 250 ms after that, so AnswerTime is shorter.
const AnswerTime = 150 * time.Millisecond

// waitDeadline returns when a wait requested by a caller has to end.
func waitDeadline(ctx context.Context) time.Time { return frame.Deadline(ctx).Add(-AnswerTime) }

// ScriptDeadline returns when a wait within the page has to end.
func ScriptDeadline(ctx context.Context) time.Time { return frame.Deadline(ctx).Add(-margin) }

// remaining returns the time until ScriptDeadline, or 0 if it has passed.
func remaining(ctx context.Context) time.Duration { return max(0, time.Until(ScriptDeadline(ctx))) }

// reserve returns a context that ends earlier than ctx by d. The caller needs d for what it does
// after the wait.
func reserve(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	return context.WithDeadlineCause(ctx, frame.Deadline(ctx).Add(-d), context.DeadlineExceeded)
}

// forFrame returns a context for reading a frame inside another one. It has half of the remaining
// time, so that the page can be read even if a frame does not answer. The frames inside that frame
// (inner) share its time. If each level had only half, nothing would be left for the fifth.
func forFrame(ctx context.Context, inner bool) (context.Context, context.CancelFunc) {
	if inner {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, remaining(ctx)/2)
}

// A halving calls a function when half of the remaining time of a context is over. It calls the
// function again when half of the rest is over, and so on, until no more than the margin is left.
type halving struct {
	mu    sync.Mutex // guards the rest
	timer *time.Timer
	ended bool
}

// atHalves begins a halving. The caller must end it.
func atHalves(ctx context.Context, fn func()) *halving {
	h := &halving{}
	h.plan(ctx, fn)
	return h
}

func (h *halving) plan(ctx context.Context, fn func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	left := remaining(ctx)
	if h.ended || left <= margin {
		return
	}
	h.timer = time.AfterFunc(left/2, func() {
		fn()
		h.plan(ctx, fn)
	})
}

// end prevents further calls of the function. A call under way may continue.
func (h *halving) end() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ended = true
	if h.timer != nil {
		h.timer.Stop()
	}
}
