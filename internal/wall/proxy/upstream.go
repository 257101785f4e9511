package proxy

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/base64"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/proxy"

	"chela/internal/base/hosts"
	"chela/internal/wall/guard"
)

// ParseUpstream reads the URL of a proxy: http, https or socks5, with a user name and
// password if it wants them. Without a scheme it is http, as for Chromium.
func ParseUpstream(text string) (*url.URL, error) {
	if !strings.Contains(text, "://") {
		text = "http://" + text
	}
	u, err := url.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("the URL of the proxy cannot be read") // the error of url.Parse would show the password in the URL
	}
	u.Scheme = strings.Replace(u.Scheme, "socks5h", "socks5", 1) // the proxy resolves names with both schemes
	standard, ok := map[string]string{"http": "80", "https": "443", "socks5": "1080"}[u.Scheme]
	_, host := hosts.Parse(u.Hostname())
	switch {
	case !ok:
		return nil, fmt.Errorf("a proxy cannot be %s: give http, https or socks5", u.Scheme)
	case !host || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "":
		return nil, fmt.Errorf("the URL of the proxy must be a scheme, a host and a port")
	case u.Port() == "":
		u.Host = net.JoinHostPort(u.Hostname(), standard)
	}
	return u, nil
}

// An UpstreamError says that the proxy upstream has not made a connection. Status is the status
// that an HTTP proxy has answered. It is 0 if the proxy could not be asked, or is not an HTTP
// proxy.
type UpstreamError struct {
	Status int
	Err    error
}

func (e *UpstreamError) Error() string {
	if e.Status != 0 {
		return fmt.Sprintf("the upstream proxy answered %d %s", e.Status, http.StatusText(e.Status))
	}
	return fmt.Sprintf("the upstream proxy: %v", e.Err)
}

func (e *UpstreamError) Unwrap() error { return e.Err }

// connectUpstream lets the proxy upstream connect to a target, and returns that connection. The
// proxy upstream resolves the name, so it decides which address it connects to. The policy judges
// only what chela knows. Errors are a [*guard.Refused] and an [*UpstreamError].
func (d *dialer) connectUpstream(ctx context.Context, to target) (*tunnel, error) {
	if err := d.judgeUpstream(ctx, to); err != nil {
		return nil, err
	}
	dial := d.dialSOCKS
	if d.options.Upstream.Scheme != "socks5" {
		dial = d.dialHTTP
	}
	server, err := dial(ctx, hostPort(to))
	if err != nil {
		return nil, err
	}
	return &tunnel{server: server, to: to}, nil
}

// judgeUpstream returns a [*guard.Refused] if a target must not be given to the proxy upstream, and
// otherwise nil. A name that chela can resolve must not lead to an address that is not allowed. A
// name that it cannot resolve is left to the proxy: in many networks only it can resolve names. The
// proxy may get another answer, possibly this machine, so chela's own ports are refused for all
// hosts. If the policy allows all addresses, the name is resolved for a later policy only, so nobody
// waits for it.
func (d *dialer) judgeUpstream(ctx context.Context, to target) error {
	policy := d.policy()
	if d.options.Ports.has(to.port) {
		return &guard.Refused{Rule: guard.OwnPort, Host: to.host}
	}
	if refused := policy.CheckHost(to.host); refused != nil {
		return refused
	}
	addrs := withoutDNS(to.host)
	switch {
	case addrs != nil:
	case policy.ChecksAddrs():
		addrs = d.names.lookupBriefly(ctx, to.host.String())
	default:
		d.names.ask(to.host.String())
	}
	if refused := policy.CheckAddrs(to.host, addrs); refused != nil {
		return refused
	}
	return nil
}

func hostPort(to target) string {
	return net.JoinHostPort(to.host.String(), strconv.Itoa(int(to.port)))
}

func (d *dialer) dialSOCKS(ctx context.Context, to string) (net.Conn, error) {
	var auth *proxy.Auth
	if user := d.options.Upstream.User; user != nil {
		password, _ := user.Password()
		auth = &proxy.Auth{User: user.Username(), Password: password}
	}
	dialer, err := proxy.SOCKS5("tcp", d.options.Upstream.Host, auth, &net.Dialer{})
	if err != nil {
		return nil, &UpstreamError{Err: err}
	}
	conn, err := dialer.(proxy.ContextDialer).DialContext(ctx, "tcp", to)
	if err != nil {
		return nil, &UpstreamError{Err: err}
	}
	return conn, nil
}

// dialHTTP asks an HTTP proxy for a tunnel.
func (d *dialer) dialHTTP(ctx context.Context, to string) (net.Conn, error) {
	conn, err := d.dialProxy(ctx)
	if err != nil {
		return nil, &UpstreamError{Err: err}
	}
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	defer stop()
	request := &http.Request{Method: http.MethodConnect, URL: &url.URL{Opaque: to}, Host: to, Header: d.upstreamHeader()}
	reader := bufio.NewReader(conn)
	err = request.Write(conn)
	if err == nil {
		var answer *http.Response
		if answer, err = http.ReadResponse(reader, request); err == nil && answer.StatusCode/100 == 2 {
			return &readAhead{conn, reader}, nil
		} else if err == nil {
			conn.Close()
			return nil, &UpstreamError{Status: answer.StatusCode}
		}
	}
	conn.Close()
	return nil, &UpstreamError{Err: err}
}

// dialProxy connects to the proxy upstream itself.
func (d *dialer) dialProxy(ctx context.Context) (net.Conn, error) {
	if d.options.Upstream.Scheme == "https" {
		return new(tls.Dialer).DialContext(ctx, "tcp", d.options.Upstream.Host)
	}
	return new(net.Dialer).DialContext(ctx, "tcp", d.options.Upstream.Host)
}

// upstreamHeader returns the header of a request to an HTTP proxy: a password if the proxy needs
// one, and nothing else about chela.
func (d *dialer) upstreamHeader() http.Header {
	header := http.Header{"User-Agent": nil}
	if user := d.options.Upstream.User; user != nil {
		password, _ := user.Password()
		login := base64.StdEncoding.EncodeToString([]byte(user.Username() + ":" + password))
		header.Set("Proxy-Authorization", "Basic "+login)
	}
	return header
}

// readAhead is a connection with bytes that a reader has already taken from it.
type readAhead struct {
	net.Conn
	reader *bufio.Reader
}

func (r *readAhead) Read(b []byte) (int, error) { return r.reader.Read(b) }
