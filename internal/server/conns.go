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

// conns are all connections to a server, at most maxConns. To accept one more,
// the oldest that runs no admitted call is closed, so slow or silent clients
// cannot keep others out.
type conns struct {
	mu      sync.Mutex // guards the rest
	open    []*conn    // in the order in which they were accepted
	emptied time.Time  // when the last connection was closed
}

// A conn is one connection. Its flags are set by the handler, by net/http's
// ConnState and by the server's end.
type conn struct {
	net.Conn
	conns   *conns
	framing framing

	calling   atomic.Bool // a request that the door let in is being handled
	inRequest atomic.Bool // a request has begun, and its response has not ended
	closing   atomic.Bool
}

// listener returns l with its connections counted.
func (c *conns) listener(l net.Listener) net.Listener {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.emptied.IsZero() {
		c.emptied = time.Now()
	}
	return connListener{l, c}
}

// A connListener counts the connections that it accepts.
type connListener struct {
	net.Listener
	conns *conns
}

// Accept returns the next connection. One for which there is no room is closed.
func (l connListener) Accept() (net.Conn, error) {
	for {
		accepted, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		c := &conn{Conn: accepted, conns: l.conns}
		if l.conns.add(c) {
			return c, nil
		}
		accepted.Close()
	}
}

// add adds a connection. When there are maxConns, it closes the oldest without
// a call; it reports false when all of them have one.
func (cs *conns) add(c *conn) bool {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	if len(cs.open) >= maxConns {
		i := slices.IndexFunc(cs.open, func(c *conn) bool { return !c.calling.Load() })
		if i < 0 {
			return false
		}
		cs.open[i].Conn.Close()
		cs.open = slices.Delete(cs.open, i, i+1)
	}
	cs.open = append(cs.open, c)
	return true
}

// closeIdle closes the connections without a call; the others close when their
// call ends.
func (cs *conns) closeIdle() {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	for _, c := range cs.open {
		c.closing.Store(true)
		if !c.calling.Load() {
			c.Conn.Close()
		}
	}
}

// idleFor is how long there has been no connection; 0 while there is one.
func (cs *conns) idleFor() time.Duration {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	if len(cs.open) > 0 {
		return 0
	}
	return time.Since(cs.emptied)
}

// Close closes the connection, after the client has read the response.
func (c *conn) Close() error {
	if !c.closing.Swap(true) && c.inRequest.Load() {
		c.drain()
	}
	c.conns.remove(c)
	return c.Conn.Close()
}

func (cs *conns) remove(c *conn) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	cs.open = slices.DeleteFunc(cs.open, func(other *conn) bool { return other == c })
	cs.emptied = time.Now()
}

// drainTime is how long a client may go on sending a request that has its response already.
const drainTime = 5 * time.Second

// drain reads what the client still sends of a request that was answered before
// its end, and returns when the client closes the connection. A connection that
// is closed with data unread is reset, and a client that is still sending then
// fails without having read its answer.
func (c *conn) drain() {
	c.CloseWrite()
	c.SetReadDeadline(time.Now().Add(drainTime))
	io.Copy(io.Discard, c.Conn)
}

// CloseWrite ends the response; net/http calls it, too.
func (c *conn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// Read reads what the client sends and checks the framing of its requests.
func (c *conn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.framing.see(b[:n])
	return n, err
}

type connKey struct{}

func withConn(ctx context.Context, nc net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, nc)
}

// connOf returns the connection of a request; nil in tests without a server.
func connOf(r *http.Request) *conn {
	c, _ := r.Context().Value(connKey{}).(*conn)
	return c
}

// trackState records whether a connection is in the middle of a request.
func trackState(nc net.Conn, state http.ConnState) {
	if c, ok := nc.(*conn); ok {
		c.inRequest.Store(state == http.StateActive)
	}
}
