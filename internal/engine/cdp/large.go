package cdp

import (
	"bytes"
	"context"
	"fmt"
	"strconv"

	proto "github.com/chromedp/cdproto/cdp"
)

// Pages decide how long some messages of the browser are: messages with console output, and replies
// with what a script returned. So a long message is not read into memory as a whole, unless its
// caller needs it, as for a screenshot.

// maxReported limits the bytes of an event that is not read as a whole, see [Class.whole]. A longer
// one is dropped and counted, see [Queue.TakeLost]. While a program drives tabs, see
// [Session.Divert], it gets events of up to maxDiverted bytes: it may wait for any of them.
const (
	maxReported = 4 << 20
	maxDiverted = 64 << 20
)

// A LargeError says that a reply has more bytes than the caller has allowed.
type LargeError struct {
	Method    string // method of the command
	Bytes     int    // size of the whole message
	Beginning []byte // the beginning of the result: JSON without its end
}

func (e *LargeError) Error() string {
	return fmt.Sprintf("%s: the reply has %d bytes, which is more than is read", e.Method, e.Bytes)
}

// CallWithin does what Call does, for a reply that may be large. It reads at most maxBytes of the
// reply, or a few more if the transport reads in larger pieces. If the reply is longer, the error
// is a [*LargeError].
func CallWithin[P, R any](ctx context.Context, s *Session, c proto.Command[P, R], p P, maxBytes int) (R, error) {
	return SendWithin(s, c, p, maxBytes).Wait(ctx)
}

// SendWithin does what [Send] does, with a reply that is limited as in CallWithin.
func SendWithin[P, R any](s *Session, c proto.Command[P, R], p P, maxBytes int) *Reply[R] {
	return &Reply[R]{s.send(c.Method, p, maxBytes)}
}

// maxPending limits how many commands of CallEach are without a reply at a time.
const maxPending = 64

// CallEach sends a command with each of the params, and calls use with each result, in their order.
// It reads at most maxBytes of each reply, as CallWithin does. Up to maxPending commands are sent
// before the first of their replies is awaited. With more, all the replies together could be large. If
// use returns an error, CallEach ends with it.
func CallEach[P, R any](ctx context.Context, s *Session, c proto.Command[P, R], params []P, maxBytes int, use func(i int, result R, err error) error) error {
	var pending [maxPending]*Reply[R]
	for i, sent := 0, 0; i < len(params); i++ {
		for ; sent < min(len(params), i+maxPending); sent++ {
			pending[sent%maxPending] = &Reply[R]{s.send(c.Method, params[sent], maxBytes)}
		}
		result, err := pending[i%maxPending].Wait(ctx)
		if err := use(i, result, err); err != nil {
			return err
		}
	}
	return nil
}

// A limiter is a transport that can skip long messages. The function maxBytes gets the beginning of
// a message, and returns how many bytes of the message may be read; 0: all.
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

// limitOf returns how many bytes are read of the message with this beginning; 0: all. Of a reply
// that no caller waits for any more, as after a script's deadline, only the beginning is read. A
// message that is neither a reply nor an event is read as a whole.
func (c *Conn) limitOf(beginning []byte) int {
	if id, _, ok := replyTo(beginning); ok {
		c.mu.Lock()
		defer c.mu.Unlock()
		if call := c.pending[id]; call != nil {
			return call.maxBytes
		}
		return 1
	}
	if method, _, ok := eventOf(beginning); ok && !c.class(string(method)).whole() {
		if c.diverts() { // the session of the event is only known at its end
			return maxDiverted
		}
		return maxReported
	}
	return 0
}

// whole reports whether events of the class are read as a whole, however long they are. An event
// that is also an [Observation] is not: pages decide how long the reports of requests are, as they
// contain each data: URL.
func (class Class) whole() bool { return class&(Structure|Observation) == Structure }

// diverts reports whether the events of any session are diverted.
func (c *Conn) diverts() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range c.sessions {
		if s.take != nil {
			return true
		}
	}
	return false
}

// checkLength returns an [*oversize] for a message that is too long. It is for transports that read
// each message as a whole.
func (c *Conn) checkLength(frame []byte) error {
	if len(frame) <= maxReported {
		return nil
	}
	if n := c.limitOf(frame); n > 0 && n < len(frame) {
		return &oversize{bytes.Clone(frame[:n]), bytes.Clone(frame[len(frame)-shortenedBytes:]), len(frame)}
	}
	return nil
}

// leaveOut handles a message that was skipped. If it is a reply, its call fails; if it is an event,
// it is counted. The session id is at the end of the message, after the parameters.
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
		s.observations.lose(string(method))
	}
}

// replyTo splits the beginning of a reply into the id and the beginning of the result, see
// [splitFrame].
func replyTo(frame []byte) (id int64, result []byte, ok bool) {
	rest, ok := bytes.CutPrefix(frame, []byte(`{"id":`))
	if !ok {
		return 0, nil, false
	}
	digits, result, found := bytes.Cut(rest, []byte(`,"result":`))
	n, err := strconv.ParseUint(string(digits[:min(len(digits), 20)]), 10, 63)
	return int64(n), result, found && err == nil && n != 0 && digits[0] != '0'
}

// eventOf splits the beginning of an event into the method and the beginning of the parameters, see
// [splitFrame].
func eventOf(frame []byte) (method, params []byte, ok bool) {
	rest, isEvent := bytes.CutPrefix(frame, []byte(`{"method":"`))
	method, params, found := bytes.Cut(rest, []byte(`","params":`))
	return method, params, isEvent && found && needsNoEscape(method)
}
