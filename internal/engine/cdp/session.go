package cdp

import "fmt"

// Session is a flat session with the browser itself or with an attached target.
type Session struct {
	ID     string   // empty for the browser
	Parent *Session // the session it was attached on; nil for the browser

	conn         *Conn
	events       *Queue
	observations *Queue
	err          error       // why all later calls fail; guarded by conn.mu
	take         func(Event) // gets the events instead of the queues, see Divert; nil: the queues get them; guarded by conn.mu
}

// Events returns the queue of the session's [Structure] events. A session attached on the browser
// has a queue of its own, filled from its first event on. A session attached on any other session
// shares the queue of that session. So the consumer of a tab's queue gets the events of the tab,
// its frames and its workers in wire order.
func (s *Session) Events() *Queue { return s.events }

// Observations returns the queue of the session's [Observation] events, shared in the same way as
// that of Events. It holds at most maxObserved bytes: the oldest events are dropped and counted by
// [Queue.TakeLost].
func (s *Session) Observations() *Queue { return s.observations }

// Closed returns a session of a connection that has ended: every call on it fails with [ErrClosed].
func Closed() *Session {
	s := &Session{ID: "closed", conn: &Conn{}, events: newQueue(), observations: newBoundedQueue(), err: ErrClosed}
	s.events.close(ErrClosed)
	s.observations.close(ErrClosed)
	return s
}

// Fail makes all waiting and later calls of the session fail with err. It is for a crashed
// renderer, for example, which never answers. A second Fail does not replace the error. The session
// itself stays, since events of it may still come.
func (s *Session) Fail(err error) { s.fail(err, false) }

// fail does what Fail does. If gone is true, it also removes the session and those attached below
// it from the connection, and closes their queues.
func (s *Session) fail(err error, gone bool) {
	c := s.conn
	c.mu.Lock()
	defer c.mu.Unlock()
	for id, each := range c.sessions {
		if each != s && !(gone && each.under(s)) {
			continue
		}
		if each.err == nil {
			each.err = err
		}
		if !gone {
			continue
		}
		delete(c.sessions, id)
		if each.ownsQueue() {
			each.events.close(err)
			each.observations.close(err)
		}
	}
	for id, call := range c.pending {
		if call.session.err != nil {
			delete(c.pending, id)
			call.finish(nil, fmt.Errorf("%s: %w", call.method, call.session.err))
		}
	}
}

// under reports whether s was attached on the given session, or on a session below that.
func (s *Session) under(ancestor *Session) bool {
	for p := s.Parent; p != nil; p = p.Parent {
		if p == ancestor {
			return true
		}
	}
	return false
}

// ownsQueue reports whether the session has queues of its own, which end with it. A frame or worker
// uses the queues of its tab, which go on.
func (s *Session) ownsQueue() bool {
	return s.Parent == nil || s.Parent == s.conn.root
}

// Child returns the session with this id that was attached below s, or nil.
func (s *Session) Child(id string) *Session {
	if c := s.conn.Session(id); c != nil && c.under(s) {
		return c
	}
	return nil
}

// Sibling returns any session of the connection with this id, or nil.
func (s *Session) Sibling(id string) *Session { return s.conn.Session(id) }
