package proxy

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"testing"

	"chela/internal/base/hosts"
)

// Whatever host a request names, the request goes to the host that was judged, and to no other.
func FuzzToUpstream(f *testing.F) {
	f.Add([]byte("GET /a?b HTTP/1.1\r\nHost: a.test\r\n\r\n"))
	f.Add([]byte("GET http://evil.example/a HTTP/1.1\r\nHost: b.test\r\nX-Forwarded-For: c\r\n\r\n"))
	f.Add([]byte("CONNECT evil.example:443 HTTP/1.1\r\nHost: b.test\r\n\r\n"))
	f.Add([]byte("GET //evil.example/%2f%zz HTTP/1.1\r\nHost: x\r\n\r\n"))
	host, _ := hosts.Parse("judged.example")
	f.Fuzz(func(t *testing.T, sent []byte) {
		in, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(sent)))
		if err != nil {
			return
		}
		r := &httputil.ProxyRequest{In: in, Out: in.Clone(context.Background())}
		toUpstream(r, target{host, 8080})
		if r.Out.URL.Host != "judged.example:8080" || r.Out.Host != r.Out.URL.Host || r.Out.URL.Scheme != "http" || r.Out.URL.User != nil || r.Out.URL.Opaque != "" {
			t.Errorf("%q is sent as %+v", sent, r.Out.URL)
		}
		again, err := url.Parse(r.Out.URL.String())
		if err == nil && again.Host != r.Out.URL.Host {
			t.Errorf("%q is sent to %q", sent, r.Out.URL)
		}
	})
}

// The answer of an upstream proxy makes a tunnel, which loses no byte after the answer, or is an
// UpstreamError.
func FuzzUpstreamAnswer(f *testing.F) {
	f.Add([]byte("HTTP/1.1 200 OK\r\n\r\nhello"))
	f.Add([]byte("HTTP/1.0 407 No\r\nContent-Length: 3\r\n\r\nabc"))
	f.Add([]byte("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"))
	f.Add([]byte("\x05\x00"))
	f.Fuzz(func(t *testing.T, answer []byte) {
		listener, err := net.Listen("tcp4", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer listener.Close()
		go func() {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			if _, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
				conn.Write(answer)
			}
			conn.Close()
		}()
		p := &dialer{options: Options{Upstream: &url.URL{Scheme: "http", Host: listener.Addr().String()}}}
		conn, err := p.dialHTTP(t.Context(), "a.test:80")
		if err != nil {
			if _, ok := errors.AsType[*UpstreamError](err); !ok {
				t.Errorf("%q: %v", answer, err)
			}
			return
		}
		defer conn.Close()
		rest, _ := io.ReadAll(conn)
		if end := bytes.Index(answer, []byte("\r\n\r\n")); end >= 0 && !bytes.Contains(answer[:end], []byte("\n\n")) && !bytes.HasSuffix(answer, rest) {
			t.Errorf("%q: %q follows", answer, rest)
		}
	})
}
