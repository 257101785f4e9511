package server

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// conns has all connections to a server, at most limits.conns. If there are too many, it closes a
// connection that has no call in progress, or only one that the [door] has not admitted. So slow or
// silent clients cannot keep others out. It also knows when the last connection was closed: a
// server that was started in the background ends some time after that.
type conns struct {
	limits

	mu      sync.Mutex // guards the rest
	open    []*conn    // open connections, in the order in which they were accepted
	emptied time.Time  // when the last connection was closed
	ending  bool       // no further connection is accepted
}

// A conn is one connection. Its flags are set by the handler, by net/http's ConnState, and when the
// server shuts down.
type conn struct {
	net.Conn
	transport net.Conn // the connection below TLS; the same as Conn if there is none
	conns     *conns
	framing   framing
	requests  int // number of requests that the handler has got; only the handler uses this field

	// The flags are atomic, since net/http reads and closes a connection in other goroutines than
	// the handler's. One state could not replace them: for example, a request that is sent slowly
	// may be in progress (inRequest), but not admitted yet (calling).
	trusted   atomic.Bool // a request of this connection was admitted before: by the door, a ticket or a pass
	proven    atomic.Bool // the server's own secret was sent on this connection, see guesses
	calling   atomic.Bool // a request that the door has admitted is in progress
	inRequest atomic.Bool // a request has begun, and its response has not ended
	answering atomic.Bool // the handler has the request, so the handler writes the answer, and not net/http
	plain     atomic.Bool // the client does not use TLS, although it must here
	upgraded  atomic.Bool // the connection is a WebSocket: further bytes are not HTTP
	closing   atomic.Bool // Close need not drain the connection
}

// listener returns a listener that adds the connections of l to c. The time without connections (see
// idleFor) begins now, although none was closed yet.
func (c *conns) listener(l net.Listener) net.Listener {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.emptied.IsZero() {
		c.emptied = time.Now()
	}
	return connListener{l, c}
}

// A connListener adds the connections that it accepts to conns.
type connListener struct {
	net.Listener
	conns *conns
}

// Accept returns the next connection. It closes a connection for which there is no room, so that its
// client sees a reset. Waiting for room instead would leave all further clients without an answer.
func (l connListener) Accept() (net.Conn, error) {
	for {
		accepted, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		c := &conn{Conn: accepted, transport: accepted, conns: l.conns}
		if encrypted, ok := accepted.(*tls.Conn); ok {
			c.transport = encrypted.NetConn()
		}
		if l.conns.add(c) {
			return c, nil
		}
		c.transport.Close()
	}
}

// isFar reports whether the connection may come from another machine: it came to the listener with
// TLS.
func (c *conn) isFar() bool { return c.transport != c.Conn }

// add adds a connection. It returns false if there is no room, or the server is shutting down. If
// limits.conns is reached, it closes another connection. This is the oldest one that has not sent the
// secret, preferably from another machine, or else the oldest one without a call. If all have a call,
// there is no room.
//
// It closes the transport of that connection. Then the pending read of net/http fails, and net/http
// ends the connection in its own goroutine. Closing the TLS connection instead would wait until the
// client reads a last message.
func (cs *conns) add(c *conn) bool {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	if cs.ending {
		return false
	}
	if len(cs.open) >= cs.limits.conns {
		i := slices.IndexFunc(cs.open, func(c *conn) bool { return !c.trusted.Load() && c.isFar() })
		if i < 0 {
			i = slices.IndexFunc(cs.open, func(c *conn) bool { return !c.trusted.Load() })
		}
		if i < 0 {
			i = slices.IndexFunc(cs.open, func(c *conn) bool { return !c.calling.Load() })
		}
		if i < 0 {
			return false
		}
		cs.open[i].transport.Close()
		cs.open = slices.Delete(cs.open, i, i+1)
	}
	cs.open = append(cs.open, c)
	return true
}

// closeIdle closes the connections without a call. The others close when their call ends. It is called
// when the server shuts down, because http.Server.Shutdown would wait for a client that has sent
// nothing, or half a request. It sets the flag closing, so that connections are not drained: that
// could take limits.drain.
func (cs *conns) closeIdle() {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	cs.ending = true
	for _, c := range cs.open {
		c.closing.Store(true)
		if !c.calling.Load() {
			c.transport.Close()
		}
	}
}

// idleFor returns how long there has been no connection; 0 while there is one.
func (cs *conns) idleFor() time.Duration {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	if len(cs.open) > 0 {
		return 0
	}
	return time.Since(cs.emptied)
}

// Close closes the connection. Package net/http calls it, sometimes in the middle of a request, when
// the answer was sent before the whole request was read. The reason is that the body is too large, or
// that the answer has the header Connection: close. In that case, Close first lets the client read
// the answer, see drain.
func (c *conn) Close() error {
	c.calling.Store(false)
	if !c.closing.Swap(true) && c.inRequest.Load() {
		c.drain()
	}
	c.conns.remove(c)
	return c.Conn.Close()
}

// remove removes a connection from the list. It sets emptied at each removal; idleFor uses it only
// when no connection is left.
func (cs *conns) remove(c *conn) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	cs.open = slices.DeleteFunc(cs.open, func(other *conn) bool { return other == c })
	cs.emptied = time.Now()
}

// drain reads the rest of a request that was answered before its end, and returns when the client
// closes the connection. Without it, the system would reset the connection, since data are unread. A
// client that is still sending would then fail without having read the answer. Before it reads, drain
// closes this side of the connection (FIN), which tells the client that the answer is complete.
// Package net/http does the same, but waits only half a second. That is too short for a client that
// is sending a large file.
func (c *conn) drain() {
	c.CloseWrite()
	c.SetReadDeadline(time.Now().Add(c.conns.limits.drain))
	io.Copy(io.Discard, c.Conn)
}

// CloseWrite closes the side of the connection on which the response is sent. net/http also calls it.
// TCP, TLS and Unix connections have this method.
func (c *conn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// Read reads from the client, and checks the framing of the requests. On a TLS connection, the first
// read makes the handshake. So net/http's time limit for the head also covers the handshake. HTTP/2 is
// not offered, since framing cannot check it.
func (c *conn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if _, ok := errors.AsType[tls.RecordHeaderError](err); ok {
		c.plain.Store(true)
	}
	if !c.upgraded.Load() {
		c.framing.see(b[:n])
	}
	return n, err
}

// upgrade is called before the answer that makes the connection a WebSocket. From then on, the bytes
// of the client are not checked as HTTP. So if the answer refuses the WebSocket, it must close the
// connection.
func (c *conn) upgrade() { c.upgraded.Store(true) }

// beginAnswer is called when the handler gets a request. It returns why the framing of the request is
// refused, or "".
func (c *conn) beginAnswer() (why string) {
	c.answering.Store(true)
	c.requests++
	return c.framing.faultOf(c.requests)
}

// beginCall is called when the [door] has admitted a request. The call ends when its response is
// complete (see trackState), and not when its handler returns. After the handler has returned,
// net/http still writes the last piece of a stream.
func (c *conn) beginCall() {
	c.trusted.Store(true)
	c.calling.Store(true)
}

// connKey is the key of the connection in the context of a request. A handler cannot get its
// connection in another way.
type connKey struct{}

func withConn(ctx context.Context, nc net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, nc)
}

// connOf returns the connection of a request.
func connOf(r *http.Request) *conn { return r.Context().Value(connKey{}).(*conn) }

// trackState is net/http's ConnState hook. It records whether a connection is in the middle of a
// request: from the first byte of a request until its response is complete. A connection that closes
// right after a response never becomes idle, so it counts as active, and is drained. The call of a
// WebSocket (hijacked connection) lasts until the connection closes.
func trackState(nc net.Conn, state http.ConnState) {
	if c, ok := nc.(*conn); ok {
		c.inRequest.Store(state == http.StateActive)
		takenOver := state == http.StateHijacked
		c.answering.Store(takenOver)
		c.calling.Store(takenOver)
	}
}
