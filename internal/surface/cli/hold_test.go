package cli

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"chela/internal/base/config"
	"chela/internal/op"
	"chela/internal/surface/client"
	"chela/internal/surface/server"
)

// agent runs chela mcp as an agent does: it sends one call by MCP, and closes the connection.
func (s *session) agent(t *testing.T, argv ...string) {
	t.Helper()
	const messages = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"An agent","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"browser","arguments":{"action":"status"}}}
`
	p := program()
	in, toAgent := io.Pipe()
	out, fromAgent := io.Pipe()
	p.In, p.Out, p.Err = in, fromAgent, io.Discard
	done := make(chan int)
	go func() {
		done <- p.Run(t.Context(), append([]string{"--state-dir", s.dir, "mcp"}, argv...))
		fromAgent.Close()
	}()
	go io.WriteString(toAgent, messages)
	answers := 0
	for answers < 2 { // one answer to initialize, one to the call
		b := make([]byte, 1<<16)
		n, err := out.Read(b)
		if err != nil {
			t.Fatalf("after %d answers: %v", answers, err)
		}
		answers += strings.Count(string(b[:n]), "\n")
	}
	toAgent.Close()
	if code := <-done; code != 0 {
		t.Errorf("exit %d", code)
	}
}

// The session of an agent ends with its connection. A session that the user has named does not.
func TestTheSessionOfAnAgentEnds(t *testing.T) {
	s := serve(t)
	s.agent(t)
	key := s.key
	if op.CheckSession(key) != nil || !strings.HasPrefix(key, "An_agent#") {
		t.Errorf("it called in session %q", key)
	}
	if got := <-s.ended; got != key {
		t.Errorf("session %q was ended, want %q", got, key)
	}
	s.agent(t, "--session", "shopping")
	if s.key != "shopping" {
		t.Errorf("it called in session %q", s.key)
	}
	s.agent(t)
	if got := <-s.ended; got != s.key { // no other session was ended before this one
		t.Errorf("session %q was ended, want %q", got, s.key)
	}
}

// A server that hangs holds up no call for longer than the call wants to wait. Here two
// calls share the request to hold the session.
func TestAServerThatHangs(t *testing.T) {
	state := config.State{Dir: t.TempDir()}
	l, err := server.ListenUnix(state.Socket()) // accepts no connection
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	life, end := context.WithCancel(t.Context())
	h := &sessionHolder{remote: &remote{program: program(), state: state, client: client.Unix(state.Socket, client.Secret{})}, ctx: life}
	defer h.end()
	defer end()
	calls := make(chan error)
	for range 2 {
		go func() {
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			defer cancel()
			_, err := h.Run(ctx, table().Ops[0], nil)
			calls <- err
		}()
	}
	for range 2 {
		select {
		case err := <-calls:
			if op.AsError(err).Code != op.Deadline {
				t.Errorf("got %v", err)
			}
		case <-time.After(2 * time.Second): // less than the server is given to answer the hold
			t.Fatal("no answer")
		}
	}
}
