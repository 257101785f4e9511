package server

import (
	"bufio"
	"context"
	"io"
	"net"
	"testing"
	"testing/synctest"
	"time"
)

// A session ends when the last connection that holds it closes, but not when the server shuts down.
func TestHoldASession(t *testing.T) {
	ended := make(chan string, 10)
	r := start(t, func(o *Options) {
		o.EndSession = func(_ context.Context, key string) (int, error) {
			ended <- key
			return 0, nil
		}
	})
	hold := func(header string) net.Conn {
		t.Helper()
		conn, err := net.Dial("unix", r.socket)
		if err != nil {
			t.Fatal(err)
		}
		conn.SetDeadline(time.Now().Add(20 * time.Second))
		io.WriteString(conn, "GET /sessions/hold HTTP/1.1\r\nHost: chela\r\n"+header+"\r\n")
		lines := bufio.NewScanner(conn)
		for lines.Scan() {
			if lines.Text() == `{"ok":true}` {
				return conn
			}
		}
		t.Fatal("it is not held")
		return nil
	}
	one, other, none, last := hold("X-Chela-Session: a\r\n"), hold("X-Chela-Session: a\r\n"), hold(""), hold("X-Chela-Session: b\r\n")
	one.Close()
	none.Close()
	hold("X-Chela-Session: c\r\n").Close()
	if got := <-ended; got != "c" { // no session has ended before this one
		t.Errorf("session %s was ended, which another connection holds", got)
	}
	other.Close()
	if got := <-ended; got != "a" {
		t.Errorf("session %s was ended", got)
	}
	began := time.Now()
	r.stop()
	if err := <-r.ended; err != nil || time.Since(began) >= graceForCalls {
		t.Errorf("the server ended after %v: %v", time.Since(began), err)
	}
	last.Close()
	if len(ended) > 0 {
		t.Errorf("session %s has ended with the server", <-ended)
	}
}

// A session may be ending when it is held again. Then the answer begins at once, so that the client can
// tell this from a server that hangs.
func TestAnswerOfAHoldBeginsAtOnce(t *testing.T) {
	ending, goOn := make(chan struct{}, 2), make(chan struct{})
	r := start(t, func(o *Options) {
		o.EndSession = func(context.Context, string) (int, error) {
			ending <- struct{}{}
			<-goOn
			return 0, nil
		}
	})
	hold := func() (net.Conn, *bufio.Scanner) {
		conn, err := net.Dial("unix", r.socket)
		if err != nil {
			t.Fatal(err)
		}
		conn.SetDeadline(time.Now().Add(20 * time.Second))
		io.WriteString(conn, "GET /sessions/hold HTTP/1.1\r\nHost: chela\r\nX-Chela-Session: a\r\n\r\n")
		return conn, bufio.NewScanner(conn)
	}
	reads := func(lines *bufio.Scanner, want string) {
		t.Helper()
		for lines.Scan() {
			if lines.Text() == want {
				return
			}
		}
		t.Errorf("there is no line %s: %v", want, lines.Err())
	}
	first, lines := hold()
	reads(lines, `{"ok":true}`)
	first.Close()
	<-ending
	second, lines := hold()
	defer second.Close()
	reads(lines, "HTTP/1.1 200 OK")
	close(goOn)
	reads(lines, `{"ok":true}`)
}

// A session that is being ended is held again only after its end, which closes the session's tabs.
func TestHoldAfterTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var h holds
		goOn, taken := make(chan struct{}), make(chan error, 1)
		if err := h.take(t.Context(), "a"); err != nil {
			t.Fatal(err)
		}
		go h.leave("a", func() { <-goOn })
		synctest.Wait()
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		if err := h.take(gone, "a"); err == nil {
			t.Error("a client that has gone holds the session")
		}
		go func() { taken <- h.take(t.Context(), "a") }()
		synctest.Wait()
		if len(taken) > 0 {
			t.Error("the session is held while it is being ended")
		}
		close(goOn)
		if err := <-taken; err != nil {
			t.Error(err)
		}
		ended := false
		h.leave("a", func() { ended = true })
		if !ended {
			t.Error("the session was not ended with its next connection")
		}
	})
}
