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

// Messages of a WebSocket that are too long are skipped, as for a pipe, and later messages are
// read.
func TestLongMessagesOfSockets(t *testing.T) {
	long := strings.Repeat("x", 2*maxReported)
	endpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ws, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		defer ws.CloseNow()
		for _, answers := range [][]string{
			{`{"method":"Log.entryAdded","params":{"text":"` + long + `"}}`, `{"id":1,"result":{"product":"` + long + `"}}`},
			{`{"id":2,"result":{"product":"` + long + `"}}`},
			{`{"id":3,"result":{"product":"short"}}`},
		} {
			if _, _, err := ws.Read(r.Context()); err != nil {
				return
			}
			for _, each := range answers {
				to, _ := ws.Writer(r.Context(), websocket.MessageText)
				io.WriteString(to, each)
				to.Close()
			}
		}
		ws.Read(r.Context()) // returns when the client leaves
	}))
	defer endpoint.Close()
	transport, err := Dial(soon(t), endpoint.URL, DialOptions{})
	if err != nil {
		t.Fatal(err)
	}
	c := NewConn(transport, Options{Class: func(string) Class { return Observation }})
	defer c.Close()
	_, err = CallWithin(soon(t), c.Root(), version, proto.Empty{}, maxReported)
	large, ok := errors.AsType[*LargeError](err)
	if !ok || large.Bytes < 2*maxReported || !strings.HasPrefix(string(large.Beginning), `{"product":"xxx`) || len(large.Beginning) > maxReported+1 {
		t.Errorf("got %v", err)
	}
	if got, err := Call(soon(t), c.Root(), version, proto.Empty{}); err != nil || got.Product != long {
		t.Errorf("a long one that is wanted: %d bytes, %v", len(got.Product), err)
	}
	if got, err := Call(soon(t), c.Root(), version, proto.Empty{}); err != nil || got.Product != "short" {
		t.Errorf("after it: %+v, %v", got, err)
	}
	if lost := c.Root().Observations().TakeLost(); lost["Log.entryAdded"] != 1 {
		t.Errorf("lost events: %v", lost)
	}
}
