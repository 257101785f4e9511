package cdp

import (
	"context"
	"sync"
)

// fifo is a queue whose put never waits, so a slow consumer can delay neither the reader of the
// connection nor a caller. It is unbounded unless cost is set. Then it drops the oldest items, and
// passes them to onDrop, when the sum of the costs exceeds the limit.
//
// A Go channel would not do, since it has a fixed size and drops nothing. A sync.Cond would not do,
// since its Wait does not end with a context. So the items are in a slice, and ready is a channel
// that only wakes a consumer.
//
// ready holds one token for any number of items. put adds one if there is none. A consumer that
// takes an item while there are more puts the token back for the next consumer. A token may be left
// over when the queue is empty; the consumer that gets it checks again and waits on.
type fifo[T any] struct {
	ready  chan struct{} // holds a token while there may be something to take
	cost   func(T) int
	limit  int
	onDrop func(T) // called with mu held; not nil if there is a cost

	mu    sync.Mutex // guards the rest
	items []T
	sum   int   // sum of the costs of all items
	err   error // why the queue was closed
}

func newFIFO[T any]() *fifo[T] {
	return &fifo[T]{ready: make(chan struct{}, 1)}
}

// put appends v. If the queue is closed, it drops v and returns the error that the queue was closed
// with.
func (q *fifo[T]) put(v T) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.err != nil {
		return q.err
	}
	q.items = append(q.items, v)
	if q.cost != nil {
		q.dropOldestLocked(q.cost(v))
	}
	q.signal()
	return nil
}

// dropOldestLocked is called after an item was added, with the cost of that item. It drops the
// oldest items until the sum is within the limit. The new item is kept even if it alone exceeds the
// limit, because a consumer most likely wants the newest one.
func (q *fifo[T]) dropOldestLocked(cost int) {
	for q.sum += cost; q.sum > q.limit && len(q.items) > 1; {
		q.onDrop(q.popLocked())
	}
}

// popLocked takes the oldest item; there must be one.
func (q *fifo[T]) popLocked() T {
	v := q.items[0]
	var none T
	q.items[0] = none // otherwise the array behind the slice would keep megabytes alive
	q.items = q.items[1:]
	if q.cost != nil {
		q.sum -= q.cost(v)
	}
	return v
}

// next returns the oldest item, and waits for one if there is none. If the queue is closed and
// empty, it returns the error that the queue was closed with. If ctx ends first, the error is its
// cause. An item that is there is returned even if ctx has ended.
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

// take returns the oldest item without waiting. If there is none, ok is false; err then says why
// the queue was closed, or is nil if it was not.
func (q *fifo[T]) take() (v T, ok bool, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.items) > 1 || q.err != nil {
		defer q.signal() // another consumer may find an item, or must learn that the queue has ended
	}
	if len(q.items) == 0 {
		return v, false, q.err
	}
	return q.popLocked(), true, nil
}

// close makes put fail with err. Items in the queue can still be taken; then next returns err.
func (q *fifo[T]) close(err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.err == nil {
		q.err = err
	}
	q.signal()
}

// signal puts the token into the channel, unless it is already there.
func (q *fifo[T]) signal() {
	select {
	case q.ready <- struct{}{}:
	default:
	}
}
