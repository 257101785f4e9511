package route

import (
	"context"
	"encoding/json"
	"io"
	"testing"
	"testing/synctest"

	"chela/internal/base/media"
	"chela/internal/fleet/roster"
	"chela/internal/fleet/wire"
	"chela/internal/fleet/wire/wiretest"
	"chela/internal/op"
)

// local stands for the service of this machine.
type local struct{}

func (local) Run(context.Context, *op.Op, op.Args) (json.RawMessage, error) {
	return json.RawMessage("{}"), nil
}
func (local) Given(op.Given) (io.ReadCloser, string, int64, error)       { panic("no files") }
func (local) Keep(string, func(io.Writer) error) (string, error)         { panic("no files") }
func (local) Place(op.Saving) (media.Place, error)                       { panic("no files") }
func (local) Hosts(context.Context) []string                             { return nil }
func (local) Confine(context.Context, []string) error                    { return nil }
func (local) EndSession(context.Context, string) (closed int, err error) { return 0, nil }

type request struct {
	Profile string `json:"profile,omitempty" doc:"a profile"`
	Tab     string `json:"targetId,omitempty" doc:"a tab"`
	URL     string `json:"url,omitempty" doc:"an address"`
}

func nothing(context.Context, local, request) (op.Object, error) { return nil, nil }

var (
	acting  = op.Define("POST /act", "act", "Act.", nothing)
	reading = op.Define("POST /read", "read", "Read.", nothing, op.Anywhere("url"))
	pairing = op.Define("POST /pair", "pair", "Pair.", nothing, op.OnlyHere)
)

// Each row is a call with its machine or its error. The errors have the same text as in OpenClaw.
func TestChoose(t *testing.T) {
	one, two := []string{"mac"}, []string{"mac", "pc"}
	none := "No connected browser-capable nodes."
	for _, test := range []struct {
		name    string
		nodes   []string
		policy  Policy
		target  op.Target
		surface op.Surface
		o       *op.Op
		args    string
		want    string // the node that is chosen, or the error
	}{
		{"a command", one, Policy{Mode: "auto"}, op.Target{}, op.CommandLine, acting, `{}`, ""},
		{"an agent, one node", one, Policy{Mode: "auto"}, op.Target{}, op.AgentTool, acting, `{}`, "mac"},
		{"an agent, two nodes", two, Policy{Mode: "auto"}, op.Target{}, op.AgentTool, acting, `{}`, ""},
		{"an agent, two nodes, one is set", two, Policy{Mode: "auto", Node: "pc"}, op.Target{}, op.AgentTool, acting, `{}`, "pc"},
		{"an agent, another is set", one, Policy{Mode: "auto", Node: "pc"}, op.Target{}, op.AgentTool, acting, `{}`, "unknown node: pc (known: mac)"},
		{"the user's browser, another is set", one, Policy{Mode: "auto", Node: "pc"}, op.Target{}, op.AgentTool, acting, `{"profile":"user"}`, ""},
		{"an agent, no node", nil, Policy{Mode: "auto", Node: "pc"}, op.Target{}, op.AgentTool, acting, `{}`, ""},
		{"an agent, by hand", one, Policy{Mode: "manual"}, op.Target{}, op.AgentTool, acting, `{}`, ""},
		{"an agent means the host", one, Policy{Mode: "auto"}, op.Target{Place: op.Here}, op.AgentTool, acting, `{}`, ""},
		{"an agent, of the machine itself", one, Policy{Mode: "auto"}, op.Target{}, op.AgentTool, pairing, `{}`, ""},
		{"asked by hand", one, Policy{Mode: "manual"}, op.Target{Place: op.OnNode}, op.OverHTTP, acting, `{}`, "mac"},
		{"asked for one of two", two, Policy{Mode: "auto"}, op.Target{Node: "pc"}, op.OverHTTP, acting, `{}`, "pc"},
		{"asked for any of two", two, Policy{Mode: "auto"}, op.Target{Place: op.OnNode}, op.OverHTTP, acting, `{}`,
			"Multiple browser-capable nodes connected (2). Set gateway.nodes.browser.node or pass node=<id>."},
		{"asked, and one is set", two, Policy{Mode: "auto", Node: "pc"}, op.Target{Place: op.OnNode}, op.OverHTTP, acting, `{}`, "pc"},
		{"asked for an unknown one", two, Policy{Mode: "auto"}, op.Target{Node: "tv"}, op.OverHTTP, acting, `{}`, "unknown node: tv (known: mac, pc)"},
		{"asked where there is none", nil, Policy{Mode: "auto"}, op.Target{Place: op.OnNode}, op.OverHTTP, acting, `{}`, none},
		{"asked, and off", one, Policy{Mode: "off"}, op.Target{Place: op.OnNode}, op.OverHTTP, acting, `{}`, "Node browser proxy is disabled (gateway.nodes.browser.mode=off)."},
		{"a tab of a node", two, Policy{Mode: "manual"}, op.Target{}, op.OverHTTP, acting, `{"targetId":"pc/t1"}`, "pc"},
		{"a tab of a node, and another is asked for", two, Policy{Mode: "auto"}, op.Target{Node: "mac"}, op.OverHTTP, acting, `{"targetId":"pc/t1"}`, "the tab is on node pc, and node is mac"},
		{"a tab of a node, and the host is asked for", two, Policy{Mode: "auto"}, op.Target{Place: op.Here}, op.OverHTTP, acting, `{"targetId":"pc/t1"}`, "the tab is on node pc, and target is host"},
		{"a tab here", two, Policy{Mode: "auto"}, op.Target{}, op.OverHTTP, acting, `{"targetId":"t1"}`, ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			line := wiretest.New()
			known, err := roster.New(line, "default")
			if err != nil {
				t.Fatal(err)
			}
			defer known.Close()
			for i, name := range test.nodes {
				line.Request(t.Context(), wire.Subjects{Tenant: "default"}.Beat(name), wire.Encode(wire.Status{V: 1, Name: name, Beat: uint64(i + 1), Healthy: true}), nil)
			}
			synctest.Wait()
			test.policy.OfUser = func(profile string) bool { return profile == "user" }
			r := New(Options{Local: local{}, Fleet: &Fleet{Line: line, Roster: known}, Policy: func() Policy { return test.policy }})
			var args op.Args
			json.Unmarshal([]byte(test.args), &args)
			got, err := r.choose(op.WithSurface(op.WithTarget(t.Context(), test.target), test.surface), test.o, args)
			if err != nil {
				got = err.Error()
			}
			if got != test.want {
				t.Errorf("%s: got %q, want %q", test.name, got, test.want)
			}
		})
	}
}

// Calls of a session stay on its machine. A call that needs no tab does not move the session.
func TestSessionsStay(t *testing.T) {
	r := New(Options{Local: local{}, Policy: func() Policy { return Policy{Mode: "auto"} }})
	r.sessions.stay("shop", "mac")
	choose := func(session string, o *op.Op, args op.Args) string {
		node, err := r.choose(op.WithSession(t.Context(), session), o, args)
		if err != nil {
			t.Fatal(err)
		}
		return node
	}
	if got := choose("shop", acting, op.Args{}); got != "mac" {
		t.Errorf("the session goes to %q", got)
	}
	if got := choose("other", acting, op.Args{}); got != "" {
		t.Errorf("another session goes to %q", got)
	}
	if _, err := r.Run(op.WithSession(t.Context(), "new"), reading, op.Args{"url": json.RawMessage(`"http://a/"`)}); err != nil {
		t.Error(err)
	}
	if _, known := r.sessions.place("new"); known {
		t.Error("a call without a tab has bound its session")
	}
	if _, err := r.Run(op.WithSession(t.Context(), "shop"), pairing, op.Args{}); err != nil {
		t.Error(err)
	}
	if got := choose("shop", acting, op.Args{}); got != "mac" {
		t.Errorf("after a call that only this machine can do, the session goes to %q", got)
	}
	if nodes := r.sessions.nodesOf("shop"); len(nodes) != 1 || nodes[0] != "mac" {
		t.Errorf("the session has used %v", nodes)
	}
}

// Nodes get no more calls of a session when the settings forbid calls on nodes. Calls of a session on
// this machine go on.
func TestSessionsWhenNodesAreOff(t *testing.T) {
	mode := "auto"
	r := New(Options{Local: local{}, Policy: func() Policy { return Policy{Mode: mode} }})
	r.sessions.stay("shop", "mac")
	r.sessions.stay("own", "")
	mode = "off"
	if _, err := r.choose(op.WithSession(t.Context(), "shop"), acting, op.Args{}); err == nil || op.AsError(err).Code != op.Forbidden {
		t.Errorf("the session on a node: %v", err)
	}
	if node, err := r.choose(op.WithSession(t.Context(), "own"), acting, op.Args{}); err != nil || node != "" {
		t.Errorf("the session on this machine goes to %q: %v", node, err)
	}
}

// A fleet does not remember sessions without end.
func TestSessionsAreBounded(t *testing.T) {
	var s sessions
	for i := range maxSessions + 10 {
		s.stay(string(rune('a'+i%26))+string(rune(i)), "mac")
	}
	if len(s.byKey) != maxSessions || len(s.order) != maxSessions {
		t.Errorf("%d sessions are known", len(s.byKey))
	}
}
