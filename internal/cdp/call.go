package cdp

import (
	"context"
	"fmt"

	proto "github.com/chromedp/cdproto/cdp"
	json "github.com/chromedp/cdproto/cdp/jsonv2"
)

// call is a command whose reply is awaited. The function that removes it from
// Conn.pending finishes it, so it is finished once.
type call struct {
	id      int64
	method  string
	session *Session
	done    chan struct{}
	result  json.Value // with err, set before done is closed
	err     error
}

func (c *call) finish(result json.Value, err error) {
	c.result, c.err = result, err
	close(c.done)
}

// Reply is the answer to a command, perhaps still to come.
type Reply[R any] struct{ call *call }

// Send queues a command to be written, after all those sent before it, and
// does not wait: for its reply, see [Reply.Wait].
func Send[P, R any](s *Session, c proto.Command[P, R], p P) *Reply[R] {
	return &Reply[R]{s.send(c.Method, p)}
}

// Call sends a command and waits for its reply.
func Call[P, R any](ctx context.Context, s *Session, c proto.Command[P, R], p P) (R, error) {
	return Send(s, c, p).Wait(ctx)
}

// Done is closed when Wait returns without waiting.
func (r *Reply[R]) Done() <-chan struct{} { return r.call.done }

// Wait returns what the browser answered. When ctx ends before, the call is
// forgotten and the error is the cause of ctx.
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

// raw is Wait without decoding. The value has not been checked to be JSON.
func (r *Reply[R]) raw(ctx context.Context) (json.Value, error) {
	select {
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

// send registers and queues a command. Every failure is a result of the call.
func (s *Session) send(method string, params any) *call {
	c := s.conn
	call := &call{method: method, session: s, done: make(chan struct{})}
	c.mu.Lock()
	c.lastID++
	call.id = c.lastID
	err := s.err
	if err == nil {
		c.pending[call.id] = call
	}
	c.mu.Unlock()
	if err != nil {
		call.finish(nil, fmt.Errorf("%s: %w", method, err))
		return call
	}
	frame, err := command(call.id, s.ID, method, params)
	if err != nil {
		c.forget(call, fmt.Errorf("%s: write the parameters: %w", method, err))
		return call
	}
	c.out.put(frame)
	return call
}

// forget finishes a call that is still pending with err.
func (c *Conn) forget(call *call, err error) {
	c.mu.Lock()
	waiting := c.pending[call.id] == call
	delete(c.pending, call.id)
	c.mu.Unlock()
	if waiting {
		call.finish(nil, err)
	}
}
