package mcp

import (
	"strings"
	"testing"
)

// What is meant for another place is refused, in the contract's words, and not done on the host.
func TestPlaces(t *testing.T) {
	const (
		disabled    = "Host browser control is disabled by sandbox policy."
		unavailable = `Sandbox browser is unavailable. Enable agents.defaults.sandbox.browser.enabled or use target="host" if allowed.`
		notYet      = "calls cannot be passed on to the sandbox yet"
		noNode      = "No connected browser-capable nodes."
	)
	boxed := Places{SandboxURL: "http://127.0.0.1:1"}
	closed := Places{NoHost: true}
	for _, test := range []struct {
		places     Places
		args, want string
	}{
		{Places{}, `"target":"host"`, ""},
		{Places{}, `"target":""`, ""},
		{Places{}, `"target":"sandbox"`, unavailable},
		{Places{}, `"target":"node"`, noNode},
		{Places{}, `"node":"n1"`, noNode},
		{Places{}, `"node":"n1","target":"host"`, `node is only supported with target="node".`},
		{Places{}, `"target":"moon"`, "target must be sandbox, host or node"},
		{Places{}, `"target":"sandbox","profile":"user"`, `profile="user" cannot use the sandbox browser; use target="host" or omit target.`},
		{boxed, `"x":1`, notYet},
		{boxed, `"target":"host"`, ""},
		{boxed, `"profile":"user"`, ""},
		{closed, `"x":1`, disabled},
		{closed, `"target":"host"`, disabled},
		{closed, `"target":"sandbox"`, unavailable},
	} {
		r := &recorder{answer: `{"ok":true}`}
		res := call(t, connectTo(t, Tool{Table: table, Runner: r, Places: test.places}), `{"action":"tabs",`+test.args+`}`)
		if got := firstText(res); res.IsError != (test.want != "") || !strings.Contains(got, test.want) || (r.ran == "") != res.IsError || strings.Contains(r.ran, `"target"`) {
			t.Errorf("%v %s: ran %q, got %s; want %s", test.places, test.args, r.ran, got, test.want)
		}
	}
	for want, places := range map[string]Places{"Default: sandbox. Host target allowed.": boxed, "Default: host. Host target blocked by policy.": closed} {
		if got := (Tool{Table: table, Places: places}).description(); !strings.Contains(got, want) {
			t.Errorf("%v: %s", places, got)
		}
	}
}
