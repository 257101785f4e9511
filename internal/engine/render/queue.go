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

	// ErrQueued says that the call waited for other calls until its deadline.
	ErrQueued = errors.New("other pages were being rendered")
)

// A queue limits how many calls run at the same time. A limited number of further calls wait, and
// run in the order in which they came. Others are refused.
type queue struct {
	slots   chan struct{} // holds a value for each call that runs
	limit   int32         // calls that may wait
	waiting *atomic.Int32
}

func newQueue(atOnce, limit int) queue {
	return queue{make(chan struct{}, atOnce), int32(limit), new(atomic.Int32)}
}

// enter waits until the call may run. The call must call leave afterwards. Errors are ErrFull, and
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
