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
	// A server may answer before it has read all.
	resp, err := http.ReadResponse(bufio.NewReader(conn), req)
	if err != nil {
		cut()
		conn.Close()
		return nil, cmp.Or(sent, err)
	}
	resp.Body = answerBody{resp.Body, conn, cut}
	return resp, nil
}

// answerBody ends the connection when the answer has been read.
type answerBody struct {
	io.ReadCloser
	conn net.Conn
	cut  func() bool
}

func (b answerBody) Close() error {
	b.cut()
	return b.conn.Close()
}
