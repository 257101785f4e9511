// Package queue lets calls wait for a place: room for one more call on some machine. It is fair
// between the sessions of the calls.
//
// The calls of each session wait in a line of their own. When a place becomes free, the sessions
// are asked in turn, and the first call of a line that can use the place gets it. So a session with
// many calls holds back itself, and nobody else. Each call has a function that takes a place if
// there is one that the call can use. For example, only some nodes have the labels that a call asks
// for.
//
// Nothing is polled: who frees a place, or hears of one, calls [Queue.Wake].
package queue

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

// Limits for the calls that wait: in all, and in one session.
const (
	maxWaiting = 10_000
	maxLine    = 1_000
)

// ErrFull says that no further call may wait.
var ErrFull = errors.New("too many calls wait")

// A Queue has calls that wait. Its zero value is ready.
type Queue struct {
	mu      sync.Mutex // guards the rest
	lines   []*line    // waiting sessions, in the order of their turns
	waiting int        // number of calls in all lines
	pace    pace
}

// A line has the calls of one session, in the order in which they came.
type line struct {
	session string
	calls   []*call
}

// A Call is a call that wants a place.
type Call struct {
	Session string

	// Wish is the same for calls that can use the same places. If there is no place for one of them
	// now, there is none for the others.
	Wish string

	// Take takes a place if there is one. It is called with the queue locked, possibly by another
	// goroutine, and not again after it has returned true.
	Take func() bool

	// First puts the call before all others. It is for a call that had a place, but whose machine
	// refused it.
	First bool
}

type call struct {
	Call
	taken chan struct{} // closed when the call has a place
}

// Wait returns when the call has taken a place. Errors are [ErrFull] and the cause of ctx. After an
// error the call has no place, and does not take one later.
func (q *Queue) Wait(ctx context.Context, asked Call) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	c := &call{asked, make(chan struct{})}
	if err := q.enter(c); err != nil {
		return err
	}
	select {
	case <-c.taken:
		return nil
	case <-ctx.Done():
	}
	if q.leave(c) {
		return context.Cause(ctx)
	}
	return nil // the call has just got a place, which the caller must give back
}

// enter gives a call a place if one is free, or puts it into the queue.
func (q *Queue) enter(c *call) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.lines) == 0 && c.Take() { // usually no call waits, and a place is free
		close(c.taken)
		return nil
	}
	l := q.lineLocked(c.Session)
	if q.waiting >= maxWaiting || l != nil && len(l.calls) >= maxLine {
		return ErrFull
	}
	q.addLocked(l, c)
	if q.waiting++; q.waiting == 1 {
		q.pace.begin(time.Now())
	}
	q.serveLocked()
	return nil
}

// addLocked adds a call to the line of its session. If l is nil, it makes the line.
func (q *Queue) addLocked(l *line, c *call) {
	if l == nil {
		l = &line{session: c.Session}
		q.lines = append(q.lines, l)
	}
	if !c.First {
		l.calls = append(l.calls, c)
		return
	}
	l.calls = slices.Insert(l.calls, 0, c)
	i := slices.Index(q.lines, l)
	q.lines = slices.Insert(slices.Delete(q.lines, i, i+1), 0, l)
}

// leave removes a call from the queue. It returns false if the call already has a place.
func (q *Queue) leave(c *call) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	l := q.lineLocked(c.Session)
	if l == nil {
		return false
	}
	i := slices.Index(l.calls, c)
	if i < 0 {
		return false
	}
	q.removeLocked(l, i)
	return true
}

// Wake gives places that have come free to those who wait.
func (q *Queue) Wake() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for range q.serveLocked() {
		q.pace.came(time.Now())
	}
}

// serveLocked lets calls take places until none can, and returns how many did.
func (q *Queue) serveLocked() (served int) {
	var none []string // wishes that no free place fulfils
	for i := 0; i < len(q.lines); {
		l := q.lines[i]
		at := slices.IndexFunc(l.calls, func(c *call) bool {
			if slices.Contains(none, c.Wish) {
				return false
			}
			if !c.Take() {
				none = append(none, c.Wish)
				return false
			}
			return true
		})
		if at < 0 {
			i++
			continue
		}
		close(l.calls[at].taken)
		served++
		q.removeLocked(l, at)
		if len(l.calls) > 0 { // move the session to the end: its next call comes after a call of each other session
			q.lines = append(slices.Delete(q.lines, i, i+1), l)
		}
	}
	return served
}

// removeLocked removes a call from its line. A line without calls is removed from the queue.
func (q *Queue) removeLocked(l *line, i int) {
	l.calls = slices.Delete(l.calls, i, i+1)
	q.waiting--
	if len(l.calls) == 0 {
		q.lines = slices.DeleteFunc(q.lines, func(x *line) bool { return x == l })
	}
}

func (q *Queue) lineLocked(session string) *line {
	i := slices.IndexFunc(q.lines, func(l *line) bool { return l.session == session })
	if i < 0 {
		return nil
	}
	return q.lines[i]
}

// Waiting returns how many calls wait.
func (q *Queue) Waiting() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.waiting
}

// RetryAfter returns how long the caller of a refused call should wait before it tries again. By then
// each waiting session has had a turn, if places go on to become free as fast as now.
func (q *Queue) RetryAfter() time.Duration {
	q.mu.Lock()
	defer q.mu.Unlock()
	each := q.pace.now(time.Now())
	return min(max(each*time.Duration(max(1, len(q.lines))), shortestRetry), longestRetry)
}

// Bounds of [Queue.RetryAfter].
const (
	shortestRetry = 100 * time.Millisecond
	longestRetry  = time.Minute
)
