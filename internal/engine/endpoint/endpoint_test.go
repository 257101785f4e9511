package endpoint

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// A server answers /json/version with the address of a WebSocket, accepts that WebSocket, and
// records the paths requested.
type server struct {
	*httptest.Server
	webSocket string // the address of the WebSocket that the answer names; "": the server's own
	status    int    // status of the answers; 0: success
	login     string // name and password that the server wants; "": none
	host      string // the only Host that the server answers to; "": any
	silent    bool   // the server never answers

	mu    sync.Mutex
	asked []string // paths and queries of the requests
}

func serve(t *testing.T) *server { return serveBy(t, httptest.NewServer) }

func serveBy(t *testing.T, start func(http.Handler) *httptest.Server) *server {
	s := &server{}
	s.Server = start(s)
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	return s
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.asked = append(s.asked, r.URL.String())
	s.mu.Unlock()
	name, password, _ := r.BasicAuth()
	switch {
	case s.silent:
		<-r.Context().Done()
	case s.login != "" && name+":"+password != s.login:
		w.WriteHeader(http.StatusUnauthorized)
	case s.host != "" && r.Host != s.host, s.status != 0:
		w.WriteHeader(cmp.Or(s.status, http.StatusInternalServerError))
	case strings.HasSuffix(r.URL.Path, "/json/version"):
		fmt.Fprintf(w, `{"Browser": "Chrome/1", "webSocketDebuggerUrl": %q}`, s.webSocket)
	default:
		if ws, err := websocket.Accept(w, r, nil); err == nil {
			ws.CloseNow()
		}
	}
}

// take returns the requests since it was last called.
func (s *server) take() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := strings.Join(s.asked, " ")
	s.asked = nil
	return all
}

func open(t *testing.T, e Endpoint) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	e.Probe = time.Second
	transport, err := e.Open(ctx)
	if err == nil {
		transport.Close()
	}
	if err != nil && (strings.Contains(err.Error(), "s3cret") || strings.Contains(err.Error(), "t0ken")) {
		t.Errorf("the error tells secrets: %v", err)
	}
	return err
}

// For each kind of URL the browser is found, and gets the secrets in the URL.
func TestOpen(t *testing.T) {
	s := serve(t)
	s.login = "me:s3cret"
	at := func(scheme, rest string) string {
		return strings.Replace(s.URL, "http://", scheme+"://me:s3cret@", 1) + rest
	}
	const one = "/devtools/browser/1"
	for _, test := range []struct{ url, webSocket, asked string }{
		{at("http", ""), one, "/json/version " + one},
		{at("http", "/"), one, "/json/version " + one},
		{at("ws", ""), one, "/json/version " + one},
		{at("http", "/below/"), one, "/below/json/version " + one},
		{at("http", "?token=t0ken&x=1"), one, "/json/version?token=t0ken&x=1 " + one + "?token=t0ken&x=1"},
		{at("http", "?token=t0ken"), one + "?token=own", "/json/version?token=t0ken " + one + "?token=own"},
		{at("ws", one+"?token=t0ken"), "", one + "?token=t0ken"},
		{at("ws", "/session?token=t0ken"), "none", "/session/json/version?token=t0ken /session?token=t0ken"}, // a service with nothing but a WebSocket
	} {
		s.webSocket = ""
		if strings.HasPrefix(test.webSocket, "/") {
			s.webSocket = "ws://" + s.Listener.Addr().String() + test.webSocket
		}
		if err := open(t, Endpoint{URL: test.url}); err != nil {
			t.Errorf("%s: %v", test.url, err)
		}
		if got := s.take(); got != test.asked {
			t.Errorf("%s:\n got %s\nwant %s", test.url, got, test.asked)
		}
	}
}

// The WebSocket of another server gets only the secrets that its own address has.
func TestOtherServer(t *testing.T) {
	s := serve(t)
	s.login = "me:s3cret"
	dial := func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, s.Listener.Addr().String())
	}
	for _, test := range []struct {
		webSocket, asked string
		is               func(error) bool
	}{
		{"ws://other.test/devtools/browser/1", "/devtools/browser/1", isStatus(401)},
		{"ws://far.test:81/devtools/browser/1", "/devtools/browser/1", isStatus(401)},
		{"ws://me:s3cret@other.test/devtools/browser/1?token=own", "/devtools/browser/1?token=own", nil},
	} {
		s.webSocket = test.webSocket
		err := open(t, Endpoint{URL: "http://me:s3cret@far.test?token=t0ken", Dial: dial, AllowOtherServer: true})
		if (err != nil) != (test.is != nil) || err != nil && !test.is(err) {
			t.Errorf("%s: %v", test.webSocket, err)
		}
		if got, want := s.take(), "/json/version?token=t0ken "+test.asked; got != want {
			t.Errorf("%s:\n got %s\nwant %s", test.webSocket, got, want)
		}
	}
}

// A failure that another attempt cannot change is final. After others there are three attempts.
func TestNotOpened(t *testing.T) {
	const socket = "/devtools/browser/s3cret?t0ken"
	for name, test := range map[string]struct {
		set   func(*server)
		path  string // path of a WebSocket; "": the server is asked for the address
		tries int
		is    func(error) bool
	}{
		"another login":   {func(s *server) { s.login = "other:one" }, "", 1, isStatus(401)},
		"nothing there":   {func(s *server) { s.status = 504 }, "", 3, isStatus(504)},
		"no browser":      {func(s *server) { s.webSocket = "http://x" }, "", 1, func(err error) bool { return err == ErrNoWebSocket }},
		"the handshake":   {func(s *server) { s.status = 502 }, socket, 3, isStatus(502)},
		"another machine": {func(s *server) { s.webSocket = "ws://10.0.0.1:9/devtools/browser/1" }, "", 1, func(err error) bool { return err == ErrOtherServer }},
	} {
		s := serve(t) // a server for each case, since it may still answer a request that the caller has given up
		test.set(s)
		url := s.URL
		if test.path != "" {
			url = strings.Replace(s.URL, "http", "ws", 1) + test.path
		}
		err := open(t, Endpoint{URL: url})
		if tries := len(strings.Fields(s.take())); !test.is(err) || tries != test.tries {
			t.Errorf("%s: %v after %d tries", name, err, tries)
		}
	}
}

// There are three attempts at a server that never answers, as at one that answers with an error.
// Attempts are counted at the dial function: one may end before the server has noticed it.
func TestSilentServer(t *testing.T) {
	s := serve(t)
	s.silent = true
	tries := 0
	err := open(t, Endpoint{
		URL: strings.Replace(s.URL, "http", "ws", 1) + "/devtools/browser/1", Handshake: 500 * time.Millisecond,
		Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
			tries++
			return new(net.Dialer).DialContext(ctx, network, address)
		},
	})
	if !errors.Is(err, context.DeadlineExceeded) || tries != 3 {
		t.Errorf("%v after %d tries", err, tries)
	}
}

func isStatus(status int) func(error) bool {
	return func(err error) bool { return StatusOf(err) == status }
}

// The deadline of the call ends the attempts, even in the pause between two.
func TestOpenInTime(t *testing.T) {
	s := serve(t)
	s.silent = true
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	begun := time.Now()
	_, err := Endpoint{URL: s.URL, Probe: time.Minute}.Open(ctx)
	if err == nil || time.Since(begun) > 5*time.Second {
		t.Errorf("%v after %v", err, time.Since(begun))
	}
}

// Chromium answers only requests whose Host is an IP address or localhost, but in a container it
// has another name.
func TestNamedHost(t *testing.T) {
	s := serve(t)
	s.host, s.webSocket = "localhost", "ws://0.0.0.0:9222/devtools/browser/1"
	dial := func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, s.Listener.Addr().String())
	}
	if err := open(t, Endpoint{URL: "http://browser.test:9222", Dial: dial}); err != nil {
		t.Error(err)
	}
	v, err := Endpoint{URL: "http://browser.test:9222", Dial: dial, Probe: time.Second}.Version(t.Context())
	if err != nil || v.Browser != "Chrome/1" {
		t.Errorf("%+v, %v", v, err)
	}
}

// Version also works for a service that only knows WebSockets, and for a WebSocket URL of one
// browser.
func TestVersion(t *testing.T) {
	s := serve(t)
	ws := strings.Replace(s.URL, "http", "ws", 1)
	for _, test := range []struct {
		url, version string
		status       int
		is           func(error) bool
	}{
		{s.URL, "Chrome/1", 0, nil},
		{ws, "Chrome/1", 0, nil},
		{ws + "/devtools/browser/1", "Chrome/1", 0, nil},
		{s.URL, "", 504, isStatus(504)},
		{ws, "", 504, nil},
		{ws, "", 401, isStatus(401)},
	} {
		s.status = test.status
		v, err := Endpoint{URL: test.url, Probe: time.Minute}.Version(t.Context())
		if v.Browser != test.version || (err != nil) != (test.is != nil) || err != nil && !test.is(err) {
			t.Errorf("%s with %d: %q, %v", test.url, test.status, v.Browser, err)
		}
	}
}

// A WebSocket is opened at a service that has nothing else, however the service answers a request
// by HTTP.
func TestOnlyWebSocket(t *testing.T) {
	for name, question := range map[string]http.HandlerFunc{
		"not found":        http.NotFound,
		"wants an upgrade": func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusUpgradeRequired) },
		"a page":           func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "<html>") },
		"something else": func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, `{"Browser": "", "webSocketDebuggerUrl": "/x"}`)
		},
		"hangs up":     func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"says nothing": func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Upgrade") == "" {
				question(w, r)
			} else if ws, err := websocket.Accept(w, r, nil); err == nil && r.URL.String() == "/?token=t0ken" {
				ws.CloseNow()
			}
		}))
		url := strings.Replace(s.URL, "http", "ws", 1) + "/?token=t0ken"
		if _, err := (Endpoint{URL: url, Probe: 50 * time.Millisecond}).Open(t.Context()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		s.Close()
	}
}

// No redirect is followed: its target would get the secrets.
func TestNoRedirect(t *testing.T) {
	reached := serve(t)
	s := httptest.NewServer(http.RedirectHandler(reached.URL, http.StatusFound))
	defer s.Close()
	if err := open(t, Endpoint{URL: s.URL}); !isStatus(302)(err) || reached.take() != "" {
		t.Errorf("%v", err)
	}
}

// The WebSocket has the host at which the browser was asked, unless the browser names another
// machine.
func TestCompleted(t *testing.T) {
	for _, test := range []struct{ ws, asked, want, same string }{
		{"ws://127.0.0.1:9222/x", "http://10.0.0.42:9333", "ws://10.0.0.42:9333/x", "yes"},
		{"ws://localhost/x", "https://cloud.test/?token=t", "wss://cloud.test/x?token=t", "yes"},
		{"ws://0.0.0.0:9222/x", "wss://cloud.test", "wss://cloud.test/x", "yes"},
		{"ws://[::]:9222/x", "http://far.test:1", "ws://far.test:1/x", "yes"},
		{"ws://0.0.0.0:9222/x", "http://127.0.0.1:9222", "ws://127.0.0.1:9222/x", "yes"},
		{"ws://0.0.0.0:9333/x", "http://localhost:9222", "ws://localhost:9333/x", "yes"},
		{"ws://[::]/x", "http://[::1]:9222", "ws://[::1]:9222/x", "yes"},
		{"ws://127.0.0.1:9333/x", "http://127.0.0.1:9222", "ws://127.0.0.1:9333/x", "yes"}, // an address of this machine was set by the user
		{"ws://far.test/x?a=1", "http://far.test?a=2&b=3", "ws://far.test/x?a=1&b=3", "yes"},
		{"wss://far.test:443/x", "https://FAR.test", "wss://far.test:443/x", "yes"},
		{"wss://far.test/x", "http://far.test:443", "wss://far.test/x", "yes"},
		{"ws://other.test/x", "http://far.test?token=t", "ws://other.test/x", "no"},
		{"ws://far.test:81/x", "http://far.test", "ws://far.test:81/x", "no"},
		{"ws://169.254.169.254/x", "http://127.0.0.1:9222", "ws://169.254.169.254/x", "no"},
	} {
		ws, asked := mustParse(t, test.ws), mustParse(t, test.asked)
		got := completeURL(ws, asked)
		if same := sameServer(got, asked); got.String() != test.want || same != (test.same == "yes") {
			t.Errorf("%s asked at %s: %s, same server %v", test.ws, test.asked, got, same)
		}
	}
}

func mustParse(t *testing.T, raw string) *url.URL {
	t.Helper()
	u, err := url.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	return u
}
