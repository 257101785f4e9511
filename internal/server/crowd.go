package server

import (
	"context"
	"io"
	"net"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// A crowd is all connections to a server. When there are too many, the one that
// has waited longest without an admitted call has to leave, so slow or silent
// clients cannot keep others out.
type crowd struct {
	mu       sync.Mutex // guards the rest
	visitors []*visitor // in order of arrival
	emptied  time.Time  // when the last one left
}

// A visitor is one connection.
type visitor struct {
	net.Conn
	crowd   *crowd
	framing framing

	calling   atomic.Bool // an admitted call is running
	inRequest atomic.Bool // a request has begun, and its answer has not ended
	closing   atomic.Bool
}

// listener returns l with its connections counted.
func (c *crowd) listener(l net.Listener) net.Listener {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.emptied.IsZero() {
		c.emptied = time.Now()
	}
	return crowdListener{l, c}
}

type crowdListener struct {
	net.Listener
	crowd *crowd
}

func (l crowdListener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		v := &visitor{Conn: conn, crowd: l.crowd}
		if l.crowd.enter(v) {
			return v, nil
		}
		conn.Close()
	}
}

// enter reports whether there is room for v, or made room for it.
func (c *crowd) enter(v *visitor) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.visitors) >= maxVisitors {
		i := slices.IndexFunc(c.visitors, func(v *visitor) bool { return !v.calling.Load() })
		if i < 0 {
			return false
		}
		c.visitors[i].Conn.Close()
		c.visitors = slices.Delete(c.visitors, i, i+1)
	}
	c.visitors = append(c.visitors, v)
	return true
}

// dismiss closes the connections that have no call, and has the others close at
// once when their call ends.
func (c *crowd) dismiss() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, v := range c.visitors {
		v.closing.Store(true)
		if !v.calling.Load() {
			v.Conn.Close()
		}
	}
}

// quiet is how long nobody has been there.
func (c *crowd) quiet() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.visitors) > 0 {
		return 0
	}
	return time.Since(c.emptied)
}

// Close leaves the crowd.
func (v *visitor) Close() error {
	if !v.closing.Swap(true) && v.inRequest.Load() {
		v.drain()
	}
	c := v.crowd
	c.mu.Lock()
	c.visitors = slices.DeleteFunc(c.visitors, func(other *visitor) bool { return other == v })
	c.emptied = time.Now()
	c.mu.Unlock()
	return v.Conn.Close()
}

// drainTime is how long a client may go on sending a request that was answered already.
const drainTime = 5 * time.Second

// drain reads what the client still sends of a request that was answered before
// its end, and returns when the client closes the connection. A connection that
// is closed with data unread is reset, and a client that is still sending then
// fails without having read its answer.
func (v *visitor) drain() {
	v.CloseWrite()
	v.SetReadDeadline(time.Now().Add(drainTime))
	io.Copy(io.Discard, v.Conn)
}

// CloseWrite tells the client that its answer has ended; net/http calls it, too.
func (v *visitor) CloseWrite() error {
	if half, ok := v.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// Read passes on what the client sends, and looks at the heads as they were sent.
func (v *visitor) Read(b []byte) (int, error) {
	n, err := v.Conn.Read(b)
	v.framing.see(b[:n])
	return n, err
}

type visitorKey struct{}

func withVisitor(ctx context.Context, conn net.Conn) context.Context {
	return context.WithValue(ctx, visitorKey{}, conn)
}

// visitorOf returns the connection of a request; nil in tests without one.
func visitorOf(r *http.Request) *visitor {
	v, _ := r.Context().Value(visitorKey{}).(*visitor)
	return v
}

// visitorState notes whether a connection is in the middle of a request.
func visitorState(conn net.Conn, state http.ConnState) {
	if v, ok := conn.(*visitor); ok {
		v.inRequest.Store(state == http.StateActive)
	}
}
