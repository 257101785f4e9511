package cdp

import (
	"context"
	"sync"
)

// fifo is an unbounded queue: to put never waits, so that neither the reader
// of the connection nor a caller can be held up by who is slow.
type fifo[T any] struct {
	ready chan struct{} // holds a token while there may be something to take

	mu    sync.Mutex // guards the rest
	items []T
	err   error // set when nothing will be put any more
}

func newFIFO[T any]() *fifo[T] {
	return &fifo[T]{ready: make(chan struct{}, 1)}
}

// put appends v, or drops it if the queue is closed.
func (q *fifo[T]) put(v T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.err != nil {
		return
	}
	q.items = append(q.items, v)
	q.signal()
}

// next takes the oldest item, waiting for one; when there will be none it
// returns the error that the queue was closed with.
func (q *fifo[T]) next(ctx context.Context) (T, error) {
	for {
		if v, ok, err := q.take(); ok || err != nil {
			return v, err
		}
		select {
		case <-q.ready:
		case <-ctx.Done():
			var none T
			return none, context.Cause(ctx)
		}
	}
}

func (q *fifo[T]) take() (v T, ok bool, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.items) > 1 || q.err != nil {
		defer q.signal() // there is something for another taker too
	}
	if len(q.items) == 0 {
		return v, false, q.err
	}
	var none T
	v, q.items[0] = q.items[0], none // the array must not keep what was taken
	q.items = q.items[1:]
	return v, true, nil
}

// close lets what is queued be taken, and nothing be added.
func (q *fifo[T]) close(err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.err == nil {
		q.err = err
	}
	q.signal()
}

// drop forgets what is queued.
func (q *fifo[T]) drop() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.items = nil
}

func (q *fifo[T]) signal() {
	select {
	case q.ready <- struct{}{}:
	default:
	}
}
