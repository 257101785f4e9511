package proxy

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"chela/internal/wall/guard"
)

// An office is an HTTP proxy as offices have them. All names lead to this machine.
type office struct {
	*httptest.Server
	noTunnels atomic.Bool // tunnels are allowed to port 443 only
	mu        sync.Mutex  // guards asked
	asked     []string
}

func newOffice(t *testing.T) *office {
	o := &office{}
	o.Server = httptest.NewServer(o)
	t.Cleanup(o.Close)
	return o
}

func (o *office) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	o.mu.Lock()
	o.asked = append(o.asked, r.Method+" "+r.RequestURI)
	o.mu.Unlock()
	user, password, _ := (&http.Request{Header: http.Header{"Authorization": r.Header["Proxy-Authorization"]}}).BasicAuth()
	switch {
	case user != "ada" || password != "p:w":
		w.WriteHeader(http.StatusProxyAuthRequired)
	case r.Method != http.MethodConnect:
		(&httputil.ReverseProxy{Rewrite: func(p *httputil.ProxyRequest) {
			p.SetURL(&url.URL{Scheme: "http", Host: net.JoinHostPort("127.0.0.1", p.In.URL.Port())})
			p.Out.URL.Path, p.Out.Host = p.In.URL.Path, p.In.Host
		}}).ServeHTTP(w, r)
	case o.noTunnels.Load():
		w.WriteHeader(http.StatusForbidden)
	case strings.HasPrefix(r.Host, "dead."):
		w.WriteHeader(http.StatusBadGateway)
	default:
		_, port, _ := net.SplitHostPort(r.Host)
		server, err := net.Dial("tcp", "127.0.0.1:"+port)
		if err != nil {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		client, _, _ := w.(http.Hijacker).Hijack()
		io.WriteString(client, "HTTP/1.1 200 OK\r\n\r\n")
		go func() { defer server.Close(); io.Copy(server, client) }()
		io.Copy(client, server)
		client.Close()
	}
}

// upstream returns the URL of the office's proxy, with a login.
func (o *office) upstream(t *testing.T) *url.URL {
	t.Helper()
	u, err := ParseUpstream(strings.Replace(o.URL, "http://", "http://ada:p%3Aw@", 1))
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestUpstream(t *testing.T) {
	canary, office := newCanary(t), newOffice(t)
	names := fixed(map[string]string{"lan.example": "10.0.0.1", "example.com": "93.184.216.34"})
	p := start(t, Options{Upstream: office.upstream(t), Lookup: names})
	wanted := map[string]string{
		"example.com": "secret of example.com", "only-there.example": "secret of only-there.example",
		"lan.example": "status 4", "localhost": "status 4", "127.0.0.1": "status 4", "dead.example": "status 4",
	}
	for _, tunnels := range []bool{true, false} {
		office.noTunnels.Store(!tunnels)
		for host, want := range wanted {
			if !tunnels && host == "dead.example" {
				continue
			}
			got := get(t, p, host, canary.port)
			if !tunnels && want != "status 4" {
				want += ":" + strconv.Itoa(int(canary.port)) // the Host of plain requests names the port of the target
			}
			if got != want {
				t.Errorf("tunnels %v, %s: got %q, want %q: %v", tunnels, host, got, want, p.Failure(fmt.Sprintf("http://%s:%d", host, canary.port)))
			}
		}
	}
	for _, asked := range office.asked {
		if strings.Contains(asked, "lan.") || strings.Contains(asked, "127.") || strings.Contains(asked, "localhost") {
			t.Errorf("the proxy upstream was asked: %s", asked)
		}
	}
	if err := p.Failure(fmt.Sprintf("http://dead.example:%d", canary.port)); NetError(err) != "net::ERR_TUNNEL_CONNECTION_FAILED" {
		t.Errorf("a host that it cannot reach: %v", err)
	}
}

func TestUpstreamOfPolicies(t *testing.T) {
	canary, office := newCanary(t), newOffice(t)
	var ports Ports
	ports.Add(canary.port)
	open := start(t, Options{Upstream: office.upstream(t), Policy: rules(t, private), Ports: &ports})
	for _, host := range []string{"any.example", "localhost", "127.0.0.1"} { // all are refused, because the proxy could resolve each name to this machine
		if got := get(t, open, host, canary.port); got != "status 4" {
			t.Errorf("a port of our own, as %s: %q", host, got)
		}
	}
	strict := start(t, Options{Upstream: office.upstream(t), Policy: rules(t, guard.Rules{
		DangerouslyAllowPrivateNetwork: new(false), AllowedHostnames: []string{"example.com"},
	})})
	if got := get(t, strict, "example.com", canary.port); got != "status 4" {
		t.Errorf("with a strict policy: %q", got)
	}
	if refused, ok := strict.Check(t.Context(), "http://example.com/").(*guard.Refused); !ok || refused.Rule != guard.Routed {
		t.Errorf("with a strict policy: %v", refused)
	}
	blocked := start(t, Options{Upstream: office.upstream(t), Lookup: fixed(map[string]string{"any.example": "10.0.0.9"}), Policy: rules(t, guard.Rules{
		DangerouslyAllowPrivateNetwork: new(true), BlockedHostnames: []string{"10.0.0.9"},
	})})
	if got := get(t, blocked, "any.example", canary.port); got != "status 4" {
		t.Errorf("a name of an address that is blocked: %q", got)
	}
	if len(office.asked) != 0 {
		t.Errorf("the proxy upstream was asked: %q", office.asked)
	}
	wrong, _ := ParseUpstream(office.URL)
	p := start(t, Options{Upstream: wrong, Policy: rules(t, private)})
	if got := get(t, p, "example.com", canary.port); got != "status 4" {
		t.Errorf("without a login: %q", got)
	}
	if err := p.Failure(fmt.Sprintf("http://example.com:%d", canary.port)); NetError(err) != "net::ERR_PROXY_AUTH_REQUESTED" || !strings.Contains(err.Error(), "407") {
		t.Errorf("without a login: %v", err)
	}
	office.Close()
	get(t, p, "example.com", canary.port)
	if err := p.Failure(fmt.Sprintf("http://example.com:%d", canary.port)); NetError(err) != "net::ERR_PROXY_CONNECTION_FAILED" {
		t.Errorf("without an upstream: %v", err)
	}
}

// A connection whose requests are forwarded ends when a later policy forbids its host, as others do.
func TestForwardedConnectionAndLaterPolicy(t *testing.T) {
	canary, office := newCanary(t), newOffice(t)
	office.noTunnels.Store(true)
	var policy atomic.Pointer[guard.Policy]
	policy.Store(rules(t, private)())
	p := start(t, Options{Upstream: office.upstream(t), Policy: policy.Load})
	conn, status := connect(t, p, "any.example", canary.port)
	if status != succeeded {
		t.Fatalf("status %d", status)
	}
	fmt.Fprint(conn, "GET / HTTP/1.1\r\nHost: any.example\r\n\r\n")
	answer := bufio.NewReader(conn)
	if got, err := http.ReadResponse(answer, nil); err != nil || got.StatusCode != http.StatusOK {
		t.Fatalf("%v, %v", got, err)
	} else {
		io.Copy(io.Discard, got.Body)
	}
	policy.Store(rules(t, guard.Rules{BlockedHostnames: []string{"any.example"}})())
	p.Enforce()
	conn.SetReadDeadline(time.Now().Add(10 * time.Second))
	if _, err := answer.ReadByte(); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("the connection is open: %v", err)
	}
}

// Connections that a later policy forbids also end behind another proxy, and pages are not read.
// What counts is what chela resolves a name to, and whether the policy accepts a proxy at all.
func TestUpstreamAndLaterPolicy(t *testing.T) {
	canary, office := newCanary(t), newOffice(t)
	for name, test := range map[string]struct {
		byFlag, forwards bool
		later            guard.Rules
		rule             guard.Rule
	}{
		"private addresses are closed": {false, false, guard.Rules{}, guard.PrivateNetwork},
		"the same, without tunnels":    {false, true, guard.Rules{}, guard.PrivateNetwork},
		"a strict policy":              {false, false, guard.Rules{DangerouslyAllowPrivateNetwork: new(false), AllowedHostnames: []string{"intra.example"}}, guard.Routed},
		"a proxy by a flag":            {true, false, guard.Rules{AllowedHostnames: []string{"intra.example"}}, guard.Routed},
	} {
		office.noTunnels.Store(test.forwards)
		var policy atomic.Pointer[guard.Policy]
		policy.Store(rules(t, private)())
		p := start(t, Options{Upstream: office.upstream(t), ByFlag: test.byFlag, Policy: policy.Load, Lookup: fixed(map[string]string{"intra.example": "10.0.0.9"})})
		conn, status := connect(t, p, "intra.example", canary.port)
		if status != succeeded {
			t.Fatalf("%s: status %d", name, status)
		}
		p.names.mu.Lock()
		asked := p.names.kept["intra.example"]
		p.names.mu.Unlock()
		if asked == nil {
			t.Errorf("%s: the name is not resolved", name)
			continue
		}
		<-asked.done
		page := fmt.Sprintf("http://intra.example:%d/", canary.port)
		if refused := p.Allows(page); refused != nil {
			t.Errorf("%s: before the change: %v", name, refused)
		}
		policy.Store(rules(t, test.later)())
		p.Enforce()
		conn.SetReadDeadline(time.Now().Add(10 * time.Second))
		if _, err := conn.Read(make([]byte, 1)); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("%s: the connection is open: %v", name, err)
		}
		if refused := p.Allows(page); refused == nil || refused.Rule != test.rule {
			t.Errorf("%s: the page is read: %v", name, refused)
		}
	}
}

// The upstream of a proxy may be a SOCKS proxy, here another one of chela's.
func TestUpstreamBySOCKS(t *testing.T) {
	canary := newCanary(t)
	far := start(t, Options{Policy: rules(t, private), Lookup: fixed(map[string]string{"there.example": "127.0.0.1"})})
	upstream, err := ParseUpstream("socks5://" + far.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	near := start(t, Options{Upstream: upstream, Lookup: fixed(nil)})
	if got := get(t, near, "there.example", canary.port); got != "secret of there.example" {
		t.Errorf("got %q: %v", got, near.Failure(fmt.Sprintf("http://there.example:%d", canary.port)))
	}
	if got := get(t, near, "nowhere.example", canary.port); got != "status 4" {
		t.Errorf("a name that nobody knows: %q", got)
	}
}

func TestParseUpstream(t *testing.T) {
	for text, want := range map[string]string{
		"http://proxy.lan": "http://proxy.lan:80", "proxy.lan:3128": "http://proxy.lan:3128", "https://u:p@p.lan/": "https://u:p@p.lan:443/",
		"socks5h://[::1]": "socks5://[::1]:1080", "socks5://127.0.0.1:9050": "socks5://127.0.0.1:9050",
	} {
		if u, err := ParseUpstream(text); err != nil || u.String() != want {
			t.Errorf("%s: got %v, %v", text, u, err)
		}
	}
	wrong := []string{"", "ftp://p", "socks4://p", "http://", "http://p/path", "http://p?q", "http://p:x", "http://a b", "http://u:secret@p:x/"}
	for _, text := range wrong {
		if u, err := ParseUpstream(text); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: got %v, %v", text, u, err)
		}
	}
}

func FuzzParseUpstream(f *testing.F) {
	f.Add("http://u:p@proxy.lan:3128")
	f.Fuzz(func(t *testing.T, text string) {
		u, err := ParseUpstream(text)
		if err != nil {
			return
		}
		if again, err := ParseUpstream(u.String()); err != nil || again.Host != u.Host {
			t.Errorf("%q became %q, and that %v, %v", text, u, again, err)
		}
	})
}
