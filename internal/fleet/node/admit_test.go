package node

import (
	"testing"

	"chela/internal/fleet/wire"
	"chela/internal/op"
)

// A panic in a call is the error of that call, and does not end the node.
func TestPanic(t *testing.T) {
	// The service of the node is nil.
	n := New(Options{Name: "mac"})
	if _, err := n.do(t.Context(), wire.Call{}, table.Ops[0], op.Args{}); op.AsError(err).Code != op.Internal {
		t.Errorf("got %v", err)
	}
}

// The profile that is checked is the one that the operation uses.
func TestProfileOfACall(t *testing.T) {
	acting := op.Define("POST /act", "act", "Act.", nothing)
	p := Policy{Profiles: []string{"work"}, Name: func(named string) string { return named }}
	for text, want := range map[string]bool{`"work"`: true, `" work "`: true, `"chela"`: false, ``: false} {
		if err := p.allow(acting, op.Args{"profile": []byte(text)}, op.AgentTool); (err == nil) != want {
			t.Errorf("profile %s: %v", text, err)
		}
	}
}
