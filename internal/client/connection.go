package client

import (
	"bufio"
	"cmp"
	"context"
	"io"
	"net"
	"net/http"
)

// do sends a request and reads the head of its answer. Each call has a
// connection of its own, and takes place where it was made: net/http's client,
// with its pool and goroutines, costs a command of one call more than the call.
func (c *Client) do(req *http.Request) (*http.Response, error) {
	var d net.Dialer
	conn, err := d.DialContext(req.Context(), "unix", c.socket)
	if err != nil {
		return nil, err
	}
	cut := context.AfterFunc(req.Context(), func() { conn.Close() })
	sent := req.Write(conn)
	if sent != nil { // a server may answer before it has read all; it shall not wait for the rest
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

// answerBody is an answer. When it has been read, its connection ends, or is held.
type answerBody struct {
	io.ReadCloser
	client *Client
	conn   net.Conn
	cut    func() bool
}

func (b answerBody) Close() error {
	if !b.cut() { // the connection is closed already
		return nil
	}
	return b.client.drop(b.conn)
}

// Hold has the client keep the connection of its last call open until release,
// so that its server knows that there is somebody.
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

// drop closes the connection of a call; a client that holds it closes that of
// the call before.
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
