package server

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"
)

// A client is a connection on which a test writes requests and reads answers as bytes.
type client struct {
	net.Conn
	answers *bufio.Reader
	host    string
}

// connect opens a connection, which is closed at the end of the test.
func (r *running) connect(t *testing.T, network string) client {
	t.Helper()
	addr, host := r.addr, r.addr
	if network == "unix" {
		addr, host = r.socket, "chela"
	}
	conn, err := dial(network, addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	conn.SetDeadline(time.Now().Add(20 * time.Second))
	return client{conn, bufio.NewReader(conn), host}
}

// write sends a part of a request.
func (c client) write(part string) {
	io.WriteString(c, strings.NewReplacer("HOST", c.host, "\n", "\r\n").Replace(part)) // an error is ignored: answer finds out whether the server has closed the connection
}

// answer returns the status of the next answer; 0 if the server has closed the connection.
func (c client) answer(t *testing.T) int {
	t.Helper()
	resp, err := http.ReadResponse(c.answers, nil)
	if err, slow := err.(net.Error); slow && err.Timeout() {
		t.Fatal("the server neither answers nor closes the connection")
	}
	if err != nil {
		return 0
	}
	defer resp.Body.Close()
	io.Copy(io.Discard, resp.Body)
	return resp.StatusCode
}

// The server does not wait for ever for bytes that do not arrive.
func TestSlowClients(t *testing.T) {
	const soon, never = 50 * time.Millisecond, time.Hour
	const status = "GET / HTTP/1.1\nHost: HOST\n" + auth + "\n"
	const head = "POST /snapshot HTTP/1.1\nHost: HOST\n" + auth + "Content-Type: application/json\n"
	for _, test := range []struct {
		name     string
		limits   limits
		requests string
		statuses []int // statuses of the answers, until the connection ends
	}{
		{"nothing", limits{head: soon, request: never, idle: never}, "", []int{0}},
		{"a part of the first line", limits{head: soon, request: never, idle: never}, "GET / HT", []int{400, 0}},
		{"a part of a header", limits{head: soon, request: never, idle: never}, "GET / HTTP/1.1\nHost: HO", []int{0}},
		{"a head without its end", limits{head: soon, request: never, idle: never}, "GET / HTTP/1.1\nHost: HOST\n" + auth, []int{0}},
		{"a part of the second head", limits{head: soon, request: never, idle: never}, status + "GET / HT", []int{200, 400, 0}},
		{"no body", limits{head: never, request: soon, idle: never}, head + "Content-Length: 10\n\n", []int{400, 0}},
		{"a part of the body", limits{head: never, request: soon, idle: never}, head + "Content-Length: 10\n\n{}", []int{400, 0}},
		{"a part of a chunk", limits{head: never, request: soon, idle: never}, head + "Transfer-Encoding: chunked\n\n5\n{}", []int{400, 0}},
		{"no further chunk", limits{head: never, request: soon, idle: never}, head + "Transfer-Encoding: chunked\n\n2\n{}\n", []int{400, 0}},
		{"the body of one without a token", limits{head: never, request: never, idle: never}, "POST /act HTTP/1.1\nHost: HOST\nAuthorization: x\nContent-Length: 10\n\n", []int{401, 0}},
		{"no second request", limits{head: never, request: never, idle: soon}, status, []int{200, 0}},
		{"a part of the second", limits{head: never, request: never, idle: soon}, status + "GE", []int{200, 0}},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := start(t, func(o *Options) { o.limits = test.limits; o.limits.conns, o.limits.drain = 10, soon })
			for _, network := range []string{"tcp", "unix"} {
				c := r.connect(t, network)
				c.write(test.requests)
				for i, want := range test.statuses {
					if got := c.answer(t); got != want {
						t.Errorf("%s: answer %d is %d, want %d", network, i, got, want)
					}
				}
			}
		})
	}
}

// Many slow clients do not harm others: connections with the secret stay open, running calls go on,
// and new calls are answered soon.
func TestSlowCrowd(t *testing.T) {
	r := start(t, func(o *Options) { o.limits = usualLimits; o.limits.conns = 50 })
	const status = "GET / HTTP/1.1\nHost: HOST\n" + auth + "\n"
	good, local, calling := r.connect(t, "tcp"), r.connect(t, "unix"), r.connect(t, "tcp")
	calling.write("POST /hold HTTP/1.1\nHost: HOST\n" + auth + "\n")
	<-r.entered
	fastest := func() time.Duration {
		least := time.Hour
		for range 50 {
			for _, c := range []client{good, local} {
				began := time.Now()
				c.write(status)
				if got := c.answer(t); got != 200 {
					t.Fatalf("got %d", got)
				}
				least = min(least, time.Since(began))
				r.called()
			}
		}
		return least
	}
	alone := fastest()
	for i := range 200 {
		slow := r.connect(t, "tcp")
		slow.write([]string{"", "GET / HT", "GET / HTTP/1.1\nHost: HOST\n", "POST /act HTTP/1.1\nHost: HOST\nContent-Length: 9\n\n"}[i%4])
	}
	if got := fastest(); got > 3*alone {
		t.Errorf("a call takes %v beside the crowd, %v alone", got, alone)
	}
	if resp, _ := r.send(t, "tcp", "GET / HTTP/1.1\nHost: HOST\n"+auth+"\n"); resp.StatusCode != 200 {
		t.Errorf("a new client gets %d", resp.StatusCode)
	}
	r.stop()
	if got := calling.answer(t); got != 503 {
		t.Errorf("the call that ran meanwhile: %d", got)
	}
}

// net/http writes the last piece of a stream after the handler has returned. If the server shuts down
// at that moment, the stream is still sent completely.
func TestStreamAtTheEnd(t *testing.T) {
	tcp, err := ListenTCP(0)
	if err != nil {
		t.Fatal(err)
	}
	l := &lastPieces{tcp[0], make(chan struct{}), make(chan struct{})}
	r := &running{target: &target{calls: make(chan string, 1)}, addr: l.Addr().String(), ended: make(chan error, 1)}
	r.serve(t, Options{Table: table, Runner: r.target, Token: func() string { return token }, Follow: func(_ context.Context, _ string, send func(any) error) error { return send("all") }}, l)
	stream := r.connect(t, "tcp")
	stream.write("GET /downloads HTTP/1.1\nHost: HOST\n" + auth + "\n")
	<-l.reached
	silent := r.connect(t, "tcp") // the shutdown closes connections in the order of their beginning, so this one is closed after the stream's
	if resp, _ := r.send(t, "tcp", "GET / HTTP/1.1\nHost: HOST\n"+auth+"Connection: close\n\n"); resp.StatusCode != 200 {
		t.Errorf("got %d", resp.StatusCode) // by now, the server has the silent connection
	}
	r.stop()
	if got := silent.answer(t); got != 0 {
		t.Errorf("the end answers %d to a client that has asked nothing", got)
	}
	close(l.mayGo)
	resp, err := http.ReadResponse(stream.answers, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(resp.Body); err != nil || string(got) != "\"all\"\n" {
		t.Errorf("got %q, %v", got, err)
	}
}

// lastPieces is a listener whose connections block the last piece of each stream until mayGo is closed.
type lastPieces struct {
	net.Listener
	reached, mayGo chan struct{}
}

func (l *lastPieces) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	return lastPiece{c, l}, err
}

type lastPiece struct {
	net.Conn
	l *lastPieces
}

func (c lastPiece) Write(b []byte) (int, error) {
	if string(b) == "0\r\n\r\n" {
		close(c.l.reached)
		<-c.l.mayGo
	}
	return c.Conn.Write(b)
}

// When there was no request for some time, the server collects its garbage and frees the memory.
func TestRest(t *testing.T) {
	forced := func() uint32 {
		var stats runtime.MemStats
		runtime.ReadMemStats(&stats)
		return stats.NumForcedGC
	}
	r := start(t, func(o *Options) { o.limits = usualLimits; o.limits.rest = time.Millisecond })
	for range 2 { // it rests after each request
		before := forced()
		c := r.connect(t, "tcp")
		c.write("GET / HTTP/1.1\nHost: HOST\n" + auth + "\n")
		if status := c.answer(t); status != 200 {
			t.Fatal("got", status)
		}
		for deadline := time.Now().Add(10 * time.Second); forced() == before; time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatal("the server has freed no memory")
			}
		}
	}
}
