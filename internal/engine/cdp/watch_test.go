package cdp

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/coder/websocket"

	proto "github.com/chromedp/cdproto/cdp"
)

// answering returns a connection to a server that answers only commands to the browser itself. It
// answers at most as many as the parameter questions says.
func answering(t *testing.T, questions int, w Watch) *Conn {
	s := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		ws, err := websocket.Accept(rw, r, nil)
		if err != nil {
			return
		}
		defer ws.CloseNow()
		for n := 0; ; {
			_, message, err := ws.Read(r.Context())
			if err != nil {
				return
			}
			if id, ok := strings.CutSuffix(string(message), `,"method":"Browser.getVersion"}`); ok && n < questions {
				n++
				ws.Write(r.Context(), websocket.MessageText, []byte(id+`,"result":{}}`))
			}
		}
	}))
	t.Cleanup(s.Close)
	transport, err := Dial(soon(t), s.URL, DialOptions{})
	if err != nil {
		t.Fatal(err)
	}
	c := NewConn(transport, Options{Watch: w, Elsewhere: true})
	t.Cleanup(func() { c.Close() })
	return c
}

// A connection that delivers nothing any more ends, with the calls that wait. Before that it
// reports that it is silent.
func TestSilent(t *testing.T) {
	c := answering(t, 2, Watch{Quiet: 10 * time.Millisecond, Silent: 40 * time.Millisecond, End: 400 * time.Millisecond})
	if _, err := Call(soon(t), c.Root(), version, proto.Empty{}); err != nil || c.Silent() {
		t.Fatalf("%v, silent %v", err, c.Silent())
	}
	brief, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if _, err := Call(brief, c.Root(), page.Reload, page.ReloadParams{}); !errors.Is(err, context.DeadlineExceeded) || !c.Silent() {
		t.Errorf("a call with little time: %v, silent %v", err, c.Silent())
	}
	_, err := Call(soon(t), c.Root(), page.Reload, page.ReloadParams{})
	if !errors.Is(err, ErrSilent) || !errors.Is(err, ErrWebSocketEnded) || !errors.Is(err, ErrClosed) {
		t.Errorf("a call with much time: %v", err)
	}
}

// hung returns a connection to a browser that takes what is written, and never answers.
func hung(t *testing.T, w Watch) *Conn {
	replies, _ := io.Pipe()
	taken, commands := io.Pipe()
	go io.Copy(io.Discard, taken)
	c := NewConn(Pipe(replies, commands), Options{Watch: w})
	t.Cleanup(func() { c.Close() })
	return c
}

// A browser that hangs keeps its pipe open, and takes what is written. Callers who try again and
// again do not keep it alive.
func TestHungBrowser(t *testing.T) {
	c := hung(t, Watch{Quiet: 50 * time.Millisecond, End: 200 * time.Millisecond})
	for again := soon(t); ; {
		brief, cancel := context.WithTimeout(again, 20*time.Millisecond)
		_, err := Call(brief, c.Root(), page.Reload, page.ReloadParams{})
		cancel()
		switch {
		case again.Err() != nil:
			t.Fatal("the connection did not end")
		case errors.Is(err, context.DeadlineExceeded):
			continue
		case !errors.Is(err, ErrSilent) || errors.Is(err, ErrWebSocketEnded):
			t.Errorf("got %v", err)
		}
		return
	}
}

// If a check comes late, the whole machine may have been stopped. The browser is pinged again, and
// has its time for the answer.
func TestLateCheck(t *testing.T) {
	c := hung(t, Watch{Quiet: time.Hour, End: 2 * time.Hour})
	Send(c.Root(), version, proto.Empty{})
	c.watch.last = func() (read, written time.Time) { return }
	for late, want := range map[time.Duration]step{0: end, 3 * time.Hour: ask} {
		c.watch.asked, c.watch.due = time.Now().Add(-5*time.Hour), time.Now().Add(-late)
		if got := c.watch.next(); got != want {
			t.Errorf("a check that is late by %v: got %v, want %v", late, got, want)
		}
	}
}

// While a ping is unanswered, checks go on: its answer may come late, and then nothing any more.
func TestChecksGoOn(t *testing.T) {
	c := hung(t, Watch{Quiet: time.Minute, End: time.Hour})
	Send(c.Root(), version, proto.Empty{})
	c.watch.last = func() (read, written time.Time) { return }
	c.watch.asked, c.watch.due = time.Now().Add(-10*time.Minute), time.Now()
	if got, next := c.watch.next(), time.Until(c.watch.due); got != wait || next > time.Minute {
		t.Errorf("got %v, and the next check comes after %v", got, next)
	}
}

// A page may be busy for as long as it likes, if the browser answers.
func TestBusyIsNotSilent(t *testing.T) {
	c := answering(t, 1000, Watch{Quiet: time.Millisecond, Silent: time.Second, End: 10 * time.Second})
	brief, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err := Call(brief, c.Root(), page.Reload, page.ReloadParams{})
	if _, failed := Call(soon(t), c.Root(), version, proto.Empty{}); !errors.Is(err, context.DeadlineExceeded) || c.Silent() || failed != nil {
		t.Errorf("%v, silent %v, %v", err, c.Silent(), failed)
	}
}
