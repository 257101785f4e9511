package client

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"
	"time"

	"chela/internal/op"
)

type request struct {
	Ref      string   `json:"ref,omitempty" doc:"element"`
	TargetID string   `json:"targetId,omitempty" doc:"tab"`
	Values   []string `json:"values,omitempty" doc:"options"`
	Depth    int      `json:"depth,omitempty" doc:"levels"`
	op.Timeout
}

type answer struct{}

func define(route string, settings ...op.Setting) *op.Op {
	return op.Define(route, "x", "X.", func(context.Context, any, request) (answer, error) { return answer{}, nil }, settings...)
}

// serve starts a server for the time of the test, and returns a client for it.
func serve(t *testing.T, handler http.HandlerFunc) *Client {
	socket := filepath.Join(t.TempDir(), "s")
	listener, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	srv := &http.Server{Handler: handler}
	go srv.Serve(listener)
	t.Cleanup(func() { srv.Close() })
	return Unix(always(socket), Secret{})
}

func TestArgumentsGoWhereTheRouteWantsThem(t *testing.T) {
	closing := define("DELETE /tabs/{targetId}", op.Also("POST /act kind=close"))
	tests := []struct {
		name string
		op   *op.Op
		args string
		want string
	}{
		{"query", define("GET /snapshot"), `{"ref":"e 1","depth":3,"values":["a","b"]}`, "GET /snapshot?depth=3&ref=e+1&values=a&values=b "},
		{"nothing", define("POST /start"), `{}`, "POST /start "},
		{"body", define("POST /act kind=click"), `{"ref":"e1","depth":2}`, `POST /act {"depth":2,"kind":"click","ref":"e1"}`},
		{"path", closing, `{"targetId":"a/b c"}`, "DELETE /tabs/a%2Fb%20c "},
		{"path of dots", closing, `{"targetId":".."}`, "DELETE /tabs/%2E%2E "},
		{"the route that can be filled", closing, `{}`, `POST /act {"kind":"close"}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got string
			c := serve(t, func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				got = r.Method + " " + r.URL.RequestURI() + " " + string(body)
				io.WriteString(w, "{\"ok\":true}\n")
			})
			var args op.Args
			if err := json.Unmarshal([]byte(test.args), &args); err != nil {
				t.Fatal(err)
			}
			raw, err := c.Run(t.Context(), test.op, args)
			if err != nil || string(raw) != `{"ok":true}` {
				t.Errorf("answer: got %s, %v", raw, err)
			}
			if got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	tests := []struct {
		name, body string
		status     int
		code       op.Code
		message    string
	}{
		{"of the operation", `{"error":"no tab","code":"not_found","hint":"chela tabs"}`, 404, op.NotFound, "no tab"},
		{"of somebody else", `<html>`, 502, op.Internal, "the server answered 502 Bad Gateway"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := serve(t, func(w http.ResponseWriter, r *http.Request) {
				w.WriteHeader(test.status)
				io.WriteString(w, test.body)
			})
			_, err := c.Run(t.Context(), define("GET /"), nil)
			e, ok := errors.AsType[*op.Error](err)
			if !ok || e.Code != test.code || e.Error() != test.message {
				t.Errorf("got %v", err)
			}
		})
	}
}

// The caller gets the progress of a call before the answer, if Client.Progress is set and its context
// wants progress.
func TestProgress(t *testing.T) {
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get(op.ProgressHeader) != "" {
			w.Header().Set(op.ProgressHeader, `{"done":1,"total":2,"doing":"this"}`)
			w.WriteHeader(http.StatusProcessing)
			w.Header().Del(op.ProgressHeader)
		}
		io.WriteString(w, `{"ok":true}`)
	})
	var got []string
	run := func(ctx context.Context) {
		t.Helper()
		if raw, err := c.Run(ctx, define("GET /"), nil); err != nil || string(raw) != `{"ok":true}` {
			t.Errorf("got %s, %v", raw, err)
		}
	}
	listening := op.WithProgress(t.Context(), func(done, total int, doing string) { got = append(got, fmt.Sprint(done, "/", total, " ", doing)) })
	run(listening) // the client does not ask for progress
	c.Progress = true
	run(t.Context())
	run(listening)
	if !slices.Equal(got, []string{"1/2 this"}) {
		t.Errorf("got %q", got)
	}
}

// If a call is cancelled while its progress function runs, the call returns after that function. It
// reports no progress after that.
func TestNoProgressAfterACall(t *testing.T) {
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set(op.ProgressHeader, `{"done":1,"total":2,"doing":"this"}`)
		w.WriteHeader(http.StatusProcessing)
		<-r.Context().Done()
	})
	c.Progress = true
	ctx, cancel := context.WithCancel(t.Context())
	returned, reported := make(chan struct{}), make(chan struct{})
	c.Run(op.WithProgress(ctx, func(int, int, string) {
		defer close(reported)
		cancel()
		select {
		case <-returned:
			t.Error("the call returned during a report")
		case <-time.After(100 * time.Millisecond): // a call that does not wait would have returned by now
		}
	}), define("GET /"), nil)
	close(returned)
	<-reported
}

func TestNoServer(t *testing.T) {
	_, err := Unix(always(t.TempDir()+"/none"), Secret{}).Run(t.Context(), define("GET /"), nil)
	if !errors.Is(err, ErrNoServer) || op.AsError(err).Hint == "" {
		t.Errorf("got %v", err)
	}
}

func TestDeadline(t *testing.T) {
	held := make(chan struct{})
	c := serve(t, func(w http.ResponseWriter, r *http.Request) { <-held })
	defer close(held)
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	_, err := c.Run(ctx, define("GET /"), nil)
	if e := op.AsError(err); e.Code != op.Deadline || !strings.Contains(e.Error(), "did not answer") {
		t.Errorf("got %v", err)
	}
}

// A server that hangs while it is sent a file does not hold up the sender for ever.
func TestRequestsHaveALimit(t *testing.T) {
	hangs := make(chan struct{})
	c := serve(t, func(_ http.ResponseWriter, r *http.Request) { <-hangs })
	defer close(hangs)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, c.base+"/files", strings.NewReader("a file"))
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		_, err := c.answer(req, 10*time.Millisecond)
		done <- err
	}()
	select {
	case err := <-done:
		if !errors.Is(err, ErrSilent) {
			t.Errorf("got %v", err)
		}
	case <-time.After(10 * time.Second):
		t.Error("the request goes on without end")
	}
}

// A line of a stream may be long: many downloads may be under way.
func TestLongLinesAreFollowed(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	c := serve(t, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, long+"\nshort\n") })
	var lengths []int
	err := c.Follow(t.Context(), "/downloads", "", func(line []byte) { lengths = append(lengths, len(line)) })
	if err != nil || !slices.Equal(lengths, []int{len(long), len("short")}) {
		t.Errorf("lines of %v bytes, %v", lengths, err)
	}
}

// A deadline may pass while the connection is being made. That does not mean that there is no server,
// even if the context has not ended yet.
func TestUnanswered(t *testing.T) {
	for _, test := range []struct {
		err  error
		code op.Code
	}{
		{&net.OpError{Op: "dial", Err: context.DeadlineExceeded}, op.Deadline},
		{&net.OpError{Op: "dial", Err: os.ErrDeadlineExceeded}, op.Deadline},
		{&net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}, op.NotFound},
		{&net.OpError{Op: "read", Err: syscall.ECONNRESET}, op.Internal},
	} {
		err := Unix(always("s"), Secret{}).unanswered(t.Context(), test.err, time.Second)
		e := op.AsError(err)
		if e.Code != test.code || e.Hint == "" || errors.Is(err, ErrNoServer) != (test.code == op.NotFound) {
			t.Errorf("%v: got %v", test.err, err)
		}
	}
}

// A server that is killed may not have read all of a request. Then the request had no effect, and the
// error says so. If the server has read the whole request, it may have had an effect.
func TestServerEndsWithConnections(t *testing.T) {
	for _, test := range []struct {
		read string
		by   func(*bufio.Reader)
		none bool // the request had no effect
	}{
		{"a byte", func(r *bufio.Reader) { r.ReadByte() }, true},
		{"nothing", func(*bufio.Reader) {}, true},
		{"all", func(r *bufio.Reader) { http.ReadRequest(r) }, false},
	} {
		t.Run(test.read, func(t *testing.T) {
			socket := filepath.Join(t.TempDir(), "s")
			l, err := net.Listen("unix", socket)
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			go func() {
				conn, err := l.Accept()
				if err != nil {
					return
				}
				test.by(bufio.NewReaderSize(iotest.OneByteReader(conn), 16))
				conn.Close()
			}()
			if _, err = Unix(always(socket), Secret{}).Run(t.Context(), define("GET /"), nil); err == nil || errors.Is(err, ErrNoServer) != test.none {
				t.Errorf("got %v", err)
			}
		})
	}
}

// The client returns an answer even if the server sends it before it has read the whole request, as
// when a file is too large.
func TestAnswerBeforeAllIsSent(t *testing.T) {
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		io.ReadFull(r.Body, make([]byte, 1<<20))
		w.WriteHeader(http.StatusRequestEntityTooLarge)
		io.WriteString(w, `{"error":"the file is too large","code":"too_large"}`)
	})
	for range 20 {
		_, err := c.Send(t.Context(), "a", io.LimitReader(rand.Reader, 8<<20))
		if op.AsError(err).Code != op.TooLarge {
			t.Fatalf("got %v", err)
		}
	}
	_, err := c.Send(t.Context(), "a", iotest.ErrReader(errors.New("the disk is gone")))
	if errors.Is(err, ErrNoServer) || err == nil || !strings.Contains(err.Error(), "the disk is gone") {
		t.Errorf("with a file that cannot be read: %v", err)
	}
}

// A session is held by a connection of its own. It ends when the context ends or the server closes it.
func TestHoldSession(t *testing.T) {
	closed, end := make(chan string, 1), make(chan struct{})
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, "{}\n")
		http.NewResponseController(w).Flush()
		select {
		case <-r.Context().Done():
			closed <- r.URL.Path + " " + r.Header.Get(op.SessionHeader)
		case <-end:
		}
	})
	ctx, cancel := context.WithCancel(op.WithSession(t.Context(), "a"))
	lost, err := c.HoldSession(ctx)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	<-lost
	if got := <-closed; got != "/sessions/hold a" {
		t.Errorf("held by %s", got)
	}
	if lost, err = c.HoldSession(t.Context()); err != nil {
		t.Fatal(err)
	}
	close(end)
	<-lost
	begun := serve(t, func(w http.ResponseWriter, r *http.Request) { http.NewResponseController(w).Flush() })
	if _, err := begun.HoldSession(t.Context()); err == nil {
		t.Error("a server that waits, and then ends the answer, holds the session")
	}
	if _, err := Unix(always(t.TempDir()+"/none"), Secret{}).HoldSession(t.Context()); !errors.Is(err, ErrNoServer) {
		t.Errorf("without a server: %v", err)
	}
}

// A server that hangs is not waited for without end.
func TestHoldSessionIsLimited(t *testing.T) {
	t.Parallel()
	held := make(chan struct{})
	c := serve(t, func(w http.ResponseWriter, r *http.Request) { <-held })
	defer close(held)
	_, err := c.HoldSession(t.Context())
	if e := op.AsError(err); e.Code != op.Deadline {
		t.Errorf("got %v", err)
	}
}

// always is the path of a socket that does not change.
func always(socket string) func() string { return func() string { return socket } }

// Each call has the protocol version in a header, except the call that ends the server: a server of
// another version must accept that call.
func TestProtocolIsNamed(t *testing.T) {
	for route, want := range map[*op.Op]string{define("POST /act kind=click"): "1", define("POST /shutdown", op.EndsServer): ""} {
		c := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if got := r.Header.Get(op.ProtocolHeader); got != want {
				t.Errorf("%s: got %q, want %q", r.URL, got, want)
			}
			io.WriteString(w, "{}")
		})
		if _, err := c.Run(t.Context(), route, nil); err != nil {
			t.Error(err)
		}
	}
}
