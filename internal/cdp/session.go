package cdp

import (
	"fmt"
	"sync/atomic"
)

// Session is a flat session: the browser, or one target that is attached.
type Session struct {
	ID     string   // empty for the browser
	Parent *Session // the session it was attached on; nil for the browser

	conn    *Conn
	events  *Queue
	dropped atomic.Int64
	err     error // what all later calls answer; guarded by conn.mu
}

// Events is where the events of the session arrive. A session attached on the
// browser has a queue of its own, filled from its first event on; one attached
// on another session shares that one's queue. So whoever takes the events of a
// tab sees those of its frames and workers in wire order with its own.
func (s *Session) Events() *Queue { return s.events }

// Dropped counts the events that the connection was told not to keep.
func (s *Session) Dropped() int64 { return s.dropped.Load() }

// Fail answers err to all calls of the session, those that wait and those to
// come: a crashed renderer, for one, never answers. The first error stays.
func (s *Session) Fail(err error) { s.fail(err, false) }

// fail also ends the session and those attached on it when it is gone: then
// they have left the connection, and their queue closes.
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
		}
	}
	for id, call := range c.pending {
		if call.session.err != nil {
			delete(c.pending, id)
			call.finish(nil, fmt.Errorf("%s: %w", call.method, call.session.err))
		}
	}
}

func (s *Session) under(ancestor *Session) bool {
	for p := s.Parent; p != nil; p = p.Parent {
		if p == ancestor {
			return true
		}
	}
	return false
}

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
