package mcp

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"chela/internal/op"
)

// An ownBrowser is a runner that takes the place of the user's own browser. Calls on any tab but B
// fail.
type ownBrowser struct {
	tabs    string // as JSON; "": the tabs cannot be listed
	waited  []string
	allowed string // timeoutMs of the last call
	nodes   []string
}

func (b *ownBrowser) Run(ctx context.Context, o *op.Op, args op.Args) (json.RawMessage, error) {
	b.allowed, b.nodes = string(args["timeoutMs"]), append(b.nodes, op.TargetOf(ctx).Node)
	switch id := text(args["targetId"]); {
	case o.Name() == "tabs" && b.tabs != "":
		return json.RawMessage(b.tabs), nil
	case o.Name() == "tabs":
		return nil, op.Errorf(op.Conflict, "it does not run")
	case id != "" && id != "B":
		return nil, op.NoTab("tab not found")
	case string(args["ref"]) == `"e9"`:
		return nil, op.Errorf(op.NotFound, "no element matches").Hinted("take a snapshot")
	}
	b.waited = append(b.waited, o.Name())
	return json.RawMessage(`{"ok":true}`), nil
}

// A tab that the user has closed is reported with OpenClaw's text. A wait does not need that tab.
func TestStaleTabsOfTheUser(t *testing.T) {
	const one, two = `{"running":true,"tabs":[{"targetId":"B"}]}`, `{"running":true,"tabs":[{"targetId":"B"},{"targetId":"C"}]}`
	for _, test := range []struct{ tabs, call, want string }{
		{one, `{"action":"click","ref":"e1","targetId":"A","profile":"user"}`,
			`Chrome tab not found (stale targetId?). Run action=tabs profile="user" and use one of the returned targetIds.`},
		{one, `{"action":"act","request":{"kind":"wait","timeMs":5,"targetId":"A"},"profile":"user"}`, ""},
		{two, `{"action":"wait","timeMs":5,"targetId":"A","profile":"user"}`, "Chrome tab not found (stale targetId?)."},
		{one, `{"action":"wait","timeMs":5,"text":"x","targetId":"A","profile":"user"}`, "Chrome tab not found (stale targetId?)."},
		{`{"running":true,"tabs":[]}`, `{"action":"snapshot","targetId":"A","profile":"user"}`,
			`No browser tabs found for profile="user". Make sure the configured Chromium-based browser (v144+) is running and has open tabs, then retry.`},
		{"", `{"action":"snapshot","targetId":"A","profile":"user"}`,
			`Browser tabs are unavailable for profile="user". Reconnect or start that browser profile, then run action=tabs and retry.`},
		{one, `{"action":"click","ref":"e1","targetId":"A"}`, "tab not found"},
		{one, `{"action":"click","ref":"e1","targetId":"B","profile":"user"}`, ""},
		{one, `{"action":"click","ref":"e9","targetId":"B","profile":"user"}`, "no element matches\ntry: take a snapshot"},
	} {
		b := &ownBrowser{tabs: test.tabs}
		tool := Tool{Table: table, Runner: b, Places: Places{OnlyHost: func(name string) bool { return name == "user" }}}
		res := call(t, connectTo(t, tool), test.call)
		if got := firstText(res); res.IsError != (test.want != "") || !strings.Contains(got, test.want) {
			t.Errorf("%s: %s, want %s", test.call, got, test.want)
		}
		if test.want == "" && len(b.waited) != 1 {
			t.Errorf("%s: ran %q", test.call, b.waited)
		}
	}
}

// The tabs are listed, and the wait is made again, on the machine that the call names.
func TestStaleTabsOnANode(t *testing.T) {
	b := &ownBrowser{tabs: `{"running":true,"tabs":[{"targetId":"B"}]}`}
	tool := Tool{Table: table, Runner: b, Places: Places{OnlyHost: func(name string) bool { return name == "user" }}}
	res := call(t, connectTo(t, tool), `{"action":"wait","timeMs":5,"targetId":"A","profile":"user","node":"mac"}`)
	if want := []string{"mac", "mac", "mac"}; res.IsError || !slices.Equal(b.nodes, want) {
		t.Errorf("ran on %q, want %q: %s", b.nodes, want, firstText(res))
	}
}

// The user has 45 seconds to allow the connection, unless the call sets a time limit.
func TestTheUserIsGivenTime(t *testing.T) {
	for _, test := range []struct{ call, want string }{
		{`{"action":"open","url":"http://a.test","profile":"user"}`, "45000"},
		{`{"action":"open","url":"http://a.test","profile":"user","timeoutMs":7000}`, "7000"},
		{`{"action":"open","url":"http://a.test"}`, ""},
		{`{"action":"snapshot","profile":"user"}`, ""},
	} {
		b := &ownBrowser{tabs: `{"running":true,"tabs":[]}`}
		tool := Tool{Table: table, Runner: b, Places: Places{OnlyHost: func(name string) bool { return name == "user" }}}
		call(t, connectTo(t, tool), test.call)
		if b.allowed != test.want {
			t.Errorf("%s: %q, want %q", test.call, b.allowed, test.want)
		}
	}
}
