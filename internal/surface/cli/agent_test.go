package cli

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chela/internal/base/config"
)

// Over HTTP, headers set the same options of an agent as the flags of chela mcp.
func TestAgentHeaders(t *testing.T) {
	h := http.Header{}
	for name, value := range map[string]string{
		"X-Chela-Active-Model": "openai/blind", "X-Chela-Model-Sees-Images": "true", "X-Chela-No-Host": "1",
		"X-Chela-Sandbox-Url": "http://127.0.0.1:9", "X-Chela-Sandbox-Token": "T", "X-Chela-Render-Tools": "true", "X-Chela-Session": "a", "X-Chela-Else": "b",
	} {
		h.Set(name, value)
	}
	var a agentOptions
	if err := a.read(h); err != nil {
		t.Fatal(err)
	}
	if a.model.name != "openai/blind" || !a.model.sees || !a.noHost || a.sandbox != (sandbox{"http://127.0.0.1:9", "T"}) || !a.forms {
		t.Errorf("got %+v", a)
	}
	for want, h := range map[string]http.Header{
		"X-Chela-No-Host must be of the type bool":                {"X-Chela-No-Host": {"perhaps"}},
		"the request has more than one X-Chela-Active-Model":      {"X-Chela-Active-Model": {"a", "b"}},
		"the request has more than one X-Chela-Model-Sees-Images": {"X-Chela-Model-Sees-Images": {"true", "false"}},
	} {
		if err := new(agentOptions).read(h); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// The configuration's permissions for agents are read at each call, so a change also affects agents
// that are already connected.
func TestRulesOfConnectedAgents(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "chela.json")
	live, err := config.Open(config.Flags{StateDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	tool, err := program().tool(t.Context(), live, &service{}, new(agentOptions))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		text                              string
		scripts, secrets, noHost, noNodes bool
	}{
		{`{browser: {agentsSeeSecrets: true}}`, true, true, false, false},
		{`{browser: {evaluateEnabled: false}}`, false, false, false, false},
		{`{agents: {defaults: {sandbox: {browser: {allowHostControl: false}}}}}`, true, false, true, false},
		{`{gateway: {nodes: {browser: {mode: "off"}}}}`, true, false, false, true},
		{`{}`, true, false, false, false},
	} {
		if err := os.WriteFile(file, []byte(test.text), 0o600); err != nil {
			t.Fatal(err)
		}
		now := tool.Update(tool)
		if now.Scripts != test.scripts || now.Secrets != test.secrets || now.Places.NoHost != test.noHost || now.Places.NoNodes != test.noNodes {
			t.Errorf("%s: scripts %v, secrets %v, %+v", test.text, now.Scripts, now.Secrets, now.Places)
		}
	}
	kept := &agentOptions{noHost: true}
	if now := kept.withPermissions(tool, live.Current()); !now.Places.NoHost {
		t.Error("the configuration allows what --no-host forbids")
	}
}
