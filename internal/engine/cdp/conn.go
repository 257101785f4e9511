// Package cdp talks the Chrome DevTools Protocol: one connection to a browser, flat sessions to its
// targets, commands typed by cdproto.
//
// One goroutine reads, one writes, and neither ever waits for a user of the package. Replies
// complete their call, events join a queue, and a command is queued to be written. So a slow
// consumer delays nobody else, and a browser that stops reading cannot hold a caller beyond its
// context.
//
// Events are of two classes. Events about the structure of the browser (targets, frames, script
// contexts, dialogs) are never dropped. Those that only report what pages do (console messages,
// requests) can come by the ten thousand. They have a queue of their own. When it is full, it drops
// the oldest events and counts them.
package cdp

import (
	"bytes"
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/chromedp/cdproto/target"
)

// Options are the options of a connection.
type Options struct {
	// Class says how the events of a method are queued. If it is nil, all of them are Structure.
	// The reading goroutine calls it, so it must not wait.
	Class func(method string) Class

	Watch Watch // how long the browser may be silent; zero: for any time

	Elsewhere bool // the browser may still run when a watched connection has ended: see [ErrWebSocketEnded]
}

// A Class says which queues of its session an event joins: [Session.Events],
// [Session.Observations], both or none.
type Class int

const (
	Ignored     Class = 0
	Structure   Class = 1 << 0 // queued in wire order by [Session.Events], never dropped unless it is also an Observation
	Observation Class = 1 << 1 // queued by [Session.Observations], which drops the oldest events when it is full
	// Shortened is for events that are only counted. Only the first 256 bytes of their parameters are
	// kept, which are incomplete JSON.
	Shortened Class = 1 << 2
)

// Conn is a connection to a browser.
type Conn struct {
	transport Transport
	class     func(method string) Class
	root      *Session
	out       *fifo[[]byte]
	watch     *watchState  // nil: silence of the browser is not noticed
	elsewhere bool         // Options.Elsewhere
	unwritten atomic.Int64 // frames that are queued or being written
	garbage   atomic.Int64 // messages that could not be parsed, or had an unknown session id; only tests read it

	end     sync.Once
	cause   error         // why the connection ended; set before done is closed
	done    chan struct{} // closed by the reader, after all calls have failed
	written chan struct{} // closed by the writer

	mu        sync.Mutex // guards the fields below, and err and take of every session
	lastID    int64
	pending   map[int64]*call
	sessions  map[string]*Session
	undecoded map[string]int // events that could not be read, by method
}

// NewConn returns a connection over t, which it owns from now on. The connection ends when the
// transport does, or by Close.
func NewConn(t Transport, o Options) *Conn {
	c := &Conn{
		transport: t,
		class:     o.Class,
		elsewhere: o.Elsewhere,
		out:       newFIFO[[]byte](),
		done:      make(chan struct{}),
		written:   make(chan struct{}),
		pending:   map[int64]*call{},
		sessions:  map[string]*Session{},
		undecoded: map[string]int{},
	}
	if c.class == nil {
		c.class = func(string) Class { return Structure }
	}
	c.root = &Session{conn: c, events: newQueue(), observations: newBoundedQueue()}
	c.sessions[""] = c.root
	c.watch = newWatching(c, o.Watch)
	l, limits := t.(limiter)
	if limits {
		l.limit(c.limitOf)
	}
	go c.read(limits)
	go c.write()
	return c
}

// Root returns the session of the browser itself.
func (c *Conn) Root() *Session { return c.root }

// Session returns an attached session, or nil if there is none with that id.
func (c *Conn) Session(id string) *Session {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.sessions[id]
}

// Done returns a channel that is closed when the connection has ended and every call has failed or
// has its reply.
func (c *Conn) Done() <-chan struct{} { return c.done }

// Err returns nil until Done is closed, and then ErrClosed with the cause.
func (c *Conn) Err() error {
	select {
	case <-c.done:
		return c.cause
	default:
		return nil
	}
}

// Close ends the connection and waits until its goroutines have ended.
func (c *Conn) Close() error {
	err := c.stop(ErrClosed)
	<-c.done
	<-c.written
	return err
}

// stop closes the transport. That ends the reader, which fails all calls. The first cause stays:
// after Close, the error of the reader only says that its transport was closed. If two goroutines
// call stop, the second one waits for the first, and then finds the first cause.
func (c *Conn) stop(cause error) (err error) {
	c.end.Do(func() {
		c.cause = cause
		err = c.transport.Close()
	})
	return err
}

// write writes the queued frames, one after the other. It may block while the browser does not
// read; callers do not, since they only queue. It ends when the reader has closed the queue, or the
// transport refuses a frame.
func (c *Conn) write() {
	defer close(c.written)
	for {
		frame, err := c.out.next(context.Background())
		if err != nil {
			return
		}
		if err := c.transport.Write(frame); err != nil {
			c.stop(c.lost(err))
			return
		}
		c.unwritten.Add(-1)
	}
}

// read reads frames until the transport ends. It counts and skips a frame that it cannot parse,
// since other messages do not depend on it. At the end, all pending calls fail with the cause,
// before done is closed. The parameter limited says that the transport itself skips messages that
// are too long.
func (c *Conn) read(limited bool) {
	defer close(c.done)
	for {
		frame, err := c.transport.Read()
		if err == nil && !limited {
			err = c.checkLength(frame)
		}
		if long, ok := errors.AsType[*oversize](err); ok {
			c.leaveOut(long)
			continue
		}
		if err != nil {
			c.stop(c.lost(err))
			c.root.fail(c.cause, true)
			c.out.close(c.cause)
			c.watch.stop()
			return
		}
		m, ok := parse(frame)
		switch {
		case !ok:
			c.garbage.Add(1)
		case m.ID != 0:
			c.answer(m)
		default:
			c.route(m)
		}
	}
}

// answer completes the call that m replies to. If the call was forgotten or already has its reply,
// m is dropped.
func (c *Conn) answer(m message) {
	c.mu.Lock()
	call := c.pending[m.ID]
	delete(c.pending, m.ID)
	c.mu.Unlock()
	if call == nil {
		return
	}
	if m.Error != nil {
		m.Error.Method = call.method
		call.finish(nil, m.Error)
		return
	}
	call.finish(m.Result, nil)
}

// route queues an event for its session. Sessions are also added and removed here, in wire order,
// so no event of a new session is missed. The first events of a new session follow
// Target.attachedToTarget at once. A consumer of that event would register the session too late for
// them. When a session is detached, the event that says so is first queued for its parent, and then
// the session fails.
func (c *Conn) route(m message) {
	s := c.Session(m.SessionID)
	if s == nil {
		c.garbage.Add(1)
		return
	}
	ev := Event{Session: s, Method: m.Method, Params: m.Params}
	if attached, ok := Decode(ev, target.AttachedToTarget); ok && !c.attach(s, string(attached.SessionID)) {
		c.garbage.Add(1)
		return
	}
	if take := c.taking(s); take != nil {
		take(ev)
	} else {
		c.queue(ev)
	}
	if detached, ok := Decode(ev, target.DetachedFromTarget); ok {
		if gone := c.Session(string(detached.SessionID)); gone != nil && gone != c.root {
			gone.fail(ErrDetached, true)
		}
	}
}

// taking returns the function that gets the events of a diverted session, see Divert. It returns
// nil for a session whose events are queued.
func (c *Conn) taking(s *Session) func(Event) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return s.take
}

// queue puts an event into the queues that its [Class] names.
func (c *Conn) queue(ev Event) {
	s, class := ev.Session, c.class(ev.Method)
	if !class.whole() && len(ev.Params) > maxReported { // it was read for a diverted session
		s.observations.lose(ev.Method)
		return
	}
	if class&Shortened != 0 && len(ev.Params) > shortenedBytes {
		ev.Params = bytes.Clone(ev.Params[:shortenedBytes]) // a copy, so that the rest of the message is freed
	}
	if class&Structure != 0 {
		s.events.put(ev)
	}
	if class&Observation != 0 {
		s.observations.put(ev)
	}
}

// shortenedBytes limits the bytes that are kept of the parameters of a [Shortened] event.
const shortenedBytes = 256

// attach adds a session with this id, a child of parent. It returns false if the id is in use, or
// needs escapes in JSON, which [command] does not write.
func (c *Conn) attach(parent *Session, id string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.sessions[id] != nil || !needsNoEscape(id) {
		return false
	}
	s := &Session{ID: id, Parent: parent, conn: c, events: parent.events, observations: parent.observations, take: parent.take}
	if parent == c.root {
		s.events, s.observations = newQueue(), newBoundedQueue()
	}
	c.sessions[id] = s
	return true
}
