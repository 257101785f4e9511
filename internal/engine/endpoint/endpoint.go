// Package endpoint connects to the DevTools protocol of a running browser by a URL that its user
// has given. The URL may name a debugging port, the WebSocket itself, or a service that rents
// browsers. It may contain a name and password, and a token in its query. These are sent to its
// host only, and appear in no error.
package endpoint

import (
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"chela/internal/base/certificate"
	"chela/internal/engine/cdp"
	"chela/internal/wall/guard"
)

// An Endpoint is a URL at which a running browser can be driven by the DevTools protocol.
type Endpoint struct {
	URL string // http, https, ws or wss

	Probe     time.Duration // how long the request for the address of the WebSocket may take
	Handshake time.Duration // how long each attempt to open the WebSocket may take; 0: 5 s, then 7, then 9

	// Dial opens network connections. If it is nil, they go to any address of the URL's host.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)

	// Pin is the fingerprint of the server's certificate, which may then be self-signed. If it is
	// zero, the system must trust the certificate for the host's name.
	Pin certificate.Fingerprint

	// AllowOtherServer says that the WebSocket may be on another host or port than the URL. Such a
	// server gets none of the secrets of the URL.
	AllowOtherServer bool
}

// ErrOtherServer says that an endpoint names a WebSocket on another host or port than its own.
var ErrOtherServer = errors.New("the endpoint leads to another address")

// ErrNoWebSocket says that an endpoint has answered, but not with the address of a WebSocket.
var ErrNoWebSocket = errors.New("what answers is no debugging port")

// A StatusError is an HTTP response whose status is not 200.
type StatusError struct{ Status int }

func (e *StatusError) Error() string {
	return fmt.Sprintf("it answered %d %s", e.Status, http.StatusText(e.Status))
}

// StatusOf returns the HTTP status in an error of an endpoint, or 0 if it has none. It is the
// status of a request's response, or of the WebSocket's handshake.
func StatusOf(err error) int {
	if answer, ok := errors.AsType[*StatusError](err); ok {
		return answer.Status
	}
	if handshake, ok := errors.AsType[*cdp.HandshakeError](err); ok {
		return handshake.Status
	}
	return 0
}

// The WebSocket is opened in up to three attempts. A browser that has just been started, or a
// service that starts one for each connection, may need more than one.
const (
	tries     = 3
	firstTime = 5 * time.Second        // time for the first handshake
	moreTime  = 2 * time.Second        // how much longer each later attempt may take
	pauseTime = 250 * time.Millisecond // the wait before the second attempt; twice as long before the third
)

// Open opens the WebSocket. Errors are a [*guard.Refused] from Dial, [ErrOtherServer],
// [ErrNoWebSocket], a [*StatusError], a [*cdp.HandshakeError], the cause of ctx, and those of the
// network.
func (e Endpoint) Open(ctx context.Context) (cdp.Transport, error) {
	for n := 1; ; n++ {
		transport, err := e.try(ctx, n)
		if err == nil || n == tries || isFinal(err) {
			return transport, err
		}
		select {
		case <-time.After(time.Duration(n) * pauseTime):
		case <-ctx.Done():
			return nil, err
		}
	}
}

// isFinal reports whether another attempt would have the same result: the server has refused the
// caller or the request.
func isFinal(err error) bool {
	status := StatusOf(err)
	_, refused := errors.AsType[*guard.Refused](err)
	_, pinned := errors.AsType[*certificate.PinError](err)
	_, untrusted := certificate.Refused(err)
	return refused || pinned || untrusted || errors.Is(err, ErrOtherServer) || errors.Is(err, ErrNoWebSocket) ||
		status >= 300 && status < 500 && status != http.StatusRequestTimeout && status != http.StatusTooManyRequests
}

func (e Endpoint) tls() *tls.Config { return certificate.Trusting("", e.Pin) }

func (e Endpoint) try(ctx context.Context, n int) (cdp.Transport, error) {
	at, err := e.find(ctx)
	if err != nil {
		return nil, err
	}
	limit := e.Handshake
	if limit == 0 {
		limit = firstTime + time.Duration(n-1)*moreTime
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return cdp.Dial(ctx, at.url.String(), cdp.DialOptions{Header: at.header(), Host: at.host, TLS: e.tls(), DialContext: e.Dial})
}

// An address says where, and with which headers, a request or the handshake of a WebSocket is sent.
type address struct {
	url   *url.URL
	login *url.Userinfo // nil: none
	host  string        // value of the Host header; "": the host of the URL
}

// header returns the name and password of the URL as an Authorization header.
func (a address) header() http.Header {
	h := http.Header{}
	if a.login != nil {
		password, _ := a.login.Password()
		h.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(a.login.Username()+":"+password)))
	}
	return h
}

// find returns the address of the WebSocket. A URL with the path of a WebSocket is itself the
// address. The server of any other URL is asked for the address. If that fails for a ws or wss URL,
// the URL counts as the address, because some services have nothing but a WebSocket.
func (e Endpoint) find(ctx context.Context) (address, error) {
	own, err := e.own()
	if err != nil {
		return address{}, err
	}
	if strings.Contains(own.url.Path, "/devtools/") {
		return own, nil
	}
	found, err := e.ask(ctx, own)
	if err != nil && isWebSocket(own.url) {
		if _, refused := errors.AsType[*guard.Refused](err); !refused && !errors.Is(err, ErrOtherServer) {
			return own, nil
		}
	}
	return found, err
}

// own returns the endpoint's URL as an address, with the name and password taken out of the URL.
func (e Endpoint) own() (address, error) {
	u, err := url.Parse(e.URL)
	if err != nil {
		return address{}, ErrNoWebSocket // the error of url.Parse has the URL, which may have secrets
	}
	login := u.User
	u.User, u.Fragment = nil, ""
	return address{url: u, login: login}, nil
}

func isWebSocket(u *url.URL) bool { return u.Scheme == "ws" || u.Scheme == "wss" }
