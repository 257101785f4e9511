package extension

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"chela/internal/base/refusals"
)

// logged redirects the log of slog to a buffer until the test ends. The relay holds its mutex while
// it logs, so a test reads the buffer after a call of the relay.
func logged(t *testing.T) *bytes.Buffer {
	var log bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	t.Cleanup(func() { slog.SetDefault(before) })
	return &log
}

// A page that looks for the port is refused each time, and logged once.
func TestRefusalsAreLoggedOnceAMinute(t *testing.T) {
	log := logged(t)
	r, _, url := newRelay(t)
	page := http.Header{"Origin": {"http://evil.example/" + strings.Repeat("x", 1000)}}
	for range 50 {
		if _, answer, err := dialAs(t, url, page, ""); err == nil || answer.StatusCode != http.StatusForbidden {
			t.Fatalf("a page: %v, %v", answer, err)
		}
	}
	later := time.Now().Add(refusals.Every)
	r.refused.Refused("only chela's extension may connect", "", later)
	r.refused.Refused("another reason", "", later)
	lines := strings.Split(strings.TrimSpace(log.String()), "\n")
	if len(lines) != 3 || !strings.Contains(lines[0], "http://evil.example/xx") || len(lines[0]) > 400 || !strings.Contains(lines[1], "before=49") ||
		!strings.Contains(lines[2], "before=0") {
		t.Errorf("logged %s", log)
	}
}

// If a paired extension breaks the protocol, only its own connection ends. It may connect again.
func TestBadFramesEndOneConnection(t *testing.T) {
	logged(t)
	r, key, url := newRelay(t)
	second, err := r.Grant("Another browser")
	if err != nil {
		t.Fatal(err)
	}
	other := join(t, url, second, 1, hello{})
	other.expectGreeted(r)
	go other.answerPings() // from now on: the oversized frame takes long with the race detector
	generation := int64(0)
	prove := func() *worker {
		w := dial(t, url)
		generation++
		if ok := w.prove(key, firstRun, generation); ok.Kind != "ok" {
			t.Fatalf("got %+v", ok)
		}
		return w
	}
	for _, first := range []any{"no JSON", "[]", `{"n": "1"}`, map[string]any{}, map[string]any{"hello": hello{Run: strings.Repeat("f", 32)}}} {
		w := prove()
		w.send(first)
		w.refused(400)
	}
	for _, next := range []string{"{", `{"tab": {}}`, `"hello"`} {
		w := prove()
		w.send(map[string]any{"hello": hello{Run: firstRun}})
		w.send(next)
		w.refused(400)
	}
	w := prove()
	w.send(map[string]any{"hello": hello{Run: firstRun}})
	// The server does not read it to its end, so the write may fail.
	w.conn.Write(soon(t), websocket.MessageText, bytes.Repeat([]byte(" "), maxFrame+1))
	for {
		if _, err := w.read(); err != nil {
			if code := websocket.CloseStatus(err); code != websocket.StatusMessageTooBig && code != -1 { // -1: the connection was reset
				t.Errorf("after an oversized frame: %v", err)
			}
			break
		}
	}
	again := prove()
	again.send(map[string]any{"hello": hello{Run: firstRun}})
	go again.answerPings()
	again.expectListed(r, 2)
	for _, id := range []string{key.ID, second.ID} {
		if _, err := r.Ping(soon(t), id); err != nil {
			t.Errorf("%s: %v", id, err)
		}
	}
}

// answerPings answers pings until the connection ends.
func (w *worker) answerPings() {
	for {
		f, err := w.read()
		if err != nil || w.conn.Write(context.Background(), websocket.MessageText, encode(map[string]int64{"pong": f.Ping})) != nil {
			return
		}
	}
}

// expectListed waits until this number of browsers is connected.
func (w *worker) expectListed(r *Relay, want int) {
	w.t.Helper()
	for deadline := time.Now().Add(within); ; time.Sleep(5 * time.Millisecond) {
		n := 0
		for _, b := range r.Browsers() {
			if b.Connected {
				n++
			}
		}
		if n == want {
			return
		}
		if time.Now().After(deadline) {
			w.t.Fatalf("%d browsers are connected, want %d", n, want)
		}
	}
}

func TestPingOfABrowserThatIsAway(t *testing.T) {
	r, key, url := newRelay(t)
	for _, id := range []string{key.ID, "ffffffffffffffff"} {
		if _, err := r.Ping(soon(t), id); err != ErrAway {
			t.Errorf("%s: %v", id, err)
		}
	}
	w := join(t, url, key, 1, hello{})
	w.expectGreeted(r)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := r.Ping(ctx, key.ID); err != ErrAway { // the worker answers nothing
		t.Errorf("a browser that hangs: %v", err)
	}
}

func TestReach(t *testing.T) {
	r := New(Options{Dir: t.TempDir(), ID: testID, Address: "127.0.0.1:0"})
	defer r.Close()
	address, err := r.Reach(soon(t))
	if err != nil || address == r.Address {
		t.Errorf("reached %s, %v", address, err)
	}
	if _, answer, err := dialAs(t, "http://"+address, http.Header{"Origin": {"http://evil.example"}}, ""); err == nil || answer.Header.Get(instanceHeader) != "" {
		t.Errorf("a page is told the relay's name: %v, %v", answer, err)
	}

	taken := New(Options{Dir: t.TempDir(), ID: testID, Address: address})
	if _, err := taken.Reach(soon(t)); err == nil {
		t.Error("a port of another was opened")
	}
	stranger := httptest.NewServer(http.NotFoundHandler())
	defer stranger.Close()
	r.listener = stranger.Listener
	if _, err := r.Reach(soon(t)); !errors.Is(err, ErrOtherProgram) {
		t.Errorf("another program at the port: %v", err)
	}
}
