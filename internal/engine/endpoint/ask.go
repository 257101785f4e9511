package endpoint

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"chela/internal/base/hosts"
	"chela/internal/engine/cdp"
)

// maxAnswer limits how many bytes of an endpoint's response are read.
const maxAnswer = 64 << 10

// Version is what an endpoint reports about its browser.
type Version struct {
	Browser string // product and version, as in Chrome/156.0.1.2

	webSocket string
}

// Version asks the endpoint for the version of its browser, without opening a WebSocket. The
// version is empty if the server of a WebSocket URL does not support this request. Errors are the
// same as for [Endpoint.Open].
func (e Endpoint) Version(ctx context.Context) (Version, error) {
	own, err := e.own()
	if err != nil {
		return Version{}, err
	}
	own.url.Path, _, _ = strings.Cut(own.url.Path, "/devtools/") // a path from /devtools/ on names one browser or tab
	v, _, err := e.version(ctx, own)
	if isWebSocket(own.url) && onlyWebSocket(err) {
		return Version{}, nil
	}
	return v, err
}

// onlyWebSocket reports whether a server has responded and accepted the caller, but does not
// support requests about its browser.
func onlyWebSocket(err error) bool {
	if answer, ok := errors.AsType[*StatusError](err); ok {
		return answer.Status != http.StatusUnauthorized && answer.Status != http.StatusForbidden
	}
	return errors.Is(err, ErrNoWebSocket)
}

// ask asks the endpoint for the address of its WebSocket.
func (e Endpoint) ask(ctx context.Context, own address) (address, error) {
	v, host, err := e.version(ctx, own)
	if err != nil {
		return address{}, err
	}
	ws, err := url.Parse(v.webSocket)
	if err != nil || !isWebSocket(ws) {
		return address{}, ErrNoWebSocket
	}
	ws = completeURL(ws, own.url)
	found := address{url: ws}
	switch {
	case sameServer(ws, own.url):
		found.login, found.host = own.login, host
	case !e.AllowOtherServer:
		return address{}, ErrOtherServer
	}
	if ws.User != nil {
		found.login, ws.User = ws.User, nil
	}
	return found, nil
}

// version requests /json/version below the URL. Chromium answers only if the request's Host header
// is an IP address or localhost: it refuses other names as protection against DNS rebinding. A
// browser in a container may have another name, so the request is repeated with localhost. The
// result host is the value of the Host header for later requests; "": the host of the URL.
func (e Endpoint) version(ctx context.Context, own address) (v Version, host string, err error) {
	ctx, cancel := context.WithTimeout(ctx, e.Probe)
	defer cancel()
	u := *own.url
	u.Scheme = httpScheme(&u)
	u.Path = strings.TrimSuffix(u.Path, "/") + "/json/version"
	v, err = e.get(ctx, u.String(), own)
	if answer, ok := errors.AsType[*StatusError](err); ok && answer.Status == http.StatusInternalServerError && !isAddress(u.Hostname()) {
		own.host = "localhost"
		v, err = e.get(ctx, u.String(), own)
	}
	return v, own.host, err
}

func (e Endpoint) get(ctx context.Context, url string, own address) (v Version, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return v, ErrNoWebSocket
	}
	req.Header, req.Host = own.header(), own.host
	res, err := cdp.Client(e.Dial, e.tls()).Do(req)
	if err != nil {
		return v, cdp.WithoutURL(err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return v, &StatusError{res.StatusCode}
	}
	var out struct {
		Browser   string `json:"Browser"`
		WebSocket string `json:"webSocketDebuggerUrl"`
	}
	raw, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	if err != nil {
		return v, err
	}
	if json.Unmarshal(raw, &out) != nil || out.Browser == "" && out.WebSocket == "" {
		return v, ErrNoWebSocket
	}
	return Version{out.Browser, out.WebSocket}, nil
}

// completeURL returns the URL of the WebSocket as it can be reached from here. The parameter asked
// is the URL of the request that returned ws. If ws names localhost or 0.0.0.0 and asked another
// machine, the result has the host of asked. If the request was encrypted, so is the WebSocket. If
// both are at the same server, the query of asked is added, which may have a token.
func completeURL(ws, asked *url.URL) *url.URL {
	switch {
	case !isThisMachine(ws.Hostname()):
	case !hosts.IsLoopback(asked.Hostname()):
		ws.Host = asked.Host
	case !hosts.IsLoopback(ws.Hostname()): // asked is on this machine as well; its port may be another one
		ws.Host = net.JoinHostPort(asked.Hostname(), cmp.Or(ws.Port(), portOf(asked)))
	}
	if httpScheme(asked) == "https" {
		ws.Scheme = "wss"
	}
	switch {
	case !sameServer(ws, asked):
		return ws
	case ws.RawQuery == "":
		ws.RawQuery = asked.RawQuery
		return ws
	}
	query := ws.Query()
	for key, values := range asked.Query() {
		if !query.Has(key) {
			query[key] = values
		}
	}
	ws.RawQuery = query.Encode()
	return ws
}

// isThisMachine reports whether a host name means the machine that uses it: localhost, a loopback
// address, or 0.0.0.0.
func isThisMachine(host string) bool {
	ip, err := netip.ParseAddr(host)
	return hosts.IsLoopback(host) || err == nil && ip.IsUnspecified()
}

// sameServer reports whether the WebSocket is at the server that was asked. On this machine the
// port may differ, since any server here was started by its user.
func sameServer(ws, asked *url.URL) bool {
	if hosts.IsLoopback(asked.Hostname()) && hosts.IsLoopback(ws.Hostname()) {
		return true
	}
	return strings.EqualFold(ws.Hostname(), asked.Hostname()) && portOf(ws) == portOf(asked) &&
		(httpScheme(ws) == "https" || httpScheme(asked) == "http")
}

func portOf(u *url.URL) string {
	if port := u.Port(); port != "" {
		return port
	}
	return map[string]string{"http": "80", "https": "443"}[httpScheme(u)]
}

// httpScheme returns the scheme for an HTTP request to the server of a URL, which may be the URL of
// a WebSocket.
func httpScheme(u *url.URL) string {
	if u.Scheme == "https" || u.Scheme == "wss" {
		return "https"
	}
	return "http"
}

// isAddress reports whether Chromium accepts a name in the Host header: an IP address or localhost.
func isAddress(host string) bool {
	return net.ParseIP(host) != nil || hosts.IsLoopback(host)
}
