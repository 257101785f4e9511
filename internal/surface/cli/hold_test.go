package cli

import (
	"io"
	"strings"
	"testing"

	"chela/internal/op"
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
