package contract

import (
	"fmt"
	"strings"
	"testing"
)

// Requests that cannot be valid are refused, with OpenClaw's texts, before a browser is started for
// them.
func TestBadRequests(t *testing.T) {
	s := own(t, "")
	const act, bad = "POST /act", "ACT_INVALID_REQUEST"
	tests := []struct {
		request, body string
		status        int
		code, message string
	}{
		{act, ``, 400, "ACT_KIND_REQUIRED", "kind is required"},
		{act, `{}`, 400, "ACT_KIND_REQUIRED", "kind is required"},
		{act, `{"kind": "zap"}`, 400, "ACT_KIND_REQUIRED", "kind is required"},
		{act, `{"kind": 7}`, 400, "ACT_KIND_REQUIRED", "kind is required"},
		{act, `{"kind": "zap", "selector": "#x"}`, 400, "ACT_KIND_REQUIRED", "kind is required"},
		{act, `{"kind": "click"}`, 400, bad, "click requires ref or selector"},
		{act, `{"kind": "click", "ref": "  "}`, 400, bad, "click requires ref or selector"},
		{act, `{"kind": "click", "ref": {}}`, 400, bad, "ref must be a string"},
		{act, `{"kind": "click", "ref": "e1", "button": "zz"}`, 400, bad, "click button must be left|right|middle"},
		{act, `{"kind": "click", "ref": "e1", "modifiers": ["Hyper"]}`, 400, bad, "modifiers must be Alt|Control|ControlOrMeta|Meta|Shift"},
		{act, `{"kind": "click", "ref": "e1", "modifiers": 3}`, 400, bad, "modifiers"},
		{act, `{"kind": "click", "ref": "e1", "delayMs": 6000}`, 400, bad, "click delayMs exceeds maximum of 5000ms"},
		{act, `{"kind": "click", "ref": "e1", "timeoutMs": "abc"}`, 400, bad, "timeoutMs must be a positive integer."},
		{act, `{"kind": "click", "ref": "e1", "timeoutMs": -5}`, 400, bad, "timeoutMs must be a positive integer."},
		{act, `{"kind": "click", "ref": "e1", "timeoutMs": 0}`, 400, bad, "timeoutMs must be a positive integer."},
		{act, `{"kind": "click", "ref": "e1", "timeoutMs": 1.5}`, 400, bad, "timeoutMs must be a positive integer."},
		{act, `{"kind": "click", "ref": "e1", "timeoutMs": true}`, 400, bad, "timeoutMs must be a positive integer."},
		{act, `{"kind": "clickCoords", "x": -1, "y": 1}`, 400, bad, "clickCoords requires non-negative x and y"},
		{act, `{"kind": "clickCoords", "x": 1}`, 400, bad, "clickCoords requires non-negative x and y"},
		{act, `{"kind": "clickCoords", "x": "left", "y": 1}`, 400, bad, "clickCoords requires non-negative x and y"},
		{act, `{"kind": "select", "ref": "e1", "values": "one"}`, 400, bad, "select requires ref/selector and values"},
		{act, `{"kind": "fill", "fields": "all"}`, 400, bad, "fill requires fields"},
		{act, `{"kind": "type", "ref": "e1"}`, 400, bad, "type requires text"},
		{act, `{"kind": "type", "text": "e12"}`, 400, bad, "type requires text"},
		{"GET /?timeoutMs=abc", ``, 400, "invalid_request", "timeoutMs must be a positive integer."},
		{"GET /profiles?timeoutMs=0", ``, 400, "invalid_request", "timeoutMs must be a positive integer."},
		{"POST /stop", `{"timeoutMs": -1}`, 400, "invalid_request", "timeoutMs must be a positive integer."},
		{"POST /extract", `{"url": ""}`, 400, "invalid_request", "Invalid URL: url is empty"},
		{act, `{"kind": "type", "text": "x", "ref": ""}`, 400, bad, "type requires ref or selector"},
		{act, `{"kind": "type", "text": "x", "ref": null}`, 400, bad, "type requires ref or selector"},
		{act, `{"kind": "keydown"}`, 400, bad, "keydown/keyup requires key"},
		{act, `{"kind": "insertText"}`, 400, bad, "insertText requires text"},
		{act, `{"kind": "press"}`, 400, bad, "press requires key"},
		{act, `{"kind": "press", "key": "NoSuchKey"}`, 400, bad, "NoSuchKey"},
		{act, `{"kind": "press", "key": "a", "delayMs": -1}`, 400, bad, "delayMs"},
		{act, `{"kind": "hover"}`, 400, bad, "hover requires ref or selector"},
		{act, `{"kind": "scrollIntoView"}`, 400, bad, "scrollIntoView requires ref or selector"},
		{act, `{"kind": "drag", "endRef": "e1"}`, 400, bad, "drag requires startRef or startSelector"},
		{act, `{"kind": "drag", "startRef": "e1"}`, 400, bad, "drag requires endRef or endSelector"},
		{act, `{"kind": "select", "ref": "e1"}`, 400, bad, "select requires ref/selector and values"},
		{act, `{"kind": "select", "ref": "e1", "values": [""]}`, 400, bad, "select requires ref/selector and values"},
		{act, `{"kind": "fill"}`, 400, bad, "fill requires fields"},
		{act, `{"kind": "fill", "fields": []}`, 400, bad, "fill requires fields"},
		{act, `{"kind": "fill", "fields": ["x"]}`, 400, bad, "fields[0] must be an object"},
		{act, `{"kind": "fill", "fields": [{"value": "x"}]}`, 400, bad, "fields[0] must include ref"},
		{act, `{"kind": "fill", "fields": [{"ref": "e1"}, {"ref": {}}]}`, 400, bad, "fields[1] must include ref"},
		{act, `{"kind": "fill", "fields": [{"ref": "e1", "text": "x"}]}`, 400, bad, `fields[0] unsupported field key "text"; supported keys are ref, type, value`},
		{act, `{"kind": "fill", "fields": [{"ref": "e1", "value": []}]}`, 400, bad, "fields[0] value must be a string, number, boolean, or null"},
		{act, `{"kind": "resize", "width": 0, "height": 10}`, 400, bad, "resize requires positive width and height"},
		{act, `{"kind": "resize", "width": "wide", "height": 10}`, 400, bad, "width must be a positive integer."},
		{act, `{"kind": "resize"}`, 400, bad, "resize requires positive width and height"},
		{act, `{"kind": "resize", "width": 9000, "height": 10}`, 400, bad, "resize width and height must not exceed 8192"},
		{act, `{"kind": "wait"}`, 400, bad, "wait requires at least one of: timeMs, text, textGone, selector, url, loadState, fn"},
		{act, `{"kind": "wait", "loadState": "zzz"}`, 400, bad, "load"},
		{act, `{"kind": "wait", "timeMs": 31000}`, 400, bad, "wait timeMs exceeds maximum of 30000ms"},
		{act, `{"kind": "wait", "timeMs": -1}`, 400, bad, "timeMs"},
		{act, `{"kind": "evaluate"}`, 400, bad, "evaluate requires fn"},
		{act, `{"kind": "evaluate", "fn": " "}`, 400, bad, "evaluate requires fn"},
		{act, `{"kind": "close", "timeoutMs": "abc"}`, 400, "invalid_request", "timeoutMs must be a positive integer."},

		{"POST /navigate", ``, 400, "invalid_request", "url is required"},
		{"POST /navigate", `{"url": "  "}`, 400, "invalid_request", "url is required"},
		{"POST /navigate", `{"url": "not a url"}`, 400, "navigation_blocked", "Invalid URL: not a url"},
		{"POST /navigate", `{"url": "127.0.0.1:1/"}`, 400, "navigation_blocked", "Invalid URL: 127.0.0.1:1/"},
		{"POST /navigate", `{"url": "http://u:p@127.0.0.1/"}`, 400, "navigation_blocked", "URL-embedded credentials"},
		{"POST /navigate", `{"url": "https://x/", "timeoutMs": 0}`, 400, "invalid_request", "timeoutMs must be a positive integer."},
		{"POST /tabs/open", `{}`, 400, "invalid_request", "url is required"},
		{"POST /tabs/open", `{"url": "file:///etc/passwd"}`, 400, "navigation_blocked", `Navigation blocked: unsupported protocol "file:"`},
		{"POST /tabs/open", `{"url": "javascript:alert(1)"}`, 400, "navigation_blocked", `unsupported protocol "javascript:"`},
		{"POST /tabs/open", `{"url": "data:text/html,hi"}`, 400, "navigation_blocked", `unsupported protocol "data:"`},
		{"POST /tabs/open", `{"url": "chrome://version"}`, 400, "navigation_blocked", `unsupported protocol "chrome:"`},
		{"POST /tabs/open", `{"url": "about:config"}`, 400, "navigation_blocked", ""},
		{"POST /tabs/open", `{"url": "http://x/", "label": "My Tab 1"}`, 400, "invalid_request", "tab label must be 1-64 chars"},
		{"POST /tabs/open", `{"url": "http://x/", "label": "t5"}`, 400, "invalid_request", "looks like a tab id"},
		{"POST /tabs/focus", `{}`, 400, "invalid_request", "targetId is required"},
		{"POST /tabs/action", ``, 400, "invalid_request", "unknown tab action"},
		{"POST /tabs/action", `{"action": "zap"}`, 400, "invalid_request", "unknown tab action"},
		{"POST /tabs/action", `{"action": "select"}`, 400, "invalid_request", "index is required"},
		{"POST /tabs/action", `{"action": "select", "index": "x"}`, 400, "invalid_request", "index must be a non-negative integer"},
		{"POST /tabs/action", `{"action": "close", "index": -1}`, 400, "invalid_request", "index must be a non-negative integer"},
		{"POST /tabs/action", `{"action": "label", "targetId": "t1"}`, 400, "invalid_request", "label is required"},
		{"POST /tabs/action", `{"action": "label", "targetId": "t1", "label": ""}`, 400, "invalid_request", "label is required"},
		{"DELETE /tabs/x?targetIdMode=zap", ``, 400, "invalid_request", `targetIdMode must be "raw"`},
		{"GET /snapshot?format=aria&labels=true", ``, 400, "invalid_request", "labels/mode=efficient require format=ai"},
		{"GET /snapshot?format=aria&mode=efficient", ``, 400, "invalid_request", "labels/mode=efficient require format=ai"},
		{"POST /screenshot", `{"fullPage": true, "ref": "e1"}`, 400, "invalid_request", "fullPage is not supported for element screenshots"},
		{"POST /screenshot", `{"fullPage": true, "element": "h1"}`, 400, "invalid_request", "fullPage is not supported for element screenshots"},
		{"POST /screenshot", `{"ref": "e1", "element": "h1"}`, 400, "invalid_request", "ref cannot be combined with element"},
		{"POST /screenshot", `{"timeoutMs": "x"}`, 400, "invalid_request", "timeoutMs must be a positive integer."},
		{"POST /hooks/dialog", `{}`, 400, "invalid_request", "accept is required"},
		{"POST /start?headless=maybe", ``, 400, "invalid_request", `Invalid headless value. Use "true" or "false".`},
		{"GET /?profile=nope", ``, 404, "not_found", `Profile "nope" not found. Available profiles: chela`},
		{"GET /tabs?profile=nope", ``, 404, "not_found", `Profile "nope" not found.`},
		{act, `{"kind": "press", "key": "a", "profile": "nope"}`, 404, "not_found", `Profile "nope" not found.`},

		// A call that needs a tab does not start a browser only to say that there is none.
		{"POST /tabs/focus", `{"targetId": "t1"}`, 409, "conflict", "browser not running"},
		{"DELETE /tabs/t1", ``, 409, "conflict", "browser not running"},
		{act, `{"kind": "close"}`, 409, "conflict", "browser not running"},
		{"POST /tabs/action", `{"action": "label", "targetId": "t1", "label": "x"}`, 409, "conflict", "browser not running"},
		{"POST /tabs/action", `{"action": "select", "index": 0}`, 409, "conflict", "browser not running"},
		{"POST /tabs/action", `{"action": "select", "index": "0"}`, 409, "conflict", "browser not running"},
		{"POST /tabs/action", `{"action": "close"}`, 409, "conflict", "browser not running"},
	}
	for _, test := range tests {
		t.Run(test.request+" "+test.body, func(t *testing.T) {
			a := s.do(t, test.request, test.body)
			a.Fails(t, test.status, test.code, test.message)
			if test.code == "navigation_blocked" && a.Text("reason") != "navigation_blocked" {
				t.Errorf("reason is %q", a.Text("reason"))
			}
		})
	}
	if s.ok(t, "GET /", "").Get("running") != false {
		t.Error("a browser was started")
	}
}

// Acts take refs. Only a wait takes a selector.
func TestSelectorsAreRefused(t *testing.T) {
	for _, fields := range []string{
		`"kind": "click", "ref": "e1"`, `"kind": "click"`, `"kind": "clickCoords", "x": 1, "y": 1`, `"kind": "type", "ref": "e1", "text": "x"`,
		`"kind": "insertText", "text": "x"`, `"kind": "press", "key": "a"`, `"kind": "hover"`, `"kind": "scrollIntoView"`,
		`"kind": "drag", "startRef": "e1", "endRef": "e2"`, `"kind": "select", "values": ["x"]`, `"kind": "fill", "fields": [{"ref": "e1"}]`,
		`"kind": "resize", "width": 10, "height": 10`, `"kind": "evaluate", "fn": "1"`, `"kind": "close"`,
	} {
		a := shared.do(t, "POST /act", `{"selector": "#x", `+fields+`}`)
		a.Fails(t, 400, "ACT_SELECTOR_UNSUPPORTED", "Error: 'selector' is not supported. Use 'ref' from snapshot instead.")
	}
	for _, name := range []string{"startSelector", "endSelector"} {
		shared.do(t, "POST /act", `{"kind": "drag", "startRef": "e1", "`+name+`": "#x"}`).Fails(t, 400, "ACT_SELECTOR_UNSUPPORTED", "Use 'ref' from snapshot instead.")
	}
	tab := shared.borrow(t, page("<p id=x>there"))
	shared.act(t, tab, `"kind": "wait", "selector": "#x"`)
}

func TestScriptsCanBeForbidden(t *testing.T) {
	s := own(t, `{browser: {noSandbox: true, headless: true, evaluateEnabled: false}}`)
	for fields, message := range map[string]string{
		`"kind": "evaluate", "fn": "1"`:            "act:evaluate is disabled by config (browser.evaluateEnabled=false).",
		`"kind": "wait", "fn": "true"`:             "wait --fn is disabled by config (browser.evaluateEnabled=false).",
		`"kind": "wait", "timeMs": 1, "fn": "1"`:   "wait --fn is disabled by config (browser.evaluateEnabled=false).",
		`"kind": "evaluate", "fn": "1", "ref": 12`: "act:evaluate is disabled",
		`"kind": " evaluate ", "fn": "1"`:          "act:evaluate is disabled",
	} {
		s.do(t, "POST /act", "{"+fields+"}").Fails(t, 403, "ACT_EVALUATE_DISABLED", message)
	}
	for _, fields := range []string{`"body": "<script>1</script>"`, `"fulfill": {"json": 1}`, `"fulfill": {}`, `"bodyFile": "x.html"`} {
		s.do(t, "POST /route", `{"url": "**", `+fields+`}`).Fails(t, 403, "ACT_EVALUATE_DISABLED", "is disabled by config")
	}
	for _, url := range []string{"javascript:alert(1)", " JavaScript:alert(1)", `java\nscript:alert(1)`, "data:text/html,<script>1</script>", "view-source:javascript:1"} {
		s.do(t, "POST /tabs/open", `{"url": "`+url+`"}`).Fails(t, 400, "navigation_blocked", "")
	}
	s.do(t, "POST /render", `{"url": "http://example.com", "mode": "extract", "javascript": "1"}`).
		Fails(t, 403, "ACT_EVALUATE_DISABLED", "render --javascript is disabled by config (browser.evaluateEnabled=false).")
	s.do(t, "POST /act", `{"kind": "evaluate"}`).Fails(t, 400, "ACT_INVALID_REQUEST", "evaluate requires fn")
	if s.ok(t, "GET /", "").Get("running") != false {
		t.Error("a browser was started")
	}

	// In a batch, also in a batch inside it, only the script is refused.
	tab := s.open(t, page("<title>as it was</title>"))
	evaluate := `{"kind": "evaluate", "fn": "document.title = 'ran'"}`
	a := s.act(t, tab, `"kind": "batch", "stopOnError": false, "actions": [`+evaluate+`, {"kind": "wait", "fn": "document.title = 'ran'"},
		{"kind": "batch", "actions": [`+evaluate+`]}, {"kind": "press", "key": "Shift"}]`)
	for i, want := range []string{"ACT_EVALUATE_DISABLED", "ACT_EVALUATE_DISABLED", "ACT_EVALUATE_DISABLED", ""} {
		if got := a.Text(fmt.Sprintf("results.%d.code", i)); got != want {
			t.Errorf("action %d: got %q, want %q", i+1, got, want)
		}
	}
	if got := s.ok(t, "GET /tabs", "").Text("tabs.0.title"); got != "as it was" {
		t.Errorf("a script has run: the title is %q", got)
	}
}

func TestUnknownFieldsAreNamed(t *testing.T) {
	tab := shared.borrow(t, page("<p>page"))
	a := shared.act(t, tab, `"kind": "press", "key": "Shift", "zip": 1, "zap": null`)
	if got := a.Text("ignored"); got != "zap zip" {
		t.Errorf("ignored %q", got)
	}
	a = shared.ok(t, "GET /snapshot?format=zzz&limit=abc&timeoutMs=x&maxChars=y&what=1&targetId="+tab, "")
	if got := a.Text("ignored"); got != "format limit maxChars timeoutMs what" {
		t.Errorf("ignored %q", got)
	}
	if a.Text("format") != "ai" {
		t.Errorf("format %q", a.Text("format"))
	}
}

// A field within another one is named by its way.
func TestUnknownFieldsOfACookie(t *testing.T) {
	a := shared.ok(t, "POST /cookies/set", `{"cookie": {"name": "a", "value": "b", "url": "http://c.test/", "expirationDate": 2e9}}`)
	if got := a.Text("ignored"); got != "cookie.expirationDate" {
		t.Errorf("ignored %q", got)
	}
}

// Values may be written in other forms and types, such as a ref with spaces around it or a number
// as a string.
func TestLenientValues(t *testing.T) {
	tab := shared.open(t, site.URL+"/form.html")
	ref := shared.ref(t, tab, "textbox")
	number := strings.TrimPrefix(ref, "e")
	for _, fields := range []string{
		`"ref": "` + ref + `"`, `"ref": "  ` + ref + ` "`, `"ref": "@` + ref + `"`, `"ref": "ref=` + ref + `"`, `"ref": "` + number + `"`, `"ref": ` + number,
	} {
		shared.act(t, tab, `"kind": " hover ", `+fields)
	}
	shared.act(t, " "+tab+" ", `"kind": "click", "ref": "`+ref+`", "doubleClick": "yes", "timeoutMs": "3000"`)
	shared.do(t, "POST /act", shared.body(tab, `"kind": "type", "ref": "`+ref+`", "text": 12`)).Fails(t, 400, "ACT_INVALID_REQUEST", "text must be a string")
	shared.do(t, "POST /act", shared.body(tab, `"kind": "press", "key": 7`)).Fails(t, 400, "ACT_INVALID_REQUEST", "key must be a string")
	shared.act(t, tab, `"kind": "type", "ref": "`+ref+`", "text": " kept "`)
	if got := shared.eval(t, tab, "document.activeElement.value"); got != " kept " {
		t.Errorf("typed %q", got)
	}
	shared.act(t, tab, `"kind": "type", "ref": "`+ref+`", "text": ""`)
	shared.act(t, tab, `"kind": "resize", "width": "800", "height": 600`)
	shared.act(t, tab, `"kind": "wait", "timeMs": "1"`)
}
