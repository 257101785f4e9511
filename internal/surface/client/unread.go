package client

import (
	"errors"
	"net"
	"sync"
	"syscall"
)

// An unreadError means that the server has ended before it had read the whole request. So the
// server has done no part of the request.
type unreadError struct{ err error }

func (e *unreadError) Error() string { return e.err.Error() }
func (e *unreadError) Unwrap() error { return e.err }

// A unixConn is a connection to the Unix socket of a server. If it breaks and the server has
// certainly not read the request, the error is an *unreadError. A process that was killed leaves
// such connections: its socket takes new ones until the last of its threads has ended.
type unixConn struct {
	net.Conn
	answered bool // the server has sent something; only Read uses it

	mu   sync.Mutex // held while data are sent; guards the rest
	sent bool       // all data that were to be sent have been sent
}

func (c *unixConn) Write(data []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n, err := c.Conn.Write(data)
	c.sent = err == nil
	return n, unread(err)
}

// Read returns an *unreadError even if the connection ends before all data could be sent. To know
// whether they were, it waits until a Write that is under way has failed or ended.
func (c *unixConn) Read(data []byte) (int, error) {
	n, err := c.Conn.Read(data)
	c.answered = c.answered || n > 0
	if err == nil || c.answered {
		return n, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.sent {
		return n, &unreadError{err}
	}
	return n, unread(err)
}

// unread turns the error of a connection that broke into an *unreadError. It returns other errors
// as they are. A Unix socket is reset when the other end closes without having read all that was
// sent. A pipe is broken when not all could be sent.
func unread(err error) error {
	if errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) {
		return &unreadError{err}
	}
	return err
}
