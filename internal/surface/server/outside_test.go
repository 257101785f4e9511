package server

import (
	"crypto/tls"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"chela/internal/base/certificate"
	"chela/internal/op"
)

// startOutside starts a server that listens with TLS for other machines, at r.addr. It returns the
// files of its certificate and key.
func startOutside(t *testing.T, change ...func(*Options)) (r *running, cert, key string) {
	t.Helper()
	dir := t.TempDir()
	cert, key = filepath.Join(dir, "tls.crt"), filepath.Join(dir, "tls.key")
	writeCertificate(t, cert, key, "browsers.test")
	files, err := certificate.Open(cert, key)
	if err != nil {
		t.Fatal(err)
	}
	r = &running{target: &target{calls: make(chan string, 100), entered: make(chan struct{}, 1)}, ended: make(chan error, 1)}
	o := Options{Table: table, Version: "test", Token: func() string { return token }, Password: password, Runner: r.target}
	l, err := ListenTLS(netip.MustParseAddrPort("127.0.0.1:0"), files.Get)
	if err != nil {
		t.Fatal(err)
	}
	local, err := ListenTCP(0)
	if err != nil {
		t.Fatal(err)
	}
	r.addr, r.socket = l.Addr().String(), local[0].Addr().String()
	o.Hosts = []string{fmt.Sprint("browsers.test:", Port(l)), "proxied.test"}
	for _, c := range change {
		c(&o)
	}
	r.serve(t, o, append(local, l)...)
	return r, cert, key
}

func writeCertificate(t *testing.T, cert, key, host string) {
	t.Helper()
	certPEM, keyPEM, err := certificate.Make([]string{host}, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	for file, content := range map[string][]byte{cert: certPEM, key: keyPEM} {
		if err := os.WriteFile(file, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// The rules for callers on loopback also hold for callers on other machines.
func TestOutside(t *testing.T) {
	r, _, _ := startOutside(t)
	_, port, _ := net.SplitHostPort(r.addr)
	for _, test := range []struct {
		name, network, request string
		status                 int
		answer                 string
	}{
		{"by its address", "tls", "GET / HTTP/1.1\nHost: HOST\n" + auth + "\n", 200, `"ok":true`},
		{"by its name", "tls", "GET / HTTP/1.1\nHost: browsers.test:" + port + "\n" + auth + "\n", 200, ""},
		{"in capitals", "tls", "GET / HTTP/1.1\nHost: Browsers.Test:" + port + "\n" + auth + "\n", 200, ""},
		{"a forwarded port", "tls", "GET / HTTP/1.1\nHost: proxied.test\n" + auth + "\n", 200, ""},
		{"its own page", "tls", "GET / HTTP/1.1\nHost: browsers.test:" + port + "\nOrigin: https://browsers.test:" + port + "\nSec-Fetch-Site: same-origin\n" + auth + "\n", 200, ""},
		{"the password", "tls", "GET / HTTP/1.1\nHost: HOST\nX-Chela-Password: " + password + "\n\n", 200, ""},
		{"no token", "tls", "GET / HTTP/1.1\nHost: HOST\n\n", 401, ""},
		{"no token, no route", "tls", "GET /nothing HTTP/1.1\nHost: HOST\n\n", 401, ""},
		{"a wrong token", "tls", "GET / HTTP/1.1\nHost: HOST\nAuthorization: Bearer x\n\n", 401, ""},
		{"another name", "tls", "GET / HTTP/1.1\nHost: evil.test:" + port + "\n" + auth + "\n", 403, "gateway.hosts"},
		{"the name without the port", "tls", "GET / HTTP/1.1\nHost: browsers.test\n" + auth + "\n", 403, ""},
		{"the name on loopback", "tls", "GET / HTTP/1.1\nHost: localhost:" + port + "\n" + auth + "\n", 403, ""},
		{"a page over http", "tls", "GET / HTTP/1.1\nHost: HOST\nOrigin: http://" + r.addr + "\n" + auth + "\n", 403, ""},
		{"another page", "tls", "GET / HTTP/1.1\nHost: HOST\nOrigin: https://evil.test\n" + auth + "\n", 403, ""},
		{"another site", "tls", "GET / HTTP/1.1\nHost: HOST\nSec-Fetch-Site: same-site\n" + auth + "\n", 403, ""},
		{"two lengths", "tls", "POST /act HTTP/1.1\nHost: HOST\n" + auth + "Content-Length: 1\nContent-Length: 1\n\nx", 400, ""},
		{"a bare line feed", "tls", "GET / HTTP/1.1{LF}Host: HOST\n" + auth + "\n", 400, ""},
		{"plain http", "tcp", "GET / HTTP/1.1\nHost: HOST\n" + auth + "\n", 400, "must begin with https"},
	} {
		resp, got := r.send(t, test.network, test.request)
		if resp.StatusCode != test.status || !strings.Contains(got, test.answer) {
			t.Errorf("%s: got %d %s; want %d %s", test.name, resp.StatusCode, got, test.status, test.answer)
		}
		checkForm(t, resp, got)
		if call := r.called(); (call != "") != (test.status == 200) {
			t.Errorf("%s: ran %q", test.name, call)
		}
	}
}

// A proxy on this machine forwards requests with the name by which it was called.
func TestNameOfAProxy(t *testing.T) {
	r, _, _ := startOutside(t)
	r.addr = r.socket // r.addr is the address of requests: here the listener on loopback
	for request, want := range map[string]int{
		"GET / HTTP/1.1\nHost: proxied.test\n" + auth + "\n":                                                            200,
		"GET / HTTP/1.1\nHost: proxied.test\nOrigin: https://proxied.test\nSec-Fetch-Site: same-origin\n" + auth + "\n": 200,
		"GET / HTTP/1.1\nHost: proxied.test\nOrigin: http://proxied.test\n" + auth + "\n":                               403,
		"GET / HTTP/1.1\nHost: proxied.test\n\n":                                                                        401,
		"GET / HTTP/1.1\nHost: HOST\n" + auth + "\n":                                                                    200,
		"GET / HTTP/1.1\nHost: evil.test\n" + auth + "\n":                                                               403,
	} {
		if resp, got := r.send(t, "tcp", request); resp.StatusCode != want {
			t.Errorf("%s: got %d %s, want %d", request, resp.StatusCode, got, want)
		}
	}
}

// The OpenAPI document names the URL at which its reader reaches the server.
func TestURLInTheDocument(t *testing.T) {
	r, _, _ := startOutside(t)
	_, far, _ := net.SplitHostPort(r.addr)
	loopback := *r
	loopback.addr = r.socket
	for _, test := range []struct {
		story, network string
		at             *running
		host, want     string
	}{
		{"another machine", "tls", r, "browsers.test:" + far, "https://browsers.test:" + far},
		{"a forwarded port", "tls", r, "Proxied.test", "https://proxied.test"},
		{"a proxy on this machine", "tcp", &loopback, "proxied.test", "https://proxied.test"},
		{"this machine", "tcp", &loopback, "HOST", "http://" + loopback.addr},
	} {
		_, got := test.at.send(t, test.network, "GET /openapi.json HTTP/1.1\nHost: "+test.host+"\n"+auth+"\n")
		if want := `"servers":[{"url":"` + test.want + `"}]`; !strings.Contains(got, want) {
			t.Errorf("%s: no %s in the document", test.story, want)
		}
	}
}

// The server does not offer HTTP/2, as the type framing reads only HTTP/1.
func TestOutsideSpeaksHTTP1(t *testing.T) {
	r, _, _ := startOutside(t)
	conn, err := dial("tls", r.addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if s := conn.(*tls.Conn).ConnectionState(); s.NegotiatedProtocol != "http/1.1" || s.Version < tls.VersionTLS12 {
		t.Errorf("got %q, version %x", s.NegotiatedProtocol, s.Version)
	}
	if conn, err := tls.Dial("tcp", r.addr, &tls.Config{InsecureSkipVerify: true, MaxVersion: tls.VersionTLS11}); err == nil {
		conn.Close()
		t.Error("TLS 1.1 is spoken")
	}
}

func TestRenewedCertificate(t *testing.T) {
	r, cert, key := startOutside(t)
	host := func() string {
		t.Helper()
		conn, err := dial("tls", r.addr)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		return certificate.Hosts(conn.(*tls.Conn).ConnectionState().PeerCertificates[0])[0]
	}
	open := r.connect(t, "tls")
	before := host()
	writeCertificate(t, cert, key, "renewed.test")
	if after := host(); before != "browsers.test" || after != "renewed.test" {
		t.Errorf("before %s, after %s", before, after)
	}
	open.write("GET / HTTP/1.1\nHost: HOST\n" + auth + "\n")
	if status := open.answer(t); status != 200 {
		t.Errorf("a connection that was open: got %d", status)
	}
}

// After some wrong secrets, further ones are refused unchecked for a while, even the right one. A
// connection that has sent the right secret before can go on, and so can callers on this machine.
func TestGuesses(t *testing.T) {
	r, _, _ := startOutside(t)
	known := r.connect(t, "tls")
	ask := func(c client) int {
		c.write("GET / HTTP/1.1\nHost: HOST\n" + auth + "\n")
		return c.answer(t)
	}
	if status := ask(known); status != 200 {
		t.Fatal(status)
	}
	for i := range maxGuesses + 2 {
		want := 401
		if i >= maxGuesses {
			want = 429
		}
		resp, got := r.send(t, "tls", "GET / HTTP/1.1\nHost: HOST\nAuthorization: Bearer wrong\n\n")
		if resp.StatusCode != want {
			t.Fatalf("guess %d: got %d %s", i, resp.StatusCode, got)
		}
		checkForm(t, resp, got)
	}
	if status := ask(r.connect(t, "tls")); status != 429 {
		t.Errorf("the right one: got %d", status)
	}
	if status := ask(known); status != 200 {
		t.Errorf("a connection that is known: got %d", status)
	}
	if resp, _ := r.send(t, "tls", "GET / HTTP/1.1\nHost: HOST\n\n"); resp.StatusCode != 401 {
		t.Errorf("none: got %d", resp.StatusCode)
	}
	r.addr = r.socket
	for range maxGuesses + 2 {
		if resp, _ := r.send(t, "tcp", "GET / HTTP/1.1\nHost: HOST\nAuthorization: Bearer wrong\n\n"); resp.StatusCode != 401 {
			t.Fatalf("on loopback: got %d", resp.StatusCode)
		}
	}
}

func TestGuessesAreForgotten(t *testing.T) {
	var g guesses
	from := netip.MustParsePrefix("192.0.2.1/32")
	now := time.Now()
	for range maxGuesses {
		g.wrongLocked(from, now)
	}
	for after, want := range map[time.Duration]bool{0: false, guessTime / 2: false, guessTime: true} {
		if got := g.mayTryLocked(from, now.Add(after)); got != want {
			t.Errorf("after %s: got %v", after, got)
		}
	}
	if g.wrongLocked(from, now.Add(guessTime)); g.mayTryLocked(from, now.Add(guessTime)) {
		t.Error("one more each time, and not ten")
	}
	if g.wrongLocked(from, now.Add(guessTime+forgetTime)); !g.mayTryLocked(from, now.Add(guessTime+forgetTime)) {
		t.Error("the old ones still count")
	}
	for i := range maxGuessers + 10 {
		g.wrongLocked(netip.PrefixFrom(netip.AddrFrom4([4]byte{10, 0, byte(i >> 8), byte(i)}), 32), now)
	}
	if len(g.by) > maxGuessers {
		t.Errorf("%d are remembered", len(g.by))
	}
}

// If many guesses arrive at the same time, each on its own connection, only one is checked.
func TestGuessesAtOnce(t *testing.T) {
	const callers = 20
	near, far := net.Pipe()
	defer near.Close()
	defer far.Close()
	g := guesses{log: slog.New(slog.DiscardHandler), by: map[netip.Prefix]guesser{{}: {maxGuesses, time.Now().Add(-guessTime)}}}
	var judged atomic.Int32
	var ready, done sync.WaitGroup
	ready.Add(callers)
	for range callers {
		done.Go(func() {
			r := httptest.NewRequest("GET", "/", nil).WithContext(withConn(t.Context(), &conn{Conn: near}))
			r.Header.Set("Authorization", "Bearer wrong")
			ready.Done()
			g.check(r, func(*http.Request) error {
				ready.Wait()
				judged.Add(1)
				return op.Errorf(op.Unauthorized, "Unauthorized")
			})
		})
	}
	done.Wait()
	if judged.Load() != 1 {
		t.Errorf("%d guesses were judged, want 1", judged.Load())
	}
}

// The server does not wait for a client that sends half a handshake, or none.
func TestSlowHandshake(t *testing.T) {
	r, _, _ := startOutside(t, func(o *Options) {
		o.limits = limits{head: 50 * time.Millisecond, request: time.Hour, idle: time.Hour, drain: time.Hour, conns: 10}
	})
	for _, part := range []string{"", "\x16\x03\x01\x02\x00"} {
		conn, err := net.Dial("tcp", r.addr)
		if err != nil {
			t.Fatal(err)
		}
		conn.Write([]byte(part))
		conn.SetReadDeadline(time.Now().Add(20 * time.Second))
		if n, err := conn.Read(make([]byte, 100)); n > 0 && err == nil || os.IsTimeout(err) {
			t.Errorf("%q: it waits, or answers %d bytes: %v", part, n, err)
		}
		conn.Close()
	}
}

// Many connections from other machines that have not sent the secret do not keep out callers on this
// machine.
func TestCrowdOutside(t *testing.T) {
	r, _, _ := startOutside(t, func(o *Options) {
		o.limits = usualLimits
		o.limits.conns = 4
	})
	far := r.addr
	r.addr = r.socket
	here := r.connect(t, "tcp")
	r.addr = far
	for range 20 {
		conn, err := net.Dial("tcp", far)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close() })
	}
	if status := func() int {
		c := r.connect(t, "tls")
		c.write("GET / HTTP/1.1\nHost: HOST\n" + auth + "\n")
		return c.answer(t)
	}(); status != 200 {
		t.Errorf("one more of them: got %d", status)
	}
	here.write("GET / HTTP/1.1\nHost: HOST\n" + auth + "\n")
	if status := here.answer(t); status != 200 {
		t.Errorf("on this machine: got %d", status)
	}
}
