package cdp

import "fmt"

// Session is a flat session: the browser, or one target that is attached.
type Session struct {
	ID     string   // empty for the browser
	Parent *Session // the session it was attached on; nil for the browser

	conn         *Conn
	events       *Queue
	observations *Queue
	err          error       // returned by all later calls; guarded by conn.mu
	take         func(Event) // gets the events, see Divert; nil: the queues do; guarded by conn.mu
}

// Events is the queue of the session's [Structure] events. A session attached on the browser has a
// queue of its own, filled from its first event on. A session attached on another session shares
// that one's queue. So the consumer of a tab's queue gets the events of its frames and workers in
// wire order with the tab's.
func (s *Session) Events() *Queue { return s.events }

// Observations is the queue of the session's [Observation] events, shared in the same way. It holds
// at most 4 MB: the oldest events are dropped and counted by [Queue.TakeLost].
func (s *Session) Observations() *Queue { return s.observations }

// Closed returns a session of a connection that has ended: every call on it fails with [ErrClosed].
func Closed() *Session {
	s := &Session{ID: "closed", conn: &Conn{}, events: newQueue(), observations: newBoundedQueue(), err: ErrClosed}
	s.events.close(ErrClosed)
	s.observations.close(ErrClosed)
	return s
}

// Fail makes err the result of all calls of the session, both waiting and later ones. A crashed
// renderer, for example, never answers. The first error stays. The session itself stays, as events
// of it may still come.
func (s *Session) Fail(err error) { s.fail(err, false) }

// fail is Fail, and with gone it also removes the session and those attached on it from the
// connection and closes their queues.
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

// under reports whether s was attached on ancestor, or on a session below it.
func (s *Session) under(ancestor *Session) bool {
	for p := s.Parent; p != nil; p = p.Parent {
		if p == ancestor {
			return true
		}
	}
	return false
}

// ownsQueue reports whether the queues are the session's own, so that they end with it. A frame or
// worker uses its tab's queues, which go on.
func (s *Session) ownsQueue() bool {
	return s.Parent == nil || s.Parent == s.conn.root
}

// Child finds a session that was attached below s, nil if there is none of that id.
func (s *Session) Child(id string) *Session {
	if c := s.conn.Session(id); c != nil && c.under(s) {
		return c
	}
	return nil
}

// Sibling finds any session of the connection, nil if there is none of that id.
func (s *Session) Sibling(id string) *Session { return s.conn.Session(id) }
