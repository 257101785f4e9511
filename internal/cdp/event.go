package cdp

import (
	"context"

	proto "github.com/chromedp/cdproto/cdp"
	json "github.com/chromedp/cdproto/cdp/jsonv2"
)

// Event is something that the browser told by itself.
type Event struct {
	Session *Session
	Method  string
	Params  json.Value

	mark chan struct{} // closed when the event is taken; set on marks alone
}

// Decode reads ev as an event of kind e; false if it is another one or cannot
// be read.
func Decode[E any](ev Event, e proto.Event[E]) (E, bool) {
	var params E
	if ev.Method != e.Method {
		return params, false
	}
	err := json.Unmarshal(ev.Params, &params, lenient)
	return params, err == nil
}

// Queue holds events in wire order until they are taken.
type Queue struct{ fifo *fifo[Event] }

func newQueue() *Queue { return &Queue{newFIFO[Event]()} }

// Next takes the oldest event, waiting for one until ctx ends. When the
// session has ended and its last event was taken, it answers why.
func (q *Queue) Next(ctx context.Context) (Event, error) {
	for {
		ev, err := q.fifo.next(ctx)
		if err != nil || ev.mark == nil {
			return ev, err
		}
		close(ev.mark)
	}
}

// Sync waits until every event that has arrived was handled, that is, taken
// and the one after it asked for. A reply and the events before it come in wire
// order, so after Sync who has a reply knows what was told before it.
func (q *Queue) Sync(ctx context.Context) error {
	mark := make(chan struct{})
	q.put(Event{mark: mark})
	select {
	case <-mark:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Close drops what is queued and all that would follow.
func (q *Queue) Close() {
	q.close(ErrClosed)
	q.fifo.drop()
}

func (q *Queue) put(ev Event)    { q.fifo.put(ev) }
func (q *Queue) close(err error) { q.fifo.close(err) }
