package endpoint

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	protobrowser "github.com/chromedp/cdproto/browser"
	proto "github.com/chromedp/cdproto/cdp"
	"github.com/coder/websocket"

	"chela/internal/engine/cdp"
)

// line returns the address of a proxy before a server, and counts its connections. The first
// function of ways carries the first connection, and so on; the last carries all further ones.
func line(t *testing.T, server string, ways ...func(near, far net.Conn)) (address string, connections *atomic.Int32) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	connections = &atomic.Int32{}
	go func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", server)
			if err != nil {
				near.Close()
				return
			}
			way := ways[min(int(connections.Add(1)), len(ways))-1]
			go func() {
				defer near.Close()
				defer far.Close()
				way(near, far)
			}()
		}
	}()
	return l.Addr().String(), connections
}

func dropped(net.Conn, net.Conn) {}

// silent reads what is sent, and answers nothing.
func silent(near, _ net.Conn) { io.Copy(io.Discard, near) }

// inPieces passes answers on byte by byte, and ends the connection after that many bytes.
func inPieces(bytes int) func(near, far net.Conn) {
	return func(near, far net.Conn) {
		go io.Copy(far, near)
		for piece := make([]byte, 1); bytes > 0; bytes-- {
			if _, err := io.ReadFull(far, piece); err != nil {
				return
			}
			near.Write(piece)
		}
	}
}

// Of the three attempts, the first is disconnected, the second gets no answer, and the third gets
// answers in pieces. The WebSocket still opens. If a connection breaks within an answer, the call
// that waits for the answer fails.
func TestBadLine(t *testing.T) {
	answers := []string{`{"id":1,"result":{"product":"one"}}`, `{"id":2,"result":{"product":"` + strings.Repeat("x", 1<<16) + `"}}`}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ws, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		defer ws.CloseNow()
		for _, answer := range answers {
			if _, _, err := ws.Read(r.Context()); err != nil || ws.Write(r.Context(), websocket.MessageText, []byte(answer)) != nil {
				return
			}
		}
		ws.Read(r.Context()) // returns when the connection ends
	}))
	defer s.Close()
	address, connections := line(t, s.Listener.Addr().String(), dropped, silent, inPieces(2000))
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	transport, err := Endpoint{URL: "ws://" + address + "/devtools/browser/1", Handshake: time.Second}.Open(ctx)
	if err != nil || connections.Load() != 3 {
		t.Fatalf("%v after %d connections", err, connections.Load())
	}
	c := cdp.NewConn(transport, cdp.Options{Class: func(string) cdp.Class { return cdp.Ignored }})
	defer c.Close()
	if v, err := cdp.Call(ctx, c.Root(), protobrowser.GetVersion, proto.Empty{}); err != nil || v.Product != "one" {
		t.Errorf("in pieces: %+v, %v", v, err)
	}
	if _, err := cdp.Call(ctx, c.Root(), protobrowser.GetVersion, proto.Empty{}); !errors.Is(err, cdp.ErrClosed) {
		t.Errorf("of an answer that breaks off: %v", err)
	}
}
