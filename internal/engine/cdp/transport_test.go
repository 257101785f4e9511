package cdp

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	proto "github.com/chromedp/cdproto/cdp"
	"github.com/coder/websocket"
)

func TestPipeFramesEndWithNUL(t *testing.T) {
	commands, toBrowser := io.Pipe()
	fromBrowser, replies := io.Pipe()
	go func() { // the browser sends a reply that ends with NUL, in pieces
		frame := make([]byte, 1024)
		n, _ := commands.Read(frame)
		if string(frame[:n]) != `{"id":1,"method":"Browser.getVersion"}`+"\x00" {
			replies.CloseWithError(io.ErrUnexpectedEOF)
			return
		}
		io.WriteString(replies, `{"id":1,"result":{"pro`)
		io.WriteString(replies, `duct":"`+strings.Repeat("x", 3*pipeBuffer))
		io.WriteString(replies, `"}}`+"\x00"+`{"id":9,`)
	}()
	c := NewConn(Pipe(fromBrowser, toBrowser), Options{})
	defer c.Close()
	got, err := Call(soon(t), c.Root(), version, proto.Empty{})
	if err != nil || len(got.Product) != 3*pipeBuffer {
		t.Errorf("%d bytes, %v, want %d", len(got.Product), err, 3*pipeBuffer)
	}
}

// A reply that is longer than its caller allows is an error with the beginning of the reply. A long
// event that reports something is counted, even if it is also Structure. Later messages are read. The same holds for a
// transport that reads each message as a whole.
func TestLongMessagesAreLeftOut(t *testing.T) {
	leavesOutLong(t, func(pipe Transport) Transport { return pipe })
	leavesOutLong(t, func(pipe Transport) Transport { return struct{ Transport }{pipe} })
}

func leavesOutLong(t *testing.T, by func(pipe Transport) Transport) {
	t.Helper()
	commands, toBrowser := io.Pipe()
	fromBrowser, replies := io.Pipe()
	go func() {
		long := strings.Repeat("x", 2*maxReported)
		await := func() { commands.Read(make([]byte, 1024)) }
		await()
		io.WriteString(replies, `{"method":"Log.entryAdded","params":{"text":"`+long+`"}}`+"\x00")
		io.WriteString(replies, `{"method":"Network.requestWillBeSent","params":{"url":"`+long+`"}}`+"\x00")
		io.WriteString(replies, `{"id":1,"result":{"product":"`+long+`"}}`+"\x00")
		await()
		io.WriteString(replies, `{"id":2,"result":{"product":"short"}}`+"\x00")
	}()
	c := NewConn(by(Pipe(fromBrowser, toBrowser)), Options{Class: func(method string) Class {
		return map[string]Class{"Network.requestWillBeSent": Structure}[method] | Observation
	}})
	defer c.Close()
	_, err := CallWithin(soon(t), c.Root(), version, proto.Empty{}, 3*pipeBuffer)
	large, ok := errors.AsType[*LargeError](err)
	if !ok || large.Bytes < 2*maxReported || !strings.HasPrefix(string(large.Beginning), `{"product":"xxx`) || len(large.Beginning) > 3*pipeBuffer {
		t.Errorf("got %v", err)
	}
	if got, err := Call(soon(t), c.Root(), version, proto.Empty{}); err != nil || got.Product != "short" {
		t.Errorf("after it: %+v, %v", got, err)
	}
	if lost := c.Root().Observations().TakeLost(); lost["Log.entryAdded"] != 1 || lost["Network.requestWillBeSent"] != 1 {
		t.Errorf("lost events: %v", lost)
	}
	if got := c.limitOf([]byte(`{"id":2,"result":{`)); got != 1 {
		t.Errorf("of a reply that nobody awaits, %d bytes are read", got)
	}
}

func TestDial(t *testing.T) {
	big := strings.Repeat("x", 1<<20)
	endpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer t" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		ws, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		defer ws.CloseNow()
		if _, _, err := ws.Read(r.Context()); err == nil {
			ws.Write(r.Context(), websocket.MessageText, []byte(`{"id":1,"result":{"product":"`+big+`"}}`))
		}
		ws.Read(r.Context()) // returns when the client leaves
	}))
	defer endpoint.Close()
	transport, err := Dial(soon(t), endpoint.URL, DialOptions{Header: http.Header{"Authorization": {"Bearer t"}}})
	if err != nil {
		t.Fatal(err)
	}
	c := NewConn(transport, Options{})
	defer c.Close()
	got, err := Call(soon(t), c.Root(), version, proto.Empty{})
	if err != nil || got.Product != big {
		t.Errorf("%d bytes, %v, want %d", len(got.Product), err, len(big))
	}
	if _, err := Dial(soon(t), endpoint.URL, DialOptions{}); err == nil {
		t.Error("dialled without the token")
	}
}

func TestDialFollowsNoRedirect(t *testing.T) {
	reached := false
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	defer elsewhere.Close()
	endpoint := httptest.NewServer(http.RedirectHandler(elsewhere.URL, http.StatusFound))
	defer endpoint.Close()
	if _, err := Dial(soon(t), endpoint.URL, DialOptions{Header: http.Header{"Authorization": {"Bearer t"}}}); err == nil || reached {
		t.Errorf("error = %v, reached elsewhere = %v", err, reached)
	}
}
