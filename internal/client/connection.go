package client

import (
	"bufio"
	"cmp"
	"context"
	"io"
	"net"
	"net/http"
)

// do sends a request and reads the head of the response. Each call has a connection
// of its own, and no goroutines: the client of net/http, with its pool of
// connections, would take a command longer than the call itself.
func (c *Client) do(req *http.Request) (*http.Response, error) {
	var d net.Dialer
	conn, err := d.DialContext(req.Context(), "unix", c.socket)
	if err != nil {
		return nil, err
	}
	cut := context.AfterFunc(req.Context(), func() { conn.Close() })
	sent := req.Write(conn)
	if sent != nil { // the server may have answered before it had read all: read that answer
		conn.(*net.UnixConn).CloseWrite()
	}
	resp, err := http.ReadResponse(bufio.NewReader(conn), req)
	if err != nil {
		cut()
		conn.Close()
		return nil, cmp.Or(sent, err)
	}
	resp.Body = answerBody{resp.Body, c, conn, cut}
	return resp, nil
}

// answerBody is the body of a response. Close also closes the connection, or holds it.
type answerBody struct {
	io.ReadCloser
	client *Client
	conn   net.Conn
	cut    func() bool // keeps the end of the context from closing the connection; false: it has
}

// Close is called when the response has been read, or will not be read further.
func (b answerBody) Close() error {
	if !b.cut() { // the connection is closed already
		return nil
	}
	return b.client.drop(b.conn)
}

// Hold makes the client keep the connection of its last call open until release, so
// that the server does not end as idle.
func (c *Client) Hold() (release func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.holds = true
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.holds = false; c.held != nil {
			c.held.Close()
		}
	}
}

// drop is called with the connection of a call that is over. It closes it, or, in a
// client that holds connections, the one of the call before.
func (c *Client) drop(conn net.Conn) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.holds {
		conn, c.held = c.held, conn
	}
	if conn == nil {
		return nil
	}
	return conn.Close()
}
