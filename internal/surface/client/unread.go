package client

import (
	"errors"
	"net"
	"sync"
	"syscall"
)

// An unreadError means that the server ended before it had read the whole request. So the request had
// no effect.
type unreadError struct{ err error }

func (e *unreadError) Error() string { return e.err.Error() }
func (e *unreadError) Unwrap() error { return e.err }

// A unixConn is a connection to the Unix socket of a server. If it breaks and the server has certainly
// not read the whole request, the error is an *unreadError. That happens when the server is killed:
// its socket accepts connections until the last thread of the process has ended, but nobody reads.
type unixConn struct {
	net.Conn
	answered bool // the server has sent something; only Read uses it

	mu   sync.Mutex // held while data are sent; guards the rest
	sent bool       // the last Write has sent all its data
}

func (c *unixConn) Write(data []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n, err := c.Conn.Write(data)
	c.sent = err == nil
	return n, unread(err)
}

// Read also returns an *unreadError if the connection ends before Write could send all data. To know
// whether it could, Read waits for a Write that is under way.
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

// unread makes an *unreadError of the two errors that mean that the other end has not read everything.
// ECONNRESET means that the other end of a Unix socket closed without reading all that was sent. EPIPE
// means that it closed before all could be sent. Other errors are returned unchanged.
func unread(err error) error {
	if errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) {
		return &unreadError{err}
	}
	return err
}
