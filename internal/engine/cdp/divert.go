package cdp

import (
	"errors"
	"fmt"

	json "github.com/chromedp/cdproto/cdp/jsonv2"
)

// A session can be lent to another program that speaks the protocol itself. Its commands and events
// are passed on unchanged. The program gets replies and events in wire order, because the reading
// goroutine passes on both.

// Divert makes the connection call the function take with the events of the session, instead of
// queueing them. The same holds for sessions that are attached below it from now on. The class of
// an event does not matter then. The reading goroutine calls take, which must not wait.
func (s *Session) Divert(take func(Event)) {
	s.conn.mu.Lock()
	defer s.conn.mu.Unlock()
	s.take = take
}

// errNoMethod says that a text cannot be the name of a command, since JSON would have to escape it.
var errNoMethod = errors.New("the name of the command has characters that no name has")

// Forward queues a command whose parameters are JSON already: an object, or nothing. It calls the
// function done once, with the result or the same errors as [Reply.Wait]. At most maxBytes of the
// reply are read, see [CallWithin]. Mutexes of the connection may be held when done is called, so
// it must neither wait nor use the connection.
func (s *Session) Forward(method string, params json.Value, maxBytes int, done func(result json.Value, err error)) {
	if !needsNoEscape(method) {
		done(nil, fmt.Errorf("%q: %w", method, errNoMethod))
		return
	}
	var given any = params
	if len(params) == 0 {
		given = struct{}{}
	}
	s.sendCall(&call{method: method, session: s, maxBytes: maxBytes, done: make(chan struct{}), then: done}, given)
}
