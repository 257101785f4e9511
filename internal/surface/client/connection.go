package client

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/textproto"
	"sync"

	"chela/internal/base/listener"
	"chela/internal/op"
)

// do sends a request and reads the head of the response. Each request has a connection of its own,
// which ends when the body of the response is closed. Redirects are not followed, and proxies that
// the environment names are not used.
//
// The transport reads in a goroutine of its own, which may still run for a moment after the call was
// cancelled. So do makes sure that no progress is reported after it has returned.
func (c *Client) do(req *http.Request) (*http.Response, error) {
	c.introduce(req)
	var mu sync.Mutex // held during a report; guards the variables below
	ended := false
	defer func() {
		mu.Lock()
		defer mu.Unlock()
		ended = true
	}()
	ctx := httptrace.WithClientTrace(req.Context(), &httptrace.ClientTrace{
		Got1xxResponse: func(_ int, header textproto.MIMEHeader) error {
			mu.Lock()
			defer mu.Unlock()
			if !ended {
				reportProgress(req.Context(), http.Header(header))
			}
			return nil
		},
	})
	return c.transport.RoundTrip(req.WithContext(ctx))
}

// introduce adds headers to a request: the name of the caller, the session, and the secret.
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

// reportProgress reports the progress of a call to its caller, if the header of a response contains
// it.
func reportProgress(ctx context.Context, header http.Header) {
	var p op.ProgressReport
	if json.Unmarshal([]byte(header.Get(op.ProgressHeader)), &p) == nil {
		op.Progress(ctx, p.Done, p.Total, p.Doing)
	}
}

// newTransport returns the transport that sends the requests of a client. The default transport of
// net/http would use proxies that the environment names.
func (c *Client) newTransport() *http.Transport {
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) { return c.dial(ctx) }
	return &http.Transport{DialContext: dial, DialTLSContext: dial, DisableKeepAlives: true, DisableCompression: true}
}

// dial connects to the server, and not to a proxy that the environment names. If nobody listens
// there, the error is a *net.OpError whose Op is dial. If the server's certificate is not trusted,
// or the server runs as an untrusted user, the error is a *handshakeError.
func (c *Client) dial(ctx context.Context) (conn net.Conn, err error) {
	var d net.Dialer
	for _, address := range c.addresses() {
		if conn, err = d.DialContext(ctx, c.network, address); err == nil {
			break
		}
	}
	if err != nil {
		return nil, err
	}
	if c.network == "unix" {
		return &unixConn{Conn: conn}, nil
	}
	if c.tls == nil { // the server is on this machine, see ParseOrigin
		if err := listener.Check(conn); err != nil {
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
