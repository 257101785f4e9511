package client

import (
	"bufio"
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"syscall"

	"chela/internal/op"
)

// do sends a request and reads the head of the response. Closing the body of the
// response closes the connection.
//
// It writes HTTP/1.1 on a connection of its own and needs no goroutines. The client
// of net/http, with its pool of connections and a goroutine for each direction, would
// take a command longer than the call itself. For the same reason the end of the
// context closes the connection, which makes a pending read or write fail: there is
// no other way to interrupt them. The error is then one of a closed connection, and
// [unanswered] looks at the context to say why.
func (c *Client) do(req *http.Request) (*http.Response, error) {
	c.introduce(req)
	conn, err := c.dial(req.Context())
	if err != nil {
		return nil, err
	}
	cut := context.AfterFunc(req.Context(), func() { conn.Close() })
	sent := req.Write(conn)
	if sent != nil { // the server may have answered before it had read all: read that answer
		conn.(interface{ CloseWrite() error }).CloseWrite()
	}
	in := bufio.NewReader(conn)
	resp, err := http.ReadResponse(in, req)
	for err == nil && resp.StatusCode == http.StatusProcessing {
		reportProgress(req.Context(), resp)
		resp, err = http.ReadResponse(in, req)
	}
	if err != nil {
		cut()
		conn.Close()
		return nil, c.unread(cmp.Or(sent, err))
	}
	resp.Body = answerBody{resp.Body, conn, cut}
	return resp, nil
}

// unread makes the error of a connection that broke before an answer came an *unreadError, if
// that is certain. A Unix socket is reset when the other end closes without having read all
// that was sent, and a pipe is broken when not all could be sent. A process that was killed
// leaves such connections: its socket takes new ones until the last of its threads has ended.
func (c *Client) unread(err error) error {
	if c.network == "unix" && (errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)) {
		return &unreadError{err}
	}
	return err
}

// An unreadError means that the server has ended without having read the whole request, so it has
// done nothing of it.
type unreadError struct{ err error }

func (e *unreadError) Error() string { return e.err.Error() }
func (e *unreadError) Unwrap() error { return e.err }

// introduce adds to a request who calls, in which session, and the secret.
func (c *Client) introduce(req *http.Request) {
	set := func(name, value string) {
		if value != "" {
			req.Header.Set(name, value)
		}
	}
	set(op.CallerHeader, op.Caller(req.Context()))
	set(op.SessionHeader, op.Session(req.Context()))
	set(op.SurfaceHeader, string(op.SurfaceOf(req.Context())))
	if c.Progress && op.WantsProgress(req.Context()) {
		set(op.ProgressHeader, "1")
	}
	set("X-Chela-Password", c.secret.Password)
	if c.secret.Token != "" {
		set("Authorization", "Bearer "+c.secret.Token)
	}
}

// reportProgress reports what a response says of the progress of a call.
func reportProgress(ctx context.Context, resp *http.Response) {
	var p op.ProgressReport
	if json.Unmarshal([]byte(resp.Header.Get(op.ProgressHeader)), &p) == nil {
		op.Progress(ctx, p.Done, p.Total, p.Doing)
	}
}

// dial connects to the server, and not to a proxy that the environment names. Errors are a
// *net.OpError whose Op is dial if nobody listens there, and a *handshakeError.
func (c *Client) dial(ctx context.Context) (conn net.Conn, err error) {
	var d net.Dialer
	for _, address := range c.addresses() {
		if conn, err = d.DialContext(ctx, c.network, address); err == nil {
			break
		}
	}
	if err != nil || c.network == "unix" {
		return conn, err
	}
	if c.tls == nil { // the server is on this machine, see ParseOrigin
		if err := checkListener(conn); err != nil {
			conn.Close()
			return nil, &handshakeError{err}
		}
		return conn, nil
	}
	encrypted := tls.Client(conn, c.tls)
	if err := encrypted.HandshakeContext(ctx); err != nil {
		conn.Close()
		return nil, &handshakeError{err}
	}
	return encrypted, nil
}

// answerBody is the body of a response. Close also closes the connection.
type answerBody struct {
	io.ReadCloser
	conn net.Conn
	cut  func() bool // keeps the end of the context from closing the connection; false: it has
}

// Close is called when the response has been read, or will not be read further. The
// rest of the body is not read: the connection is not used for another request.
func (b answerBody) Close() error {
	if !b.cut() { // the connection is closed already
		return nil
	}
	return b.conn.Close()
}
