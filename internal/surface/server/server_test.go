package server

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"chela/internal/op"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// target takes the place of the service. It notes the calls that it gets.
type target struct {
	calls   chan string
	entered chan struct{} // gets a value when the operation "hold" has begun
}

func (s *target) Run(ctx context.Context, o *op.Op, args op.Args) (json.RawMessage, error) {
	return o.Run(ctx, s, args)
}

func (s *target) note(format string, args ...any) (noted, error) {
	s.calls <- fmt.Sprintf(format, args...)
	return noted{true}, nil
}

type noted struct {
	OK bool `json:"ok" doc:"always true"`
}

type none struct{}

type clickRequest struct {
	Ref    string `json:"ref" doc:"element"`
	Double bool   `json:"doubleClick,omitempty" doc:"twice"`
}

type snapshotRequest struct {
	Profile string `json:"profile,omitempty" doc:"browser profile"`
	Format  string `json:"format,omitempty" enum:"ai,aria" doc:"form"`
	Depth   int    `json:"depth,omitempty" min:"0" doc:"levels"`
}

type tabRequest struct {
	TargetID string `json:"targetId" doc:"tab"`
}

func table() *op.Table { return someTable }

var someTable = &op.Table{
	Ops: []*op.Op{
		op.Define("GET /", "status", "Show the state.", func(_ context.Context, s *target, _ none) (noted, error) { return s.note("status") }),
		op.Define("POST /act kind=click", "click {ref}", "Click.", func(_ context.Context, s *target, r clickRequest) (noted, error) {
			return s.note("click %s %v", r.Ref, r.Double)
		}),
		op.Define("POST /act kind=hover", "hover {ref}", "Hover.", func(_ context.Context, s *target, r clickRequest) (noted, error) { return s.note("hover %s", r.Ref) }),
		op.Define("GET /snapshot", "snapshot", "Read the page.", func(_ context.Context, s *target, r snapshotRequest) (noted, error) {
			return s.note("snapshot %s %s %d", r.Profile, r.Format, r.Depth)
		}),
		op.Define("POST /snapshot", "snapshot again", "Read the page.", func(_ context.Context, s *target, r snapshotRequest) (noted, error) {
			return s.note("again %s %d", r.Profile, r.Depth)
		}),
		op.Define("DELETE /tabs/{targetId}", "close {targetId}", "Close a tab.", func(_ context.Context, s *target, r tabRequest) (noted, error) { return s.note("close %s", r.TargetID) }),
		op.Define("POST /panic", "panic", "Panic.", func(context.Context, *target, none) (noted, error) { panic("at the disco") }),
		op.Define("POST /fail", "fail", "Fail.", func(context.Context, *target, none) (noted, error) {
			return noted{}, errors.New("dial /secret/path")
		}),
		op.Define("POST /steps", "steps", "Do two steps.", func(ctx context.Context, s *target, _ none) (noted, error) {
			op.Progress(ctx, 0, 2, "one")
			op.Progress(ctx, 1, 2, "two\r\nX: y")
			return s.note("steps")
		}),
		op.Define("POST /hold", "hold", "Wait for the end.", func(ctx context.Context, s *target, _ none) (noted, error) {
			s.entered <- struct{}{}
			<-ctx.Done()
			return noted{}, ctx.Err()
		}),
	},
	Shared: map[string]op.SharedPath{"POST /act": {Unknown: op.Errorf(op.ActKindRequired, "kind is required")}},
}

const token, password = "test-token", "test-password"

// running is a server that answers on TCP and on a Unix socket.
type running struct {
	*target
	addr, socket string
	stop         context.CancelFunc
	ended        chan error
}

func start(t *testing.T, change ...func(*Options)) *running {
	t.Helper()
	o := Options{Table: table, Version: "test", Token: func() string { return token }, Password: password}
	r := &running{target: &target{calls: make(chan string, 100), entered: make(chan struct{}, 1)}, ended: make(chan error, 1)}
	o.Runner = r.target
	for _, c := range change {
		c(&o)
	}
	tcp, err := ListenTCP(0)
	if err != nil {
		t.Fatal(err)
	}
	r.socket = t.TempDir() + "/s"
	local, err := ListenUnix(r.socket)
	if err != nil {
		t.Fatal(err)
	}
	r.addr = tcp[0].Addr().String()
	r.serve(t, o, append(tcp, local)...)
	return r
}

// serve runs the server until the end of the test.
func (r *running) serve(t *testing.T, o Options, listeners ...net.Listener) {
	var ctx context.Context
	ctx, r.stop = context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		r.ended <- New(o).Serve(ctx, listeners...)
		close(done)
	}()
	t.Cleanup(func() {
		r.stop()
		<-done
	})
}

// send writes a request as bytes and returns the answer. It replaces HOST by the server's address, \n by
// \r\n, and {LF} by \n. The braces are needed, because one in forty random ids contains the letters LF.
func (r *running) send(t *testing.T, network, request string) (*http.Response, string) {
	t.Helper()
	addr := r.addr
	if network == "unix" {
		addr = r.socket
	}
	conn, err := dial(network, addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(20 * time.Second))
	request = strings.NewReplacer("HOST", r.addr, "\n", "\r\n", "{LF}", "\n").Replace(request)
	if _, err := io.WriteString(conn, request); err != nil {
		t.Fatal(err)
	}
	method, _, _ := strings.Cut(request, " ")
	resp, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: method}) // the answer of HEAD has no body
	if err != nil {
		t.Fatalf("no answer: %v", err)
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(resp.Body)
	return resp, string(body)
}

// dial connects by tcp or unix, or by tls without a check of the certificate.
func dial(network, addr string) (net.Conn, error) {
	if network == "tls" {
		return tls.Dial("tcp", addr, &tls.Config{InsecureSkipVerify: true, NextProtos: []string{"h2", "http/1.1"}})
	}
	return net.Dial(network, addr)
}

// called returns a call that the service has got since the last time; "" if there was none.
func (r *running) called() string {
	select {
	case c := <-r.calls:
		return c
	default:
		return ""
	}
}

const auth = "Authorization: Bearer " + token + "\n"

func body(content string) string {
	length := len(content) + strings.Count(content, "\n") // send replaces each line end by two bytes
	return fmt.Sprintf("Content-Type: application/json\nContent-Length: %d\n\n%s", length, content)
}

func TestAnswersAreNotGuessedAtOrKept(t *testing.T) {
	r := start(t)
	for _, request := range []string{"GET / HTTP/1.1\nHost: HOST\n" + auth + "\n", "GET / HTTP/1.1\nHost: HOST\n\n", "GET /x HTTP/1.1\nHost: HOST\n" + auth + "\n"} {
		resp, _ := r.send(t, "tcp", request)
		for name, want := range map[string]string{"Content-Type": "application/json; charset=utf-8", "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store"} {
			if got := resp.Header.Get(name); got != want {
				t.Errorf("%d: %s: got %q, want %q", resp.StatusCode, name, got, want)
			}
		}
	}
}

func TestAllowHeader(t *testing.T) {
	r := start(t)
	resp, _ := r.send(t, "tcp", "PUT /act HTTP/1.1\nHost: HOST\n"+auth+"\n")
	if got := resp.Header.Get("Allow"); got != "POST" {
		t.Errorf("got %q, want POST", got)
	}
}

func TestUnixSocketNeedsNoToken(t *testing.T) {
	r := start(t)
	tests := []struct {
		name, request string
		status        int
	}{
		{"no token", "GET / HTTP/1.1\nHost: chela\n\n", 200},
		{"the token", "GET / HTTP/1.1\nHost: chela\n" + auth + "\n", 200},
		{"another token", "GET / HTTP/1.1\nHost: chela\nAuthorization: Bearer x\n\n", 401},
		{"no token at all", "GET / HTTP/1.1\nHost: chela\nAuthorization:\n\n", 401},
		{"the password", "GET / HTTP/1.1\nHost: chela\nX-Chela-Password: " + password + "\n\n", 200},
		{"another password", "GET / HTTP/1.1\nHost: chela\nX-Chela-Password: x\n\n", 401},
		{"both", "GET / HTTP/1.1\nHost: chela\nX-Chela-Password: " + password + "\n" + auth + "\n", 400},
		{"another host", "GET / HTTP/1.1\nHost: evil.example\n\n", 403},
		{"a page", "GET / HTTP/1.1\nHost: chela\nOrigin: http://localhost\nSec-Fetch-Site: cross-site\n\n", 403},
	}
	for _, test := range tests {
		if resp, got := r.send(t, "unix", test.request); resp.StatusCode != test.status {
			t.Errorf("%s: got %d %s, want %d", test.name, resp.StatusCode, got, test.status)
		}
	}
}

func TestMarkupIsNotReflected(t *testing.T) {
	r := start(t)
	_, got := r.send(t, "tcp", "POST /act HTTP/1.1\nHost: HOST\n"+auth+body(`{"kind":"click","ref":"e1","<b>":1}`))
	if strings.Contains(got, "<b>") || !strings.Contains(got, `\u003cb>`) {
		t.Errorf("got %s", got)
	}
}

func TestGoneClientEndsItsCall(t *testing.T) {
	r := start(t)
	conn, err := net.Dial("unix", r.socket)
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(conn, "POST /hold HTTP/1.1\r\nHost: chela\r\n\r\n")
	<-r.entered
	conn.Close()
	r.stop() // returns only when the call has ended
	if err := <-r.ended; err != nil {
		t.Error(err)
	}
}

func TestStopCancelsCalls(t *testing.T) {
	r := start(t)
	go func() {
		<-r.entered
		r.stop()
	}()
	resp, got := r.send(t, "unix", "POST /hold HTTP/1.1\nHost: chela\n\n")
	if resp.StatusCode != 503 || !strings.Contains(got, `"code":"shutting_down"`) {
		t.Errorf("got %d %s", resp.StatusCode, got)
	}
	if err := <-r.ended; err != nil {
		t.Error(err)
	}
	if _, err := net.Dial("unix", r.socket); err == nil {
		t.Error("the socket still answers")
	}
}

// idling starts a server that ends when it is idle. Each time that the server checks whether it is
// idle, its function Busy returns the next value from the channel busy.
func idling(t *testing.T) (r *running, busy chan bool) {
	t.Helper()
	busy = make(chan bool)
	r = start(t, func(o *Options) {
		o.Idle = time.Millisecond
		o.Busy = func() bool { return <-busy }
	})
	t.Cleanup(func() { close(busy) })
	return r, busy
}

func TestIdleServerEnds(t *testing.T) {
	r, busy := idling(t)
	r.send(t, "unix", "GET / HTTP/1.1\nHost: chela\nConnection: close\n\n")
	for range 3 { // the server checks again, so it has not ended
		busy <- true
	}
	awaitEnd(t, r, busy)
}

func TestConnectionKeepsIdleServerAlive(t *testing.T) {
	r, busy := idling(t)
	conn, err := net.Dial("unix", r.socket)
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(conn, "GET / HTTP/1.1\r\nHost: chela\r\n\r\n")
	if _, err := bufio.NewReader(conn).ReadByte(); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		busy <- false
	}
	conn.Close()
	awaitEnd(t, r, busy)
}

// awaitEnd waits until an idle server has ended.
func awaitEnd(t *testing.T, r *running, busy chan<- bool) {
	t.Helper()
	for {
		select {
		case busy <- false:
		case err := <-r.ended:
			if err != nil {
				t.Error(err)
			}
			return
		}
	}
}

// The OpenAPI document has the routes and the URL of this server. test/repo tests the document for the
// whole table of operations.
func TestOpenAPI(t *testing.T) {
	r := start(t)
	_, got := r.send(t, "unix", "GET /openapi.json HTTP/1.1\nHost: chela\nConnection: close\n\n")
	var doc struct {
		Servers []struct{ URL string }
		Paths   map[string]map[string]struct {
			Parameters []struct{ Name, In string }
		}
		Components struct {
			Schemas map[string]struct {
				Discriminator struct{ Mapping map[string]string }
			}
		}
	}
	if err := json.Unmarshal([]byte(got), &doc); err != nil {
		t.Fatalf("%v in %s", err, got)
	}
	if len(doc.Servers) != 1 || doc.Servers[0].URL != "http://"+r.addr { // nobody can call a URL of the Unix socket
		t.Errorf("the server is %v", doc.Servers)
	}
	for _, raw := range Raw() {
		if _, ok := doc.Paths[raw.Path][strings.ToLower(raw.Method)]; !ok {
			t.Errorf("%s %s is not described", raw.Method, raw.Path)
		}
	}
	if acts := doc.Components.Schemas["AnyActRequest"].Discriminator.Mapping; len(acts) != 2 || acts["click"] != "#/components/schemas/ClickRequest" {
		t.Errorf("/act: bodies %v", acts)
	}
	if p := doc.Paths["/tabs/{targetId}"]["delete"].Parameters; len(p) != 1 || p[0].In != "path" {
		t.Errorf("/tabs/{targetId}: parameters %v", p)
	}
	if p := doc.Paths["/snapshot"]["get"].Parameters; len(p) != 3 || p[0].In != "query" {
		t.Errorf("/snapshot: parameters %v", p)
	}
}

// A client that sends its whole request before it reads gets the answer that refuses the request, even
// if the request is large.
func TestRefusedRequestsAreAnswered(t *testing.T) {
	r := start(t)
	const much = 8 << 20 // more than the buffers of a connection hold
	for _, test := range []struct {
		name, request string
		status        int
	}{
		{"token", "GET / HTTP/1.1\nHost: HOST\nAuthorization: Bearer " + strings.Repeat("a", much) + "\n\n", 431},
		{"many headers", "GET / HTTP/1.1\nHost: HOST\n" + strings.Repeat("X-A: b\n", much/7) + "\n", 431},
		{"address", "GET /" + strings.Repeat("a", much) + " HTTP/1.1\nHost: HOST\n" + auth + "\n", 431},
		{"body without a token", "POST /act HTTP/1.1\nHost: HOST\n" + body(strings.Repeat(" ", much)), 401},
		{"body", "POST /act HTTP/1.1\nHost: HOST\n" + auth + body(strings.Repeat(" ", much)), 413},
		{"chunked body", "POST /act HTTP/1.1\nHost: HOST\n" + auth + fmt.Sprintf("Content-Type: application/json\nTransfer-Encoding: chunked\n\n%x\n%s\n0\n\n", much, strings.Repeat(" ", much)), 413},
		{"body of another type", "POST /act HTTP/1.1\nHost: HOST\n" + auth + fmt.Sprintf("Content-Type: text/plain\nContent-Length: %d\n\n%s", much, strings.Repeat(" ", much)), 413},
		{"body of no route", "POST /nothing HTTP/1.1\nHost: HOST\n" + auth + body(strings.Repeat(" ", much)), 404},
	} {
		t.Run(test.name, func(t *testing.T) {
			if resp, got := r.send(t, "tcp", test.request); resp.StatusCode != test.status {
				t.Errorf("got %d %s, want %d", resp.StatusCode, got, test.status)
			}
		})
	}
}

// If several requests are sent at once, each is checked by its own head.
func TestRequestsInOnePiece(t *testing.T) {
	const status = "GET / HTTP/1.1\nHost: HOST\n" + auth + "\n"
	ambiguous := "POST /act HTTP/1.1\nHost: HOST\n" + auth + "Content-Length: 5\nTransfer-Encoding: chunked\n\n0\n\n"
	looksLikeAHead := "{\n\nContent-Length: 1\nContent-Length: 1\n\n}"
	for _, test := range []struct {
		name, requests string
		statuses       []int // statuses of the answers, until the connection ends
	}{
		{"two", status + strings.Replace(status, auth, "Connection: close\n"+auth, 1), []int{200, 200}},
		{"a body like a head", "POST /act HTTP/1.1\nHost: HOST\n" + auth + body(looksLikeAHead) + strings.Replace(status, auth, "Connection: close\n"+auth, 1), []int{400, 200}},
		{"an ambiguous one first", ambiguous + status, []int{400}},
		{"one after a chunked body", "POST /snapshot HTTP/1.1\nHost: HOST\n" + auth + "Content-Type: application/json\nTransfer-Encoding: chunked\n\n2\n{}\n0\n\n" + ambiguous, []int{200}},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := start(t)
			if got := r.sendAll(t, test.requests); !slices.Equal(got, test.statuses) {
				t.Errorf("got %v, want %v", got, test.statuses)
			}
		})
	}
	t.Run("an ambiguous one last", func(t *testing.T) {
		r := start(t)
		got := r.sendAll(t, status+ambiguous+status)
		if len(got) == 0 || got[len(got)-1] != 400 {
			t.Errorf("got %v, want a 400 and the end", got)
		}
	})
}

// sendAll sends requests on one connection and returns the statuses of the answers.
func (r *running) sendAll(t *testing.T, requests string) (statuses []int) {
	t.Helper()
	conn, err := net.Dial("tcp", r.addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(20 * time.Second))
	requests = strings.ReplaceAll(strings.ReplaceAll(requests, "HOST", r.addr), "\n", "\r\n")
	if _, err := io.WriteString(conn, requests); err != nil {
		t.Fatal(err)
	}
	answers := bufio.NewReader(conn)
	for {
		resp, err := http.ReadResponse(answers, nil)
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return statuses
		}
		if err != nil {
			t.Fatalf("after %v: %v", statuses, err)
		}
		io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		statuses = append(statuses, resp.StatusCode)
	}
}

// A client with a newer protocol version gets an error that says so, before anything is done. Programs
// that name no version are served. If a client of chela calls a route that this server does not have,
// the error says that the versions differ.
func TestVersionsDiffer(t *testing.T) {
	r := start(t)
	for _, c := range []struct {
		name, path, header string
		status             int
		want               string
	}{
		{"another program", "/act", "", 200, "ok"},
		{"the same version", "/act", "X-Chela-Protocol: 1\n", 200, "ok"},
		{"a newer client", "/act", "X-Chela-Protocol: 3\n", 409, "the server is older than this client: the client sends messages of version 3, and the server knows 2"},
		{"no version", "/act", "X-Chela-Protocol: new\n", 400, "must be a number"},
		{"a new operation", "/new", "X-Chela-Protocol: 1\n", 404, "the server, chela test, does not know this operation"},
		{"what does not exist", "/new", "", 404, "no such route"},
	} {
		resp, answer := r.send(t, "tcp", "POST "+c.path+" HTTP/1.1\nHost: HOST\n"+auth+c.header+body(`{"kind":"click","ref":"e1"}`))
		if resp.StatusCode != c.status || !strings.Contains(answer, c.want) {
			t.Errorf("%s: got %s %s", c.name, resp.Status, answer)
		}
		if called := r.called(); (called != "") != (c.status == 200) {
			t.Errorf("%s: called %q", c.name, called)
		}
	}
}
