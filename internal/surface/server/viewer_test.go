package server

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"chela/internal/engine/journal"
	"chela/internal/engine/page"
	"chela/internal/op"
	"chela/internal/record/live"
)

// viewed calls a function with a viewer, whose client reads or only lets the bytes come. The viewer
// has no tab. It returns when the function has returned.
func viewed(t *testing.T, reads bool, do func(*viewer)) {
	near, far := net.Pipe()
	conns := make(chan net.Conn, 1)
	conns <- near
	done := make(chan struct{})
	site := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer close(done)
		socket, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		v := newViewer(r.Context(), &Server{o: Options{limits: usualLimits}}, socket, near, new(live.Stream))
		go v.read() // pings need a reader
		do(v)
		socket.CloseNow()
	})}
	go site.Serve(pipeListener(conns))
	client := &http.Client{Transport: &http.Transport{
		DialContext: func(context.Context, string, string) (net.Conn, error) { return far, nil },
	}}
	socket, _, err := websocket.Dial(t.Context(), "ws://site/", &websocket.DialOptions{HTTPClient: client})
	if err != nil {
		t.Fatal(err)
	}
	if reads {
		go socket.Read(context.Background())
	} else {
		go io.Copy(io.Discard, far) // messages come, and are not answered
	}
	<-done
	socket.CloseNow()
	site.Close()
}

// A viewer that answers pings stays, even if it sends nothing else. For a viewer that does not answer,
// the live view ends. The clock is the test's.
func TestSilentViewer(t *testing.T) {
	for _, reads := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			viewed(t, reads, func(v *viewer) {
				time.AfterFunc(time.Hour, func() { v.end(nil) })
				v.ping()
				if got := context.Cause(v.ctx); errors.Is(got, errSilent) == reads {
					t.Errorf("a viewer that reads %t: got %v", reads, got)
				}
			})
		})
	}
}

// A viewer that does not answer the end of the connection delays it by goodbyeTime at most. The clock
// is the test's.
func TestGoodbyeDoesNotWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		viewed(t, false, func(v *viewer) {
			began := time.Now()
			v.end(errStopping)
			v.sayGoodbye(errStopping)
			if took := time.Since(began); took > goodbyeTime {
				t.Errorf("it took %v", took)
			}
		})
	})
}

// A request without the token Upgrade becomes no WebSocket. The library refuses it and leaves the
// connection open, so the check of the connection's requests must go on.
func TestUpgrades(t *testing.T) {
	for connection, want := range map[string]bool{"": false, "keep-alive": false, "upgrade": true, "keep-alive, Upgrade": true} {
		r := &http.Request{Method: http.MethodGet, Header: http.Header{"Upgrade": {"websocket"}, "Connection": {connection}}}
		if got := upgrades(r); got != want {
			t.Errorf("Connection %q: got %t", connection, got)
		}
	}
}

// A pipeListener accepts the connections that are sent to its channel.
type pipeListener chan net.Conn

func (l pipeListener) Accept() (net.Conn, error) {
	if conn, open := <-l; open {
		return conn, nil
	}
	return nil, net.ErrClosed
}

func (l pipeListener) Close() error   { close(l); return nil }
func (l pipeListener) Addr() net.Addr { return &net.TCPAddr{} }

// While the page is slow, consecutive mouse moves are joined, and so are turns of the wheel. Other
// input is not. When maxInputs wait, further input is refused.
func TestInputs(t *testing.T) {
	inputs := newInputs()
	mouse := func(event string, x float64) op.UserInput {
		return op.UserInput{Type: "mouse", Event: event, X: &x}
	}
	for _, in := range []op.UserInput{
		mouse("move", 1), mouse("move", 2), mouse("down", 2), mouse("move", 3), mouse("move", 4), mouse("up", 4),
		{Type: "wheel", DeltaY: 10}, {Type: "wheel", DeltaX: 1, DeltaY: 5}, {Type: "key", Key: "a"}, {Type: "key", Key: "a"},
	} {
		if !inputs.add(in) {
			t.Fatalf("%+v is refused", in)
		}
	}
	var got []string
	for range 7 {
		in, _ := inputs.next(t.Context())
		switch in.Type {
		case "mouse":
			got = append(got, in.Event)
		case "wheel":
			if in.DeltaX != 1 || in.DeltaY != 15 {
				t.Errorf("the wheel was turned by %g,%g", in.DeltaX, in.DeltaY)
			}
			got = append(got, "wheel")
		default:
			got = append(got, in.Key)
		}
	}
	if all := strings.Join(got, " "); all != "move down move up wheel a a" {
		t.Errorf("got %s", all)
	}
	for range maxInputs {
		inputs.add(op.UserInput{Type: "key"})
	}
	if inputs.add(op.UserInput{Type: "key"}) {
		t.Error("there is no limit")
	}
}

// Each button that is down is released once, however often and by whatever names it was pressed. It is
// released where the mouse was last, with the modifiers of its press.
func TestPressedButtons(t *testing.T) {
	var m mouse
	at := 0.0
	for _, step := range []struct{ event, button, want string }{
		{"down Shift", "", "left Shift"}, {"down", "left", "left Shift"}, {"down", "no such button", "left Shift"},
		{"down", "right", "left Shift, right"}, {"move", "", "left Shift, right"}, {"up", "left", "right"}, {"up", "right", ""},
	} {
		at++
		event, modifier, _ := strings.Cut(step.event, " ")
		m.follow(op.UserInput{Type: "mouse", Event: event, Button: step.button, Modifiers: strings.Fields(modifier), X: new(at), Y: new(at)})
		var got []string
		for _, up := range m.releases() {
			got = append(got, strings.Join(append([]string{up.Button}, up.Modifiers...), " "))
			if up.Event != "up" || *up.X != at || *up.Y != at {
				t.Errorf("%s %q: the release is %+v", step.event, step.button, up)
			}
		}
		if got := strings.Join(got, ", "); got != step.want {
			t.Errorf("%s %q: released are %q, want %q", step.event, step.button, got, step.want)
		}
	}
}

// A guest learns that a tab is used, and not by whom.
func TestGuestsAreNotToldNames(t *testing.T) {
	for _, event := range []any{
		live.Act{TabCall: journal.TabCall{Session: "a-name", Caller: "a-name"}},
		live.Person{TakeOver: page.TakeOver{By: "a-name"}},
		live.Person{TakeOver: page.TakeOver{Guest: "a-name"}},
	} {
		for _, guest := range []string{"s1", ""} {
			if got := string(eventMessage(event, guest).(json.RawMessage)); strings.Contains(got, "a-name") == (guest != "") {
				t.Errorf("guest %q: %s", guest, got)
			}
		}
	}
}
