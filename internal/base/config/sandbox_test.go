package config

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestSandboxOfAgents(t *testing.T) {
	sandbox := func(t *testing.T, keys string) (*Config, error) {
		return load(t, `{agents: {defaults: {sandbox: {browser: {`+keys+`}}}}}`, Flags{})
	}
	for keys, want := range map[string]string{
		`url: "box.example"`: "agents.defaults.sandbox.browser.url", `url: "ftp://box.example"`: "must be http(s) or ws(s), got: ftp",
		`token: "${TOKEN}"`: "names a variable: write env:NAME",
	} {
		if _, err := sandbox(t, keys); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", keys, err, want)
		}
	}
	c, err := sandbox(t, "")
	if s := c.Agents.Defaults.Sandbox.Browser; err != nil || !s.AllowHostControl || s.Enabled {
		t.Errorf("by default: %+v, %v", s, err)
	}
	for token, shown := range map[string]string{"s3cret": "(set)", "env:BOX": "env:BOX"} {
		c, err := sandbox(t, `enabled: true, url: "http://127.0.0.1:1", token: "`+token+`"`)
		if err != nil || len(c.Report()) > 0 {
			t.Fatalf("%v, warnings: %q", err, c.Report())
		}
		for _, key := range []string{"", "agents", "agents.defaults.sandbox.browser.token"} {
			value, err := c.Get(key)
			if raw, _ := json.Marshal(value); err != nil || !strings.Contains(string(raw), shown) || strings.Contains(string(raw), "s3cret") {
				t.Errorf("%s: got %s, %v; want %s", key, raw, err, shown)
			}
		}
	}
}
