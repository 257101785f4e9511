package cdp

import (
	"context"
	"log/slog"

	proto "github.com/chromedp/cdproto/cdp"
	json "github.com/chromedp/cdproto/cdp/jsonv2"
)

// Event is a message that the browser sent by itself.
type Event struct {
	Session *Session
	Method  string
	Params  json.Value

	// If reached is not nil, this is not an event but a marker that [Queue.Sync] or [SendInOrder]
	// has put into the queue. Next calls reached when it reaches this entry.
	reached func()
}

// Decode decodes ev as an event of kind e. It returns false if ev is of another kind, or cannot be
// decoded. An event that cannot be decoded is logged and counted: its loss may cause failures later
// that nothing else explains.
func Decode[E any](ev Event, e proto.Event[E]) (E, bool) {
	var params E
	if ev.Method != e.Method {
		return params, false
	}
	err := json.Unmarshal(ev.Params, &params, lenient)
	if err != nil {
		ev.Session.conn.countUndecodable(ev.Method, err)
	}
	return params, err == nil
}

// An EventTable maps a method to the function that handles its events for an owner of type T. A
// function that is put directly into the map, without [On], gets events that are not decoded.
type EventTable[T any] map[string]func(T, Event)

// On adds the function for a kind of event. Events that cannot be decoded are not handled, see
// Decode.
func On[T, E any](t EventTable[T], event proto.Event[E], handle func(T, *Session, E)) {
	t[event.Method] = func(owner T, ev Event) {
		if params, ok := Decode(ev, event); ok {
			handle(owner, ev.Session, params)
		}
	}
}

// countUndecodable counts an event that could not be decoded, and logs the first one of each kind.
func (c *Conn) countUndecodable(method string, err error) {
	c.mu.Lock()
	c.undecoded[method]++
	first := c.undecoded[method] == 1
	c.mu.Unlock()
	if first {
		slog.Error("an event of the browser cannot be read, and is lost", "method", method, "error", err)
	}
}

// Queue holds events in wire order until they are taken.
type Queue struct {
	fifo *fifo[Event]
	lost map[string]int // events that were dropped, by method; guarded by the mutex of fifo
}

func newQueue() *Queue { return &Queue{fifo: newFIFO[Event]()} }

// maxObserved limits a queue of observations, in bytes. The size of an event is taken to be that of
// its parameters plus 256 bytes.
const maxObserved = 4 << 20

// newBoundedQueue returns a queue that drops its oldest entries. No marker of [SendInOrder] may be put
// into it. A marker that is dropped is called with the mutex held, in the goroutine that reads from the
// browser, so it must not wait.
func newBoundedQueue() *Queue {
	q := newQueue()
	q.fifo.limit, q.fifo.cost = maxObserved, func(ev Event) int { return 256 + len(ev.Params) }
	q.fifo.onDrop = q.countLost
	return q
}

// lose counts an event that was not queued.
func (q *Queue) lose(method string) {
	q.fifo.mu.Lock()
	defer q.fifo.mu.Unlock()
	q.countLost(Event{Method: method})
}

// countLost counts an event that was dropped. If the dropped entry is a marker of Sync, it lets
// Sync return, since everything before the marker was dropped as well.
func (q *Queue) countLost(ev Event) {
	if ev.reached != nil {
		ev.reached()
		return
	}
	if q.lost == nil {
		q.lost = map[string]int{}
	}
	q.lost[ev.Method]++
}

// Next returns the oldest event, and waits for one until ctx ends. When the session has ended and
// its last event was taken, Next returns the error with which the session ended.
func (q *Queue) Next(ctx context.Context) (Event, error) {
	for {
		ev, err := q.fifo.next(ctx)
		if err != nil || ev.reached == nil {
			return ev, err
		}
		ev.reached()
	}
}

// Sync waits until every event that has arrived was handled. An event counts as handled when the
// next one is requested. Replies and events come in wire order. So a caller that has a reply and
// then calls Sync sees the effects of all events before the reply. If the session has ended, Sync
// returns the cause without waiting. Some events may not have been handled then.
func (q *Queue) Sync(ctx context.Context) error {
	reached := make(chan struct{})
	if err := q.put(Event{reached: func() { close(reached) }}); err != nil {
		return err
	}
	select {
	case <-reached:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// TakeLost returns how many events of each method a bounded queue has dropped since the last
// TakeLost. It is nil if there are none.
func (q *Queue) TakeLost() (lost map[string]int) {
	q.fifo.mu.Lock()
	defer q.fifo.mu.Unlock()
	lost, q.lost = q.lost, nil
	return lost
}

func (q *Queue) put(ev Event) error { return q.fifo.put(ev) }
func (q *Queue) close(err error)    { q.fifo.close(err) }
