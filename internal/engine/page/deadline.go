package page

import (
	"context"
	"sync"
	"time"

	"chela/internal/engine/frame"
)

// margin is how long before the deadline of a call a wait within the page ends, so
// that its answer, which says what was missing, arrives in time.
const margin = 200 * time.Millisecond

// AnswerTime is how long a call needs to answer after a wait. The deadline of a call's context is later than
// the caller's deadline by this. Waits that callers ask for end at the caller's deadline. It is shorter than
// margin: the answer has to come within 250 ms after the caller's deadline.
const AnswerTime = 150 * time.Millisecond

// waitDeadline is when a wait that a caller has asked for has to end.
func waitDeadline(ctx context.Context) time.Time { return frame.Deadline(ctx).Add(-AnswerTime) }

// ScriptDeadline is when a wait within the page has to end.
func ScriptDeadline(ctx context.Context) time.Time { return frame.Deadline(ctx).Add(-margin) }

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// remaining is the time until ScriptDeadline, 0 if it has passed.
func remaining(ctx context.Context) time.Duration { return max(0, time.Until(ScriptDeadline(ctx))) }

// reserve returns a context that ends so much earlier than ctx, as the time is
// needed for what comes after.
func reserve(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	return context.WithDeadlineCause(ctx, frame.Deadline(ctx).Add(-d), context.DeadlineExceeded)
}

// A halving calls a function when half of the remaining time of a context is over,
// again when half of the rest is, and so on while there is more than the margin left.
type halving struct {
	mu    sync.Mutex // guards the rest
	timer *time.Timer
	ended bool
}

// atHalves begins a halving, which the caller ends.
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

// end has the function not be called again. A call under way may go on.
func (h *halving) end() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ended = true
	if h.timer != nil {
		h.timer.Stop()
	}
}
