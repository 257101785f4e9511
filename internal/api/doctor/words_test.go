package doctor

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestWordsOfTheDoctor(t *testing.T) {
	checks := func(browser check) Report {
		return Report{OK: true, Transport: "cdp", Checks: []check{
			{ID: "plugin-enabled", Status: "pass", Summary: "enabled"},
			{ID: "profile", Status: "pass", Summary: "work via cdp"},
			{ID: "linux-sandbox", Status: "warn", Summary: "none", FixHint: "use one"},
			browser,
			{ID: "graphics", Status: "info", Summary: "software"},
			{ID: "tabs", Status: "pass", Summary: "1 visible, use tab reference cli"},
		}}
	}
	const before = "OK gateway: browser control endpoint reachable\nOK plugin: enabled\nOK profile: work (cdp)\nWARN linux-sandbox: none\n  try: use one\n"
	const after = "\nOK graphics: software\nOK tabs: 1 visible, use tab reference cli"
	for _, test := range []struct {
		browser check
		line    string
		ok      bool
	}{
		{check{ID: "cdp-websocket", Status: "pass", Summary: "CDP is reachable by a pipe, pid 7"}, "OK browser: running", true},
		{check{ID: "cdp-websocket", Status: "info", Summary: notRunning}, "FAIL browser: not running; run `chela start`", false},
		{check{ID: "cdp-websocket", Status: "info", Summary: notConnected}, "OK browser: the browser runs; the next call that needs it connects to it", true},
		{check{ID: "cdp-websocket", Status: "fail", Summary: "the browser does not answer"}, "FAIL browser: the browser does not answer", false},
	} {
		h := checks(test.browser)
		if got := h.Terminal(); got != before+test.line+after {
			t.Errorf("got\n%s\nwant\n%s", got, before+test.line+after)
		}
		if err := h.Failure(); (err == nil) != test.ok || err != nil && err.Error() != "failed: browser" {
			t.Errorf("%s: %v", test.line, err)
		}
		raw, err := json.Marshal(h.TerminalJSON())
		var got struct {
			OK     bool
			Checks []struct {
				Name, ID, Detail string
				OK               bool
			}
		}
		if err != nil || json.Unmarshal(raw, &got) != nil || got.OK != test.ok || len(got.Checks) != 7 {
			t.Fatalf("%s, %v", raw, err)
		}
		if c := got.Checks[4]; c.Name != "browser" || c.ID != "cdp-websocket" || c.OK != test.ok || !strings.HasSuffix(test.line, c.Detail) {
			t.Errorf("%s: got %+v", test.line, c)
		}
	}
}
