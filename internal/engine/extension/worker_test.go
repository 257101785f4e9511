package extension

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
)

const testID = "abcdefghijklmnopabcdefghijklmnop"

// within is how long anything in these tests may take.
const within = 20 * time.Second

func soon(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), within)
	t.Cleanup(cancel)
	return ctx
}

// newRelay serves a relay over HTTP, and pairs one browser.
func newRelay(t *testing.T) (*Relay, Key, string) {
	t.Helper()
	r := New(Options{Dir: t.TempDir(), ID: testID, Address: "127.0.0.1:0"})
	server := httptest.NewServer(r)
	t.Cleanup(func() { r.Close(); server.Close() })
	key, err := r.Grant("Chromium on Linux")
	if err != nil {
		t.Fatal(err)
	}
	return r, key, server.URL
}

// A worker plays the extension in a test.
type worker struct {
	t    *testing.T
	conn *websocket.Conn
	n    int64
}

func dialAs(t *testing.T, url string, header http.Header, host string) (*worker, *http.Response, error) {
	t.Helper()
	if header == nil {
		header = http.Header{"Origin": {"chrome-extension://" + testID}}
	}
	conn, answer, err := websocket.Dial(soon(t), url+Path, &websocket.DialOptions{HTTPHeader: header, Host: host})
	if err != nil {
		return nil, answer, err
	}
	t.Cleanup(func() { conn.CloseNow() })
	conn.SetReadLimit(maxFrame)
	return &worker{t: t, conn: conn}, answer, nil
}

func dial(t *testing.T, url string) *worker {
	t.Helper()
	w, _, err := dialAs(t, url, nil, "")
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *worker) send(v any) {
	w.t.Helper()
	frame, isText := v.(string)
	if !isText {
		frame = string(encode(v))
	}
	if err := w.conn.Write(soon(w.t), websocket.MessageText, []byte(frame)); err != nil {
		w.t.Fatal(err)
	}
}

// A frame is any message that the server sends.
type frame struct {
	Kind, Nonce, Proof, Share, KeyID, Reason string
	Status                                   int
	Expires                                  int64

	ID      int64
	Do      string
	Tab     int
	Session string
	Method  string
	Params  json.RawMessage
	Ping    int64
	Seen    int64

	Name, Handle, Label, URL string // fields of the commands that concern a tab
}

func (w *worker) read() (f frame, err error) {
	_, raw, err := w.conn.Read(soon(w.t))
	if err == nil {
		err = json.Unmarshal(raw, &f)
	}
	return f, err
}

// expect returns the next frame that is not a ping, which it answers.
func (w *worker) expect() frame {
	w.t.Helper()
	for {
		f, err := w.read()
		if err != nil {
			w.t.Fatal(err)
		}
		if f.Ping == 0 {
			return f
		}
		w.send(map[string]int64{"pong": f.Ping})
	}
}

// command expects a command with this method or do, for this tab.
func (w *worker) command(what string, tab int) frame {
	w.t.Helper()
	f := w.expect()
	if got := f.Method + f.Do; got != what || f.Tab != tab {
		w.t.Fatalf("got %s for tab %d, want %s for tab %d", got, f.Tab, what, tab)
	}
	return f
}

func (w *worker) reply(f frame, result any) { w.send(map[string]any{"id": f.ID, "result": result}) }

func (w *worker) event(tab int, session, method string, params any) {
	w.n++
	w.send(map[string]any{"n": w.n, "tab": tab, "session": session, "method": method, "params": params})
}

func (w *worker) change(c map[string]any) {
	w.n++
	w.send(map[string]any{"n": w.n, "change": c})
}

const firstRun = "0123456789abcdef0123456789abcdef"

// prove does the handshake, and returns the server's answer to the proof.
func (w *worker) prove(key Key, run string, generation int64) frame {
	w.t.Helper()
	nonce := randomHex(16)
	w.send(map[string]any{"kind": "hello", "v": 1, "keyId": key.ID, "nonce": nonce})
	asked := w.expect()
	expires := strconv.FormatInt(asked.Expires, 10)
	if want := proof(key.secret(), label, "server", key.ID, nonce, asked.Nonce, expires); asked.Kind != "challenge" || asked.Proof != want {
		w.t.Fatalf("the server proved %+v, want %s", asked, want)
	}
	number := strconv.FormatInt(generation, 10)
	w.send(map[string]any{"kind": "proof", "run": run, "generation": generation,
		"proof": proof(key.secret(), label, "extension", key.ID, nonce, asked.Nonce, expires, run, number)})
	return w.expect()
}

// join returns a worker that the server has accepted, and that has sent its hello.
func join(t *testing.T, url string, key Key, generation int64, h hello) *worker {
	t.Helper()
	w := dial(t, url)
	if h.Run == "" {
		h.Run = firstRun
	}
	if ok := w.prove(key, h.Run, generation); ok.Kind != "ok" {
		t.Fatalf("got %+v, want ok", ok)
	}
	w.send(map[string]any{"hello": h})
	return w
}

// refused expects that the server ends the connection with this status.
func (w *worker) refused(status int) {
	w.t.Helper()
	for {
		f, err := w.read()
		if closed, ok := errors.AsType[websocket.CloseError](err); ok {
			if int(closed.Code) != 4000+status {
				w.t.Errorf("closed with %v, want %d", closed, 4000+status)
			}
			return
		}
		if err != nil {
			w.t.Fatal(err)
		}
		if f.Kind != "" && (f.Kind != "refused" || f.Status != status) {
			w.t.Errorf("got %+v, want status %d", f, status)
		}
	}
}

// tab returns a shared tab.
func tab(id int, url string) Tab {
	return Tab{ID: id, Target: "T" + strconv.Itoa(id), URL: url, Title: strings.ToUpper(url), Window: 7, Group: -1, Shared: "button"}
}
