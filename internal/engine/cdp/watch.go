package cdp

import (
	"context"
	"fmt"
	"net"
	"time"

	protobrowser "github.com/chromedp/cdproto/browser"
	proto "github.com/chromedp/cdproto/cdp"
)

// A Watch says when a connection counts as silent. A network can lose a connection unnoticed: a
// router forgets it, the other machine is cut off, or a proxy passes nothing on. TCP notices some
// of these cases after a quarter of an hour, and others never. So while calls wait and nothing
// comes, chela asks the browser for its version (a ping). A browser answers a ping at once, even if
// all its pages are busy.
type Watch struct {
	Quiet  time.Duration // time without a byte read or written until the browser is pinged; 0: never
	Silent time.Duration // time after that ping without a byte until the connection is ended: [ErrSilent]
}

// silentShare is a divisor. A browser that has not answered a ping for Watch.Silent / silentShare
// counts as silent: see [Conn.Silent].
const silentShare = 10

// watchState is the state of a [Watch].
type watchState struct {
	Watch
	conn        *Conn
	lastTraffic func() (read, either time.Time) // when bytes were last read, and were last read or written

	// Guarded by conn.mu:
	timer *time.Timer // runs check; nil: no call is waiting
	sent  time.Time   // when the last command was sent
	asked time.Time   // when the browser was pinged; zero: something was read since
}

// newWatching returns nil if nothing is watched: messages in a pipe do not get lost.
func newWatching(c *Conn, w Watch) *watchState {
	if s, ok := c.transport.(*socket); ok && w.Quiet > 0 {
		return &watchState{Watch: w, conn: c, lastTraffic: s.lastTraffic}
	}
	return nil
}

// noteCommandLocked records that a command was sent. It must be called for each one.
func (w *watchState) noteCommandLocked() {
	if w == nil {
		return
	}
	w.sent = time.Now()
	if w.timer == nil {
		w.timer = time.AfterFunc(w.Quiet, w.check)
	}
}

func (w *watchState) stop() {
	if w == nil {
		return
	}
	w.conn.mu.Lock()
	defer w.conn.mu.Unlock()
	if w.timer != nil {
		w.timer.Stop()
	}
}

// check pings the browser if nothing has come for Watch.Quiet, and ends the connection if there is
// no answer within Watch.Silent.
func (w *watchState) check() {
	if w.conn.Err() != nil {
		return
	}
	switch w.next() {
	case ask:
		Send(w.conn.root, protobrowser.GetVersion, proto.Empty{})
	case end:
		w.conn.stop(w.conn.lost(ErrSilent))
	}
}

type step int

const (
	wait step = iota
	ask
	end
)

// next decides what to do now, and sets the timer for the next check.
func (w *watchState) next() step {
	w.conn.mu.Lock()
	defer w.conn.mu.Unlock()
	read, either := w.lastTraffic()
	if read.After(w.asked) {
		w.asked = time.Time{}
	}
	limit := w.Quiet
	if !w.asked.IsZero() {
		limit = w.Silent
	}
	idle := time.Since(either)
	switch {
	case len(w.conn.pending) == 0 && read.After(w.sent):
		w.timer = nil
		return wait
	case idle < limit:
		w.timer.Reset(limit - idle)
		return wait
	case !w.asked.IsZero():
		return end
	}
	w.asked = time.Now()
	w.timer.Reset(min(w.Quiet, w.Silent)) // even if an answer comes, the next ping is due soon
	return ask
}

// Silent reports whether the browser has not answered a ping for some time, see silentShare.
func (c *Conn) Silent() bool {
	if t, ok := c.transport.(interface{ Silent() bool }); ok { // the transport watches itself
		return t.Silent()
	}
	if c.watch == nil {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	read, _ := c.watch.lastTraffic()
	asked := c.watch.asked
	return !asked.IsZero() && !read.After(asked) && time.Since(asked) >= c.watch.Silent/silentShare
}

// A timedConn records in a socket when bytes were read and written.
type timedConn struct {
	net.Conn
	in *socket
}

func (n timedConn) Read(b []byte) (int, error) {
	count, err := n.Conn.Read(b)
	n.in.read.Store(int64(time.Since(n.in.begun)))
	return count, err
}

func (n timedConn) Write(b []byte) (int, error) {
	count, err := n.Conn.Write(b)
	n.in.written.Store(int64(time.Since(n.in.begun)))
	return count, err
}

func (s *socket) lastTraffic() (read, either time.Time) {
	r, w := s.read.Load(), s.written.Load()
	return s.begun.Add(time.Duration(r)), s.begun.Add(time.Duration(max(r, w)))
}

// timedDial returns a dial function whose connections are timedConns of s.
func (s *socket) timedDial(dial dialFunc) dialFunc {
	if dial == nil {
		dial = new(net.Dialer).DialContext
	}
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return timedConn{conn, s}, nil
	}
}

type dialFunc = func(ctx context.Context, network, address string) (net.Conn, error)

// lost returns the error for all calls of a connection that has failed with err. (A connection that
// was closed by Close has another error.)
func (c *Conn) lost(err error) error {
	if c.watch != nil {
		return fmt.Errorf("%w: %w: %w", ErrClosed, ErrWebSocketEnded, err)
	}
	return fmt.Errorf("%w: %w", ErrClosed, err)
}
