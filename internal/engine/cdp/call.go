package cdp

import (
	"context"
	"fmt"

	proto "github.com/chromedp/cdproto/cdp"
	json "github.com/chromedp/cdproto/cdp/jsonv2"
)

// call is a command whose reply is awaited. Only the goroutine that removes the call from
// Conn.pending finishes it, so it is finished once. That goroutine is the reader when the reply
// comes, the caller when its context ends, or the one that ends the session.
type call struct {
	id       int64
	method   string
	session  *Session
	maxBytes int // a longer reply is skipped, and its error is a LargeError; 0: no limit
	done     chan struct{}
	result   json.Value // result and err are set before done is closed
	err      error
	then     func(json.Value, error) // called with the reply before done is closed, see Session.Forward; may be nil
}

func (c *call) finish(result json.Value, err error) {
	c.result, c.err = result, err
	if c.then != nil {
		c.then(result, err)
	}
	close(c.done)
}

// Reply is the answer to a command, which may still be pending.
type Reply[R any] struct{ call *call }

// Send queues a command to be written after all those sent before it, and returns at once.
// [Reply.Wait] waits for the reply. Chromium runs the commands of one session in the order in which
// they were sent. So a caller can send several and wait only for the last reply. A reply that
// nobody waits for is dropped.
func Send[P, R any](s *Session, c proto.Command[P, R], p P) *Reply[R] {
	return &Reply[R]{s.send(c.Method, p, 0)}
}

// SendInOrder does the same as Send. The reply is also passed to the function handle, unless it is an
// error. [Queue.Next] calls handle when it has returned all events that came before the reply, and
// none that came after it. So whoever takes the events sees what the reply says in wire order. A
// caller that has the reply and then calls [Queue.Sync] finds it handled.
func SendInOrder[P, R any](s *Session, c proto.Command[P, R], p P, handle func(R)) *Reply[R] {
	r := &Reply[R]{&call{method: c.Method, session: s, done: make(chan struct{})}}
	r.call.then = func(json.Value, error) {
		s.events.put(Event{reached: func() {
			if result, err := r.Wait(context.Background()); err == nil {
				handle(result)
			}
		}})
	}
	s.sendCall(r.call, p)
	return r
}

// Call sends a command and waits for its reply. It returns the same errors as [Reply.Wait].
func Call[P, R any](ctx context.Context, s *Session, c proto.Command[P, R], p P) (R, error) {
	return Send(s, c, p).Wait(ctx)
}

// Done returns a channel that is closed when the reply has come, or the call has failed.
func (r *Reply[R]) Done() <-chan struct{} { return r.call.done }

// Wait returns the browser's reply. If ctx ends first, the reply will be dropped, and the error is
// the cause of ctx. The browser may still run the command, because the protocol has no way to
// withdraw one. If the browser refuses the command, the error is an [*Error]. Other errors are
// [ErrClosed], [ErrDetached], the error given to [Session.Fail], or an error of decoding the reply.
func (r *Reply[R]) Wait(ctx context.Context) (R, error) {
	var result R
	raw, err := r.raw(ctx)
	if err != nil {
		return result, err
	}
	if _, none := any(result).(proto.Empty); none {
		return result, nil
	}
	if err := json.Unmarshal(raw, &result, lenient); err != nil {
		return result, fmt.Errorf("%s: read the reply: %w", r.call.method, err)
	}
	return result, nil
}

// raw waits for the reply as Wait does, and returns its result undecoded. The result may be invalid
// JSON.
func (r *Reply[R]) raw(ctx context.Context) (json.Value, error) {
	select { // a reply that has arrived has precedence even if ctx has ended; the select below would choose at random
	case <-r.call.done:
		return r.call.result, r.call.err
	default:
	}
	select {
	case <-r.call.done:
	case <-ctx.Done():
		r.call.session.conn.forget(r.call, context.Cause(ctx))
		<-r.call.done // finished by the reply or by forget, whichever came first
	}
	return r.call.result, r.call.err
}

// send registers a call and then queues its command; in the other order the reply could come before
// the call is registered. If the command cannot be sent, the call fails with the error, so callers
// find every error in Wait.
func (s *Session) send(method string, params any, maxBytes int) *call {
	call := &call{method: method, session: s, maxBytes: maxBytes, done: make(chan struct{})}
	s.sendCall(call, params)
	return call
}

func (s *Session) sendCall(call *call, params any) {
	c, method := s.conn, call.method
	c.mu.Lock()
	c.lastID++
	call.id = c.lastID
	err := s.err
	if err == nil {
		c.pending[call.id] = call
		c.watch.noteCommandLocked()
	}
	c.mu.Unlock()
	if err != nil {
		call.finish(nil, fmt.Errorf("%s: %w", method, err))
		return
	}
	frame, err := command(call.id, s.ID, method, params)
	if err != nil {
		c.forget(call, fmt.Errorf("%s: write the parameters: %w", method, err))
		return
	}
	c.unwritten.Add(1)
	c.out.put(frame)
}

// forget ends a call that is still pending, and gives it the error err. A reply that comes later is
// dropped.
func (c *Conn) forget(call *call, err error) {
	c.mu.Lock()
	waiting := c.pending[call.id] == call
	delete(c.pending, call.id)
	c.mu.Unlock()
	if waiting {
		call.finish(nil, err)
	}
}
