package render

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
)

var (
	// ErrFull says that no more calls may wait.
	ErrFull = errors.New("too many pages are waiting to be rendered")

	// ErrQueued says that the call waited for others until its time was over.
	ErrQueued = errors.New("other pages were being rendered")
)

// A queue lets a number of calls in at once, in the order in which they come. It has a number of
// further calls wait, and refuses the others.
type queue struct {
	slots   chan struct{} // has a value in it for each call that is in
	limit   int32         // calls that may wait
	waiting *atomic.Int32
}

func newQueue(atOnce, limit int) queue {
	return queue{make(chan struct{}, atOnce), int32(limit), new(atomic.Int32)}
}

// enter returns when the call may begin. The call must leave afterwards. Errors are ErrFull, and
// ErrQueued with the cause of ctx.
func (q queue) enter(ctx context.Context) error {
	select {
	case q.slots <- struct{}{}:
		return nil
	default:
	}
	defer q.waiting.Add(-1)
	if q.waiting.Add(1) > q.limit {
		return ErrFull
	}
	select {
	case q.slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("%w: %w", ErrQueued, context.Cause(ctx))
	}
}

func (q queue) leave() { <-q.slots }
