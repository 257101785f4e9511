package proxy

import (
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync"
)

// mayForward reports whether an http request may still reach its target, though the HTTP proxy
// upstream has refused a tunnel. Many such proxies allow tunnels for https only, and expect plain
// requests to be sent to them instead.
func (d *dialer) mayForward(to target, err error) bool {
	upstream, ok := errors.AsType[*UpstreamError](err)
	refusals := []int{http.StatusBadRequest, http.StatusForbidden, http.StatusMethodNotAllowed, http.StatusNotImplemented}
	return ok && to.port != 443 && slices.Contains(refusals, upstream.Status)
}

// forward sends the requests of a client to the HTTP proxy upstream, each by itself, until
// the client ends the connection. A client that does not speak http is not served.
func (d *dialer) forward(client net.Conn, to target) {
	transport := &http.Transport{
		Proxy: http.ProxyURL(d.options.Upstream), DisableCompression: true, MaxIdleConns: 1,
	}
	defer transport.CloseIdleConnections()
	conn := &closeNotifyConn{Conn: client, closed: make(chan struct{})}
	var requests sync.WaitGroup
	server := &http.Server{
		ErrorLog:          log.New(io.Discard, "", 0),
		ReadHeaderTimeout: handshakeTime,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			requests.Add(1)
			defer requests.Done()
			if d.checkRouted(d.policy()) != nil || d.judgeUpstream(r.Context(), to) != nil { // the policy has changed
				panic(http.ErrAbortHandler)
			}
			(&httputil.ReverseProxy{
				Transport: transport, FlushInterval: -1, ErrorLog: log.New(io.Discard, "", 0),
				Rewrite: func(r *httputil.ProxyRequest) { toUpstream(r, to) },
			}).ServeHTTP(w, r)
		}),
	}
	server.Serve(&singleListener{conn: conn, addr: client.LocalAddr()})
	requests.Wait()
}

// toUpstream directs the client's request to the target, even if the request names another host,
// because only the target was judged. The query and the headers that package httputil would change
// stay as the client sent them.
func toUpstream(r *httputil.ProxyRequest, to target) {
	host := strings.TrimSuffix(hostPort(to), ":80")
	r.Out.URL = &url.URL{
		Scheme: "http", Host: host, Path: r.In.URL.Path, RawPath: r.In.URL.RawPath,
		RawQuery: r.In.URL.RawQuery, ForceQuery: r.In.URL.ForceQuery,
	}
	r.Out.Host = host
	for _, name := range []string{"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto"} {
		if values, ok := r.In.Header[name]; ok {
			r.Out.Header[name] = values
		}
	}
}

// singleListener is a listener that accepts one connection, and ends when that connection has
// ended.
type singleListener struct {
	conn *closeNotifyConn
	addr net.Addr
	once bool
}

func (s *singleListener) Accept() (net.Conn, error) {
	if !s.once {
		s.once = true
		return s.conn, nil
	}
	<-s.conn.closed
	return nil, net.ErrClosed
}

func (s *singleListener) Close() error   { return nil }
func (s *singleListener) Addr() net.Addr { return s.addr }

// closeNotifyConn is a connection that reports when it is closed.
type closeNotifyConn struct {
	net.Conn
	once   sync.Once
	closed chan struct{}
}

func (c *closeNotifyConn) Close() error {
	c.once.Do(func() { close(c.closed) })
	return c.Conn.Close()
}
