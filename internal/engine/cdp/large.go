package cdp

import (
	"bytes"
	"context"
	"fmt"
	"strconv"

	proto "github.com/chromedp/cdproto/cdp"
)

// A page can make messages of the browser as long as it likes: what it logs, and what a script
// returns. So long messages are not read into memory as a whole, unless their reader needs them, as
// for a screenshot.

// maxReported bounds, in bytes, the events that only report what pages do. A longer one
// is dropped and counted, see [Queue.TakeLost].
const maxReported = 4 << 20

// A LargeError says that a reply has more bytes than its caller takes.
type LargeError struct {
	Method    string // the command
	Bytes     int    // of the whole message
	Beginning []byte // of the result: JSON without its end
}

func (e *LargeError) Error() string {
	return fmt.Sprintf("%s: the reply has %d bytes, which is more than is read", e.Method, e.Bytes)
}

// CallWithin is Call for a reply that may be large. It reads at most maxBytes of the reply, or a
// few more where the transport reads in larger pieces. If the reply is longer, the error is a
// [*LargeError].
func CallWithin[P, R any](ctx context.Context, s *Session, c proto.Command[P, R], p P, maxBytes int) (R, error) {
	return (&Reply[R]{s.send(c.Method, p, maxBytes)}).Wait(ctx)
}

// A limiter is a transport that can skip long messages. The function maxBytes gets the beginning of
// a message, and returns how many bytes of the message may be read; 0 is all.
type limiter interface {
	limit(maxBytes func(beginning []byte) int)
}

// An oversize is the error of [Transport.Read] for a skipped message. The transport continues with
// the next one.
type oversize struct {
	beginning, end []byte
	bytes          int
}

func (o *oversize) Error() string { return fmt.Sprintf("a message of %d bytes was left out", o.bytes) }

// limitOf is how many bytes are read of the message with this beginning. If nobody awaits a reply
// any more, such as a script's after its deadline, only its beginning is read. A message that is
// neither a reply nor an [Observation] is read whole.
func (c *Conn) limitOf(beginning []byte) int {
	if id, _, ok := replyTo(beginning); ok {
		c.mu.Lock()
		defer c.mu.Unlock()
		if call := c.pending[id]; call != nil {
			return call.maxBytes
		}
		return 1
	}
	if method, _, ok := eventOf(beginning); ok && c.class(string(method))&Structure == 0 {
		return maxReported
	}
	return 0
}

// checkLength returns an [*oversize] for a message that is too long, of a transport that reads each
// as a whole.
func (c *Conn) checkLength(frame []byte) error {
	if len(frame) <= maxReported {
		return nil
	}
	if n := c.limitOf(frame); n > 0 && n < len(frame) {
		return &oversize{bytes.Clone(frame[:n]), bytes.Clone(frame[len(frame)-shortenedBytes:]), len(frame)}
	}
	return nil
}

// leaveOut handles a message that was skipped. It fails the call that the message replies to, or
// counts the event. The id of the session stands after the parameters.
func (c *Conn) leaveOut(o *oversize) {
	if id, result, ok := replyTo(o.beginning); ok {
		c.mu.Lock()
		call := c.pending[id]
		delete(c.pending, id)
		c.mu.Unlock()
		if call != nil {
			call.finish(nil, &LargeError{call.method, o.bytes, result})
		}
		return
	}
	method, _, _ := eventOf(o.beginning)
	_, session, _ := splitSession(o.end)
	if s := c.Session(session); s != nil {
		s.observations.fifo.mu.Lock()
		defer s.observations.fifo.mu.Unlock()
		s.observations.countLost(Event{Method: string(method)})
	}
}

// replyTo splits the beginning of a reply, see [splitFrame].
func replyTo(frame []byte) (id int64, result []byte, ok bool) {
	rest, ok := bytes.CutPrefix(frame, []byte(`{"id":`))
	if !ok {
		return 0, nil, false
	}
	digits, result, found := bytes.Cut(rest, []byte(`,"result":`))
	n, err := strconv.ParseUint(string(digits[:min(len(digits), 20)]), 10, 63)
	return int64(n), result, found && err == nil && n != 0 && digits[0] != '0'
}

// eventOf splits the beginning of an event, see [splitFrame].
func eventOf(frame []byte) (method, params []byte, ok bool) {
	rest, isEvent := bytes.CutPrefix(frame, []byte(`{"method":"`))
	method, params, found := bytes.Cut(rest, []byte(`","params":`))
	return method, params, isEvent && found && needsNoEscape(method)
}
