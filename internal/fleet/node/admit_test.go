package node

import (
	"context"
	"testing"
	"time"

	"chela/internal/fleet/wire"
	"chela/internal/op"
)

// A node that offers only some profiles ends only sessions that have made calls here. It remembers
// such a session until it has had no tab and no call for a day.
func TestEndOfSessions(t *testing.T) {
	ending := op.Define("POST /sessions/end", "session end", "End.", func(context.Context, *machine, struct {
		Session string `json:"session,omitempty" doc:"a session"`
	}) (op.Object, error) {
		return nil, nil
	}, op.EndsSession)
	n := New(Options{
		Name: "mac", Table: func() *op.Table { return &op.Table{Ops: []*op.Op{ending}} }, Owners: func() map[string]int { return map[string]int{"shop": 1} },
		Policy: func() Policy {
			return Policy{Enabled: true, Profiles: []string{"work"}, Name: func(string) string { return "chela" }}
		},
	})
	end := wire.Call{V: wire.Version, Command: wire.Command, Params: wire.Params{Sent: ending.Sent(op.Args{"session": []byte(`"shop"`)})}}
	if _, _, err := n.admit(end); op.AsError(err).Code != op.NotFound {
		t.Errorf("the session of another user: %v", err)
	}
	n.begin(wire.Call{Session: "shop"}, table.Ops[0], op.Args{}, "work")
	n.ended(wire.Call{Session: "shop"}, "work")
	o, args, err := n.admit(end)
	if err != nil {
		t.Fatal(err)
	}
	n.begin(end, o, args, "chela")
	n.ended(end, "chela")
	if n.finished() {
		t.Error("the tab of the session counts no more, although its end may have failed")
	}
	n.served["shop"] = time.Now().Add(-servedTime - time.Second)
	if n.forgetServed(map[string]int{"shop": 1}); !n.hasServed("shop") {
		t.Error("a session with a tab is forgotten")
	}
	if n.forgetServed(nil); n.hasServed("shop") {
		t.Error("a session without a tab is remembered")
	}
}

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
