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

// conns has all connections to a server, at most limits.conns. If there are too many, a connection
// without an admitted call is closed, so slow or silent clients cannot keep others out. By conns,
// the server also knows whether it is in use. A server that was started in the background ends some
// time after the last connection was closed.
type conns struct {
	limits

	mu      sync.Mutex // guards the rest
	open    []*conn    // open connections, in the order in which they were accepted
	emptied time.Time  // when the last connection was closed
	ending  bool       // no further connection is accepted
}

// A conn is one connection. Its flags are set by the handler, by net/http's ConnState and by the
// server's end.
type conn struct {
	net.Conn
	transport net.Conn // the connection below TLS; the same as Conn if there is none
	conns     *conns
	framing   framing
	requests  int // number of requests that the handler has got; only the handler uses this field

	// The flags are atomic, since net/http reads and closes a connection in other goroutines than
	// the handler's. They are not one state: a request may be in progress (inRequest) that is not
	// admitted yet (calling), for example one that is sent slowly.
	trusted   atomic.Bool // the door has let in a request before
	calling   atomic.Bool // a request that the door let in has not been answered to its end
	inRequest atomic.Bool // a request has begun, and its response has not ended
	answering atomic.Bool // the handler has got the request, so it sends the answer, not net/http
	plain     atomic.Bool // the client does not use TLS, although it must here
	upgraded  atomic.Bool // what follows is not HTTP
	closing   atomic.Bool
}

// listener returns l, but with its connections counted. The time without connections begins now,
// although none was closed yet.
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

// Accept returns the next connection. A connection for which there is no room is closed. Its client
// sees a reset; waiting for room instead would leave all further clients without an answer.
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

// add adds a connection. It returns false if there is no room, or the server is ending. If
// limits.conns is reached, it closes the oldest connection that has not sent the secret, other
// machines' connections first. If there is none, it closes the oldest connection without a call. If
// all have a call, there is no room. It closes the connection below net/http, whose pending read
// then fails, so that net/http ends the connection in its own goroutine. It also closes it below
// TLS, which would wait until the client reads its last message.
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

// closeIdle closes the connections without an admitted call; the others close when their call ends.
// It is called at the end of the server: http.Server.Shutdown would wait for a client that has sent
// nothing, or half a request. It sets the flag closing, so that connections are not drained, which
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

// Close closes the connection. It is called by net/http, also in the middle of a request, after an
// answer that was given before the whole request was read. Such an answer is "too large", or has
// the header Connection: close. Then Close first lets the client read the answer, see drain.
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
// closes the connection. A connection that is closed with data unread is reset, and a client that
// is still sending then fails without having read the answer. First, drain ends this side of the
// connection (FIN), by which the client knows that the answer is complete. The server in net/http
// does the same, but waits only half a second. That is too short for a client that is still sending
// a large file.
func (c *conn) drain() {
	c.CloseWrite()
	c.SetReadDeadline(time.Now().Add(c.conns.limits.drain))
	io.Copy(io.Discard, c.Conn)
}

// CloseWrite ends the response; it is also called by net/http. All kinds of connections, TCP, TLS
// and Unix, have it; without it, the end of the response is the end of the connection.
func (c *conn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// Read reads what the client sends, and checks the framing of its requests. The first read does the
// TLS handshake. net/http does not know that, so its limit for the head also covers the handshake.
// HTTP/2 is not offered, since framing does not check it.
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

// upgrade is called before the answer by which the connection becomes a WebSocket. What the client
// sends after that answer is not HTTP. If the answer is another one, it must close the connection.
func (c *conn) upgrade() { c.upgraded.Store(true) }

// beginAnswer is called when the handler has got a request. It returns why the request is refused,
// or "".
func (c *conn) beginAnswer() (why string) {
	c.answering.Store(true)
	c.requests++
	return c.framing.faultOf(c.requests)
}

// beginCall is called when the [door] has let a request in. The call ends when its response is
// complete, and not when its handler returns: net/http writes the last piece of a stream after
// that. See trackState.
func (c *conn) beginCall() {
	c.trusted.Store(true)
	c.calling.Store(true)
}

// connKey is the key of the connection in the context of a request. A handler has no other way to
// the connection.
type connKey struct{}

func withConn(ctx context.Context, nc net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, nc)
}

// connOf returns the connection of a request.
func connOf(r *http.Request) *conn { return r.Context().Value(connKey{}).(*conn) }

// trackState records whether a connection is in the middle of a request. A connection is active
// from the first byte of a request until its response is complete. A connection that closes right
// after a response never becomes idle, so it counts as active, and is drained. The call of a
// connection that was taken over for a WebSocket lasts until it closes.
func trackState(nc net.Conn, state http.ConnState) {
	if c, ok := nc.(*conn); ok {
		c.inRequest.Store(state == http.StateActive)
		takenOver := state == http.StateHijacked
		c.answering.Store(takenOver)
		c.calling.Store(takenOver)
	}
}
