package service

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"image"
	"image/jpeg"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"chela/test/chromium"
)

// A Viewer watches a tab by a WebSocket.
type Viewer struct {
	testing.TB
	socket   *websocket.Conn
	messages chan Message
	kept     []Message // came, and were not asked for yet
}

// A Message is a message of the live view.
type Message map[string]any

// Text returns a field of the message as text, "" if there is none.
func (m Message) Text(field string) string {
	s, _ := m[field].(string)
	return s
}

// Picture returns the picture of a frame.
func (m Message) Picture(t testing.TB) image.Image {
	t.Helper()
	raw, err := base64.StdEncoding.DecodeString(m.Text("data"))
	if err != nil {
		t.Fatal(err)
	}
	picture, err := jpeg.Decode(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	return picture
}

// TryView connects a viewer with this query. The token is sent unless the query has a ticket. A
// viewer that is refused is nil, and the answer says why.
func (s *Service) TryView(t testing.TB, query url.Values, header http.Header) (*Viewer, Answer) {
	t.Helper()
	chromium.Skip(t)
	if header = header.Clone(); header == nil {
		header = http.Header{}
	}
	if !query.Has("ticket") && header.Get("Authorization") == "" {
		header.Set("Authorization", "Bearer "+Token)
	}
	o := &websocket.DialOptions{HTTPHeader: header, Host: header.Get("Host")}
	socket, resp, err := websocket.Dial(t.Context(), strings.Replace(s.URL, "http", "ws", 1)+"/screencast?"+query.Encode(), o)
	if err != nil {
		if resp == nil {
			t.Fatal(err)
		}
		raw, _ := io.ReadAll(resp.Body)
		a := Answer{Status: resp.StatusCode, Raw: string(raw)}
		json.Unmarshal(raw, &a.fields)
		return nil, a
	}
	v := &Viewer{TB: t, socket: socket, messages: make(chan Message, 1000)}
	socket.SetReadLimit(32 << 20)
	t.Cleanup(func() { socket.CloseNow() })
	go v.read()
	return v, Answer{Status: resp.StatusCode}
}

// View connects a viewer, which must not be refused.
func (s *Service) View(t testing.TB, query url.Values) *Viewer {
	t.Helper()
	v, a := s.TryView(t, query, nil)
	if v == nil {
		t.Fatalf("the viewer is refused: %d %s", a.Status, a.Raw)
	}
	return v
}

func (v *Viewer) read() {
	defer close(v.messages)
	for {
		_, raw, err := v.socket.Read(context.Background())
		if err != nil {
			return
		}
		var m Message
		if json.Unmarshal(raw, &m) == nil {
			v.messages <- m
		}
	}
}

// Send sends a message.
func (v *Viewer) Send(m Message) {
	v.Helper()
	raw, err := json.Marshal(m)
	if err == nil {
		err = v.socket.Write(v.Context(), websocket.MessageText, raw)
	}
	if err != nil {
		v.Fatalf("send %s: %v", raw, err)
	}
}

// Next waits for a message of the type kind for which the function cond returns true. If cond is
// nil, any message of the type counts. Frames for which cond returns false are acknowledged and
// dropped. All other messages are kept for later calls.
func (v *Viewer) Next(kind string, cond func(Message) bool) Message {
	v.Helper()
	timeout := time.After(15 * time.Second)
	for i := 0; ; i++ {
		if i == len(v.kept) && !v.receive(timeout) {
			v.Fatalf("no %s, but %v", kind, v.kept)
		}
		m := v.kept[i]
		if m.Text("type") != kind {
			continue
		}
		fits := cond == nil || cond(m)
		if fits || kind == "frame" {
			v.kept = slices.Delete(v.kept, i, i+1)
			i--
		}
		if fits {
			return m
		}
		if kind == "frame" {
			v.Ack(m)
		}
	}
}

// receive waits for a message, and reports whether one came in time.
func (v *Viewer) receive(timeout <-chan time.Time) bool {
	select {
	case m, ok := <-v.messages:
		if ok {
			v.kept = append(v.kept, m)
		}
		return ok
	case <-timeout:
		return false
	}
}

// Ack acknowledges a frame.
func (v *Viewer) Ack(frame Message) { v.Send(Message{"type": "ack", "seq": frame["seq"]}) }

// Quiet reports whether no message of a type comes for a while.
func (v *Viewer) Quiet(kind string, while time.Duration) bool {
	timeout := time.After(while)
	for v.receive(timeout) {
	}
	return !slices.ContainsFunc(v.kept, func(m Message) bool { return m.Text("type") == kind })
}

// Leave closes the connection.
func (v *Viewer) Leave() { v.socket.Close(websocket.StatusNormalClosure, "") }
