package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"chela/internal/op"
)

const (
	noHost    = "Host browser control is disabled by sandbox policy."
	noSandbox = `Sandbox browser is unavailable. Enable agents.defaults.sandbox.browser.enabled or use target="host" if allowed.`
	noNodes   = "Node browser proxy is disabled (gateway.nodes.browser.mode=off)."
	notNode   = `node is only supported with target="node".`
	notUser   = `profile="user" cannot use the sandbox browser; use target="host" or omit target.`
)

// OpenClaw's text leads no further when the sandbox is enabled and has no URL, so a hint names it.
func TestHintForASandbox(t *testing.T) {
	_, err := Places{}.choose(goal{target: sandbox})
	if hint := op.AsError(err).Hint; !strings.Contains(string(hint), "agents.defaults.sandbox.browser.url") {
		t.Errorf("the hint is %q", hint)
	}
}

// Each call has one place, or is an error with OpenClaw's text.
func TestPlaces(t *testing.T) {
	own := func(profile string) bool { return profile == "user" }
	open := Places{OnlyHost: own}
	boxed := Places{OnlyHost: own, Sandbox: &recorder{}}
	noNodesBoxed := Places{OnlyHost: own, Sandbox: &recorder{}, NoNodes: true}
	confined := Places{OnlyHost: own, Sandbox: &recorder{}, NoHost: true}
	closed := Places{OnlyHost: own, NoHost: true, NoNodes: true}
	for _, test := range []struct {
		name   string
		places Places
		goal   goal
		want   string // the place that is chosen, or the error
	}{
		{"open", open, goal{}, host},
		{"open", open, goal{target: host}, host},
		{"open", open, goal{target: sandbox}, noSandbox},
		{"open", open, goal{target: node}, node},
		{"open", open, goal{node: "n1"}, node},
		{"open", open, goal{target: node, node: "n1"}, node},
		{"open", open, goal{target: host, node: "n1"}, notNode},
		{"open", open, goal{target: sandbox, node: "n1"}, notNode},
		{"open", open, goal{target: "moon"}, "target must be sandbox, host or node"},
		{"open", open, goal{profile: "user"}, host},
		{"open", open, goal{target: host, profile: "user"}, host},
		{"open", open, goal{target: sandbox, profile: "user"}, notUser},
		{"open", open, goal{target: node, profile: "user"}, node},
		{"open", open, goal{target: sandbox, profile: "work"}, noSandbox},
		{"boxed", boxed, goal{}, sandbox},
		{"boxed", boxed, goal{profile: "work"}, sandbox},
		{"boxed", boxed, goal{target: sandbox}, sandbox},
		{"boxed", boxed, goal{target: host}, host},
		{"boxed", boxed, goal{profile: "user"}, host},
		{"boxed", boxed, goal{target: sandbox, profile: "user"}, notUser},
		{"boxed", boxed, goal{target: node}, node},
		{"boxed", boxed, goal{target: sandbox, node: "n1"}, notNode},
		{"no nodes", noNodesBoxed, goal{target: node}, noNodes},
		{"no nodes", noNodesBoxed, goal{node: "n1"}, noNodes},
		{"no nodes", noNodesBoxed, goal{target: host, node: "n1"}, notNode},
		{"no nodes", noNodesBoxed, goal{}, sandbox},
		{"confined", confined, goal{}, sandbox},
		{"confined", confined, goal{target: host}, noHost},
		{"confined", confined, goal{profile: "user"}, noHost},
		{"confined", confined, goal{target: sandbox, profile: "user"}, notUser},
		{"closed", closed, goal{}, noHost},
		{"closed", closed, goal{target: host}, noHost},
		{"closed", closed, goal{target: sandbox}, noSandbox},
		{"closed", closed, goal{target: node}, noNodes},
	} {
		got, err := test.places.choose(test.goal)
		if err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%s, %+v: got %s, want %s", test.name, test.goal, got, test.want)
		}
	}
	for want, places := range map[string]Places{
		"Default: host. Host target allowed.": open, "Default: sandbox. Host target allowed.": boxed,
		"Default: sandbox. Host target blocked by policy.": confined, "Default: host. Host target blocked by policy.": closed,
	} {
		if got := (Tool{Table: table, Places: places}).description(); !strings.Contains(got, want) {
			t.Errorf("want %s: %s", want, got)
		}
	}
}

// A call is made only in its place, without the arguments that choose the place. A model may write
// these arguments beside the action or in the object request.
func TestRoutes(t *testing.T) {
	for _, test := range []struct{ args, want string }{
		{`{"action":"tabs"}`, "sandbox: tabs {}"},
		{`{"action":"tabs","target":"host"}`, "host: tabs {}"},
		{`{"action":"tabs","target":" sandbox ","node":""}`, "sandbox: tabs {}"},
		{`{"action":"act","target":"host","request":{"kind":"click","ref":"e1"}}`, `host: click {"ref":"e1"}`},
		{`{"action":"act","request":{"kind":"click","ref":"e1","target":"host"}}`, `host: click {"ref":"e1"}`},
		{`{"action":"act","request":"{\"kind\":\"click\",\"ref\":\"e1\",\"target\":\"host\",\"node\":\"\"}"}`, `host: click {"ref":"e1"}`},
		{`{"action":"click","request":{"ref":"e1","profile":"user"}}`, `host: click {"profile":"user","ref":"e1"}`},
		{`{"action":"act","kind":"press","target":"host","request":{"kind":"click","ref":"e1"}}`, `host: click {"ref":"e1"}`},
		{`{"action":"tabs","node":"n1"}`, "host for node n1: tabs {}"}, // the host's server reaches nodes
		{`{"action":"tabs","target":"node"}`, "host for node : tabs {}"},
		{`{"action":"help","topic":"tabs","target":"moon"}`, "tabs: "},
		{`{"action":"tabs","target":null,"node":null}`, "sandbox: tabs {}"},
		{`{"action":"tabs","target":["host"]}`, "error: invalid_request\ntarget must be a string"},
		{`{"action":"tabs","node":{"name":"n1"}}`, "error: invalid_request\nnode must be a string"},
		{`{"action":"act","target":"host","request":{"kind":"click","ref":"e1","target":1}}`, "error: invalid_request\ntarget must be a string"},
	} {
		ran := ""
		in := func(place string) op.Runner { return placed{place, &ran} }
		own := func(name string) bool { return name == "user" }
		tool := Tool{Table: table, Runner: in(host), Places: Places{Sandbox: in(sandbox), OnlyHost: own}}
		res := call(t, connectTo(t, tool), test.args)
		if ran == "" {
			ran = firstText(res)
		}
		if !strings.HasPrefix(ran, test.want) || res.IsError != strings.HasPrefix(ran, "error") {
			t.Errorf("%s: got %s, want %s", test.args, ran, test.want)
		}
	}
}

// placed is the runner of a place. It notes the calls that it gets.
type placed struct {
	place string
	ran   *string
}

func (n placed) Run(ctx context.Context, o *op.Op, args op.Args) (json.RawMessage, error) {
	raw, err := json.Marshal(args)
	if target := op.TargetOf(ctx); target.Remote() {
		n.place += " for node " + target.Node
	}
	*n.ran = n.place + ": " + o.Name() + " " + string(raw)
	return json.RawMessage(`{"ok":true}`), err
}

// If the sandbox cannot be reached, a call that names no place is made on the host. The call fails if
// it names the sandbox, may have been made there, or may not be made on the host.
func TestUnreachableSandbox(t *testing.T) {
	gone := fmt.Errorf("%w: %w", op.ErrNotSent, op.Errorf(op.NotFound, "no server answers"))
	const retry = "Do NOT retry the browser tool"
	for _, test := range []struct {
		args, want string
		err        error
		noHost     bool
	}{
		{`{"action":"tabs"}`, "The sandbox browser is not reachable: this is of the browser on the host.\n", gone, false},
		{`{"action":"tabs"}`, retry, gone, true},
		{`{"action":"tabs","target":"sandbox"}`, retry, gone, false},
		{`{"action":"tabs"}`, "the connection broke", op.Errorf(op.Internal, "the connection broke"), false},
	} {
		ran := ""
		tool := Tool{Table: table, Runner: placed{host, &ran}, Places: Places{Sandbox: &recorder{err: test.err}, NoHost: test.noHost}}
		res := call(t, connectTo(t, tool), test.args)
		fallen := strings.HasPrefix(test.want, "The sandbox")
		if got := firstText(res); !strings.Contains(got, test.want) || (ran != "") != fallen || res.IsError == fallen {
			t.Errorf("%s: ran %q, got %s", test.args, ran, got)
		}
	}
}

// If the user forbids the host while an agent is connected, later calls of the agent are refused, with
// any of the tools.
func TestHostIsForbiddenMeanwhile(t *testing.T) {
	forbidden := false
	s := connectTo(t, Tool{Table: rendering, Runner: new(noting), Forms: true, Update: func(t Tool) Tool {
		t.Places.NoHost = forbidden
		return t
	}})
	for _, forbidden = range []bool{false, true} {
		for tool, args := range map[string]op.Args{
			name:        {"action": json.RawMessage(`"tabs"`)},
			"page_text": {"url": json.RawMessage(`"http://a/"`)},
		} {
			res, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: args})
			if err != nil || res.IsError != forbidden || strings.Contains(firstText(res), noHost) != forbidden {
				t.Errorf("%s, forbidden %v: got %s, %v", tool, forbidden, firstText(res), err)
			}
		}
	}
}
