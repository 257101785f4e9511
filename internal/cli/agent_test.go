package cli

import (
	"net/http"
	"strings"
	"testing"
)

// What flags say of an agent of chela mcp, headers say over HTTP.
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
