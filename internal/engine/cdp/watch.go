package cdp

import (
	"context"
	"fmt"
	"net"
	"sync/atomic"
	"time"

	protobrowser "github.com/chromedp/cdproto/browser"
	proto "github.com/chromedp/cdproto/cdp"
)

// A Watch says when a connection counts as silent. A network can lose a connection unnoticed: a
// router forgets it, the other machine is cut off, or a proxy passes nothing on. TCP notices some
// of these cases after a quarter of an hour, and others never. A browser that hangs keeps its pipe
// open. So while calls wait and nothing comes, chela asks the browser for its version (a ping). A
// browser answers a ping at once, even if all its pages are busy.
type Watch struct {
	Quiet  time.Duration // time that a call waits without a byte read until the browser is pinged; 0: never
	Silent time.Duration // time after that ping without a byte until [Conn.Silent] says so
	End    time.Duration // time after that ping without a byte until the connection is ended: [ErrSilent]
}

// watchState is the state of a [Watch].
type watchState struct {
	Watch
	conn *Conn
	last func() (read, written time.Time) // when bytes were last read and written

	// Guarded by conn.mu:
	timer *time.Timer // runs check; nil: no call is waiting
	begun time.Time   // when the first command was sent that set the timer
	sent  time.Time   // when the last command was sent
	asked time.Time   // when the browser was pinged; zero: something was read since
	due   time.Time   // when the timer was set to run check
}

// setLocked has the timer run check after a time.
func (w *watchState) setLocked(after time.Duration) {
	w.due = time.Now().Add(after)
	if w.timer == nil {
		w.timer = time.AfterFunc(after, w.check)
	} else {
		w.timer.Reset(after)
	}
}

// newWatching returns nil if nothing is watched.
func newWatching(c *Conn, w Watch) *watchState {
	if t, ok := c.transport.(interface {
		last() (read, written time.Time)
	}); ok && w.Quiet > 0 {
		return &watchState{Watch: w, conn: c, last: t.last}
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
		w.begun = w.sent
		w.setLocked(w.Quiet)
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
// no answer within Watch.End.
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

// next decides what to do now, and sets the timer for the next check. That bytes could be written
// says nothing: callers who try again write all the time, into buffers that nobody empties. But while
// a frame is still being written, such as a large file over a slow network, the ping may be behind it.
// If the check comes late, this process was stopped, and perhaps the browser with it, as when a
// container is paused. Then the browser is pinged again.
func (w *watchState) next() step {
	w.conn.mu.Lock()
	defer w.conn.mu.Unlock()
	read, written := w.last()
	if read.After(w.asked) {
		w.asked = time.Time{}
	}
	since, limit := later(read, w.begun), w.Quiet
	if !w.asked.IsZero() {
		since, limit = w.asked, w.End
	}
	if w.conn.unwritten.Load() > 0 {
		since = later(since, written)
	}
	idle := time.Since(since)
	switch {
	case len(w.conn.pending) == 0 && read.After(w.sent):
		w.timer = nil
		return wait
	case idle < limit:
		w.setLocked(min(limit-idle, w.Quiet)) // soon, since an answer may come, and then nothing again
		return wait
	case !w.asked.IsZero() && time.Since(w.due) < w.Quiet:
		return end
	}
	w.asked = time.Now()
	w.setLocked(w.Quiet)
	return ask
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// Silent reports whether the browser has not answered a ping for Watch.Silent.
func (c *Conn) Silent() bool {
	if t, ok := c.transport.(interface{ Silent() bool }); ok { // the transport watches itself
		return t.Silent()
	}
	if c.watch == nil {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	read, _ := c.watch.last()
	asked := c.watch.asked
	return !asked.IsZero() && !read.After(asked) && time.Since(asked) >= c.watch.Silent
}

// traffic records when bytes came and went over a transport.
type traffic struct {
	begun         time.Time
	read, written atomic.Int64 // when bytes were last read and written, in ns after begun
}

func (t *traffic) noteRead()    { t.read.Store(int64(time.Since(t.begun))) }
func (t *traffic) noteWritten() { t.written.Store(int64(time.Since(t.begun))) }

func (t *traffic) last() (read, written time.Time) {
	return t.begun.Add(time.Duration(t.read.Load())), t.begun.Add(time.Duration(t.written.Load()))
}

// A timedConn records in a traffic when bytes were read and written.
type timedConn struct {
	net.Conn
	in *traffic
}

func (n timedConn) Read(b []byte) (int, error) {
	count, err := n.Conn.Read(b)
	n.in.noteRead()
	return count, err
}

func (n timedConn) Write(b []byte) (int, error) {
	count, err := n.Conn.Write(b)
	n.in.noteWritten()
	return count, err
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
		return timedConn{conn, &s.traffic}, nil
	}
}

type dialFunc = func(ctx context.Context, network, address string) (net.Conn, error)

// lost returns the error for all calls of a connection that has failed with err. (A connection that
// was closed by Close has another error.)
func (c *Conn) lost(err error) error {
	if c.elsewhere && c.watch != nil {
		return fmt.Errorf("%w: %w: %w", ErrClosed, ErrWebSocketEnded, err)
	}
	return fmt.Errorf("%w: %w", ErrClosed, err)
}
