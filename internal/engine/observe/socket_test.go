package observe

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/network"

	"chela/internal/engine/cdp"
	"chela/internal/engine/journal"
)

// Chromium writes the id of a request first. Through an extension, the parameters come in
// alphabetical order.
func TestRequestIn(t *testing.T) {
	for params, want := range map[string]network.RequestID{
		`{"requestId":"7.1","response":{"requestId":"x"}}`:            "7.1",
		`{"frameId":"F","requestId":"7.1","response":{"headers":{}}}`: "7.1",
		`{"frameId":"F"}`: "",
	} {
		if got := RequestIn(cdp.Event{Params: []byte(params)}); got != want {
			t.Errorf("%s: got %q, want %q", params, got, want)
		}
	}
}

// A WebSocket is a request in the event log, from its handshake until it is closed. The entry has
// the number of its frames, whatever they contain.
func TestWebSockets(t *testing.T) {
	const (
		created  = `Created {"requestId":"1","url":"ws://a.test/s","initiator":{"type":"script"}}`
		sent     = `WillSendHandshakeRequest {"requestId":"1","timestamp":1,"wallTime":100,"request":{"headers":{"x":"A"}}}`
		answered = `HandshakeResponseReceived {"requestId":"1","timestamp":2,"response":{"status":101,"statusText":"Switching Protocols",` +
			`"headers":{"x":"B"},"requestHeaders":{"x":"C","Cookie":"a=1"}}}`
		refused = `FrameError {"requestId":"1","timestamp":2,"errorMessage":"Error in connection establishment: net::ERR_CONNECTION_REFUSED"}`
		broken  = `FrameError {"requestId":"1","timestamp":2,"errorMessage":"Invalid frame header"}`
		closed  = `Closed {"requestId":"1","timestamp":3}`
	)
	frame := func(way, id, content string) string {
		return fmt.Sprintf(`Frame%s {"requestId":%q,"timestamp":2,"response":{"opcode":1,"mask":false,"payloadData":%q}}`, way, id, content)
	}
	for _, c := range []struct {
		name   string
		events []string
		want   string // URL, status, headers, end, frames, failure
	}{
		{"open", []string{created, sent, answered, frame("Sent", "1", "hi"), frame("Received", "1", "ho"), frame("Received", "1", strings.Repeat("x", 1000))},
			"ws://a.test/s 101 C*>B* 0 1/2"},
		{"closed", []string{created, sent, answered, closed}, "ws://a.test/s 101 C*>B* 3 0/0"},
		{"refused", []string{created, sent, refused, closed}, "ws://a.test/s 0 A> 3 0/0 net::ERR_CONNECTION_REFUSED"},
		{"broken", []string{created, sent, answered, broken, closed}, "ws://a.test/s 101 C*>B* 3 0/0 WebSocket error"},
		{"forbidden", []string{created, closed}, "ws://a.test/s 0 > 3 0/0"},
		{"another one", []string{created, sent, frame("Sent", "2", `{"requestId":"1"`)}, "ws://a.test/s 0 A> 0 0/0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o, requests := requestsAfter(t, "Network.webSocket", c.events)
			if len(requests) != 1 {
				t.Fatalf("%d requests, want 1", len(requests))
			}
			s := requests[0]
			got, failure := describe(s), ""
			if s.Failure != "" {
				got, failure = strings.TrimSpace(strings.TrimSuffix(got, s.Failure)), " "+s.Failure
			}
			if got := fmt.Sprintf("%s %v %d/%d%s", got, s.Ended, s.Frames.Sent, s.Frames.Received, failure); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if s.Type != journal.WebSocket || s.Sent > s.Ended && s.Ended > 0 {
				t.Errorf("got %+v", s)
			}
			if left := len(o.sockets.byID); s.Ended > 0 && left != 0 {
				t.Errorf("%d are kept after the end", left)
			}
		})
	}
}
