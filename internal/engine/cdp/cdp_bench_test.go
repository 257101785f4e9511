package cdp

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/runtime"
)

// echo is a browser in memory that answers every command with the same result.
type echo struct {
	ids    chan []byte
	gone   chan struct{}
	result []byte
}

func (e *echo) Write(frame []byte) error {
	id, _, _ := bytes.Cut(frame, []byte(","))
	e.ids <- append([]byte(nil), id...)
	return nil
}

func (e *echo) Read() ([]byte, error) {
	select {
	case id := <-e.ids:
		return append(append(id, `,"result":`...), e.result...), nil
	case <-e.gone:
		return nil, io.EOF
	}
}

func (e *echo) Close() error { close(e.gone); return nil }

func newEcho(b *testing.B, result string) *Session {
	c := NewConn(&echo{make(chan []byte, 1000), make(chan struct{}), []byte(result + "}")}, Options{})
	b.Cleanup(func() { c.Close() })
	b.ReportAllocs()
	return c.Root()
}

const evaluated = `{"result":{"type":"number","value":2,"description":"2"}}`

func BenchmarkCall(b *testing.B) {
	s := newEcho(b, evaluated)
	for b.Loop() {
		if _, err := Call(b.Context(), s, runtime.Evaluate, runtime.EvaluateParams{Expression: "1+1"}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCallUndecoded(b *testing.B) {
	s := newEcho(b, evaluated)
	for b.Loop() {
		if _, err := Send(s, runtime.Evaluate, runtime.EvaluateParams{Expression: "1+1"}).raw(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkPipelined sends ten commands before it waits for the first reply.
func BenchmarkPipelined(b *testing.B) {
	s := newEcho(b, evaluated)
	replies := make([]*Reply[runtime.EvaluateResult], 10)
	for b.Loop() {
		for i := range replies {
			replies[i] = Send(s, runtime.Evaluate, runtime.EvaluateParams{Expression: "1+1"})
		}
		for _, reply := range replies {
			if _, err := reply.Wait(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkEvent(b *testing.B) {
	c := &Conn{class: func(string) Class { return Structure }}
	c.root = &Session{conn: c, events: newQueue(), observations: newBoundedQueue()}
	c.sessions = map[string]*Session{"": c.root}
	frame := []byte(`{"method":"Page.frameStartedLoading","params":{"frameId":"` + hex32 + `"}}`)
	b.ReportAllocs()
	for b.Loop() {
		m, _ := parse(frame)
		c.route(m)
		c.root.events.Next(b.Context())
	}
}

func BenchmarkBigReply(b *testing.B) {
	frame := []byte(`{"id":1,"result":{"data":"` + strings.Repeat("x", 8<<20) + `"},"sessionId":"` + hex32 + `"}`)
	for b.Loop() {
		if _, ok := parse(frame); !ok {
			b.Fatal("not read")
		}
	}
}
