package contract

import (
	"fmt"
	"strings"
	"testing"

	tests "chela/test/service"
)

// handles lists the tabs of a server in order, by their handles.
func (s *service) handles(t *testing.T) string {
	t.Helper()
	var all []string
	for _, tab := range s.tabs(t) {
		all = append(all, tab["tabId"].(string))
	}
	return strings.Join(all, " ")
}

func (s *service) tabs(t *testing.T) []map[string]any {
	t.Helper()
	var all []map[string]any
	for _, tab := range s.ok(t, "GET /tabs", "").Get("tabs").([]any) {
		all = append(all, tab.(map[string]any))
	}
	return all
}

// tab returns the entry of one tab in the list.
func (s *service) tab(t *testing.T, handle string) map[string]any {
	t.Helper()
	for _, tab := range s.tabs(t) {
		if tab["tabId"] == handle {
			return tab
		}
	}
	t.Fatalf("no tab %s", handle)
	return nil
}

func TestTabLife(t *testing.T) {
	s := own(t, "")
	a := s.ok(t, "GET /tabs", "")
	if a.Get("running") != false || len(a.Get("tabs").([]any)) != 0 {
		t.Errorf("stopped: %s", a.Raw)
	}
	a = s.ok(t, "POST /tabs/open", fmt.Sprintf(`{"url": %q, "label": "first"}`, site.URL+"/form.html"))
	for field, want := range map[string]any{
		"url": site.URL + "/form.html", "type": "page", "tabId": "t1", "label": "first", "suggestedTargetId": "first", "resolvedProfile": "chela",
	} {
		if a.Get(field) != want {
			t.Errorf("open: %s is %v, want %v", field, a.Get(field), want)
		}
	}
	if _, ok := a.Lookup("wsUrl"); ok || a.Text("title") == "" {
		t.Errorf("open: %s", a.Raw)
	}
	raw := a.Text("targetId")
	s.ok(t, "POST /tabs/open", fmt.Sprintf(`{"targetUrl": %q}`, site.URL+"/text.html"))
	s.ok(t, "POST /tabs/action", `{"action": "new", "label": "third"}`)
	if got := s.handles(t); got != "t3 t2 t1" {
		t.Errorf("listed %s", got)
	}

	for _, name := range []string{"first", "t1", raw, raw[:10], strings.ToLower(raw[:12]), " t1 "} {
		if a := s.ok(t, "POST /tabs/focus", fmt.Sprintf(`{"targetId": %q}`, name)); a.Text("targetId") != raw {
			t.Errorf("%q focused %s", name, a.Text("targetId"))
		}
	}
	if got := s.handles(t); got != "t1 t3 t2" {
		t.Errorf("after focus, listed %s", got)
	}
	s.do(t, "POST /tabs/focus", `{"targetId": "2"}`).Fails(t, 404, "not_found", `tab not found: browser tab "2" not found. Numeric values are not tab targets; use a stable tab id like "t1", a label, or a raw targetId. For positional selection, use `)
	s.do(t, "POST /tabs/focus", `{"targetId": 2}`).Fails(t, 400, "invalid_request", "targetId must be a string")
	for _, name := range []string{"zzz", "FIRST", "T1"} {
		s.do(t, "POST /tabs/focus", fmt.Sprintf(`{"targetId": %q}`, name)).
			Fails(t, 404, "not_found", fmt.Sprintf(`tab not found: browser tab %q not found. Use action=tabs and pass suggestedTargetId, tabId, label, or raw targetId.`, name))
	}

	// A tab is chosen by its position in the list.
	a = s.ok(t, "POST /tabs/action", `{"action": "list"}`)
	if a.Get("ok") != true || len(a.Get("tabs").([]any)) != 3 {
		t.Errorf("list: %s", a.Raw)
	}
	s.ok(t, "POST /tabs/action", `{"action": "select", "index": 2}`)
	if got := s.handles(t); got != "t2 t1 t3" {
		t.Errorf("after select, listed %s", got)
	}
	s.do(t, "POST /tabs/action", `{"action": "select", "index": 9}`).Fails(t, 404, "not_found", "tab not found")
	s.ok(t, "POST /tabs/action", `{"action": "close", "index": 1}`)
	if got := s.handles(t); got != "t2 t3" {
		t.Errorf("after close, listed %s", got)
	}

	// Handles are never used again, and a target id must be whole in raw mode.
	third := s.tab(t, "t3")["targetId"].(string)
	s.do(t, "DELETE /tabs/t3?targetIdMode=raw", "").Fails(t, 404, "not_found", "tab not found")
	s.do(t, "DELETE /tabs/"+third[:10]+"?targetIdMode=raw", "").Fails(t, 404, "not_found", "tab not found")
	if got := s.handles(t); got != "t2 t3" {
		t.Errorf("a look for a tab has moved it: %s", got)
	}
	s.ok(t, "DELETE /tabs/"+third+"?targetIdMode=raw", "")
	if a := s.ok(t, "POST /tabs/action", `{"action": "new"}`); a.Get("tab").(map[string]any)["tabId"] != "t4" {
		t.Errorf("new: %s", a.Raw)
	}
	s.ok(t, "POST /tabs/action", `{"action": "close"}`)

	// Close takes a name as well as a place, and never another tab than the named one.
	fifth := s.ok(t, "POST /tabs/action", `{"action": "new"}`).Text("tab.tabId")
	s.ok(t, "POST /tabs/focus", `{"targetId": "t2"}`)
	s.do(t, "POST /tabs/action", `{"action": "close", "targetId": "t3"}`).Fails(t, 404, "not_found", "tab not found")
	s.do(t, "POST /tabs/action", fmt.Sprintf(`{"action": "close", "targetId": %q, "index": 0}`, fifth)).Fails(t, 400, "invalid_request", "index cannot be combined with targetId")
	s.ok(t, "POST /tabs/action", fmt.Sprintf(`{"action": "close", "targetId": %q}`, fifth))
	if got := s.handles(t); got != "t2" {
		t.Errorf("after close with a name, listed %s", got)
	}
	a = s.ok(t, "POST /act", `{"kind": "close"}`)
	if a.Text("url") != site.URL+"/text.html" {
		t.Errorf("close: %s", a.Raw)
	}

	// If there is no tab, a call opens an empty one.
	a = s.ok(t, "GET /snapshot", "")
	if a.Text("url") != "about:blank" || s.handles(t) != "t6" {
		t.Errorf("no tab: %s, tabs %s", a.Raw, s.handles(t))
	}
}

func TestCurrentTab(t *testing.T) {
	s := mortal // no test leaves a tab there
	current := func() string { return s.ok(t, "GET /snapshot", "").Text("url") }
	one := s.open(t, page("<title>one</title>"))
	two := s.open(t, page("<title>two</title>"))
	if current() != page("<title>two</title>") {
		t.Error("what was opened last is not current")
	}
	s.act(t, one, `"kind": "press", "key": "Shift"`)
	if current() != page("<title>one</title>") {
		t.Error("what was used last is not current")
	}
	s.ok(t, "POST /tabs/action", fmt.Sprintf(`{"action": "label", "targetId": %q, "label": "b"}`, two))
	three := s.open(t, page("<title>three</title>"))
	s.ok(t, "POST /tabs/focus", fmt.Sprintf(`{"targetId": %q}`, one))
	s.ok(t, "DELETE /tabs/"+three, "")
	if current() != page("<title>one</title>") {
		t.Error("to close another tab has changed the current one")
	}
	s.ok(t, "DELETE /tabs/"+one, "")
	if current() != page("<title>two</title>") {
		t.Error("after the current tab was closed, it is not the one used before")
	}
	s.eval(t, two, "void window.open('/text.html', 'popup')")
	tests.Eventually(t, "the popup is listed", func() bool { return strings.HasSuffix(s.handles(t), " "+two) })
	popup := strings.TrimSuffix(s.handles(t), " "+two)
	s.act(t, popup, `"kind": "press", "key": "Shift"`)
	s.eval(t, popup, "document.body.innerHTML = '<button onclick=\"window.close()\">Done</button>'")
	done := s.act(t, popup, fmt.Sprintf(`"kind": "click", "ref": %q`, s.ref(t, popup, `"Done"`)))
	if done.Get("closed") != true || done.Get("openerTab") != two {
		t.Errorf("a click that closed its tab: %s", done.Raw)
	}
	tests.Eventually(t, "the popup has closed itself", func() bool { return s.handles(t) == two })
	if current() != page("<title>two</title>") {
		t.Error("after a popup has closed itself, its opener is not current")
	}
	fresh := s.ok(t, "POST /tabs/action", `{"action": "new"}`).Text("tab.tabId")
	s.ok(t, "GET /snapshot", "").Has(t, "tabId", fresh)
	s.ok(t, "DELETE /tabs/"+fresh, "")
}

func TestLabels(t *testing.T) {
	s := mortal
	open := func(label, before string) (handle string) {
		a := s.ok(t, "POST /tabs/open", fmt.Sprintf(`{"url": "about:blank", "label": %q}`, label))
		if got := a.Text("labelTakenFrom"); got != before {
			t.Errorf("the label was taken from %q, want %q", got, before)
		}
		return a.Text("tabId")
	}
	first := open("a", "")
	second := open("a", first)
	if one, two := s.tab(t, first), s.tab(t, second); one["label"] != nil || one["suggestedTargetId"] != first || two["label"] != "a" {
		t.Errorf("the label has not moved: %v %v", one, two)
	}
	s.do(t, "POST /tabs/open", fmt.Sprintf(`{"url": "http://127.0.0.1:%d/", "label": "a"}`, freePort(t))).Fails(t, 502, "page_failed", "ERR_CONNECTION_REFUSED")
	if s.tab(t, second)["label"] != "a" {
		t.Error("a tab that could not be opened took the label")
	}
	long := strings.Repeat("x", 64)
	a := s.ok(t, "POST /tabs/action", fmt.Sprintf(`{"action": "label", "targetId": %q, "label": %q}`, first, long))
	if tab := a.Get("tab").(map[string]any); tab["label"] != long || tab["tabId"] != first {
		t.Errorf("label: %s", a.Raw)
	}
	for _, wrong := range []string{long + "x", "a b", "ä", "a/b"} {
		s.do(t, "POST /tabs/action", fmt.Sprintf(`{"action": "label", "targetId": %q, "label": %q}`, first, wrong)).
			Fails(t, 400, "invalid_request", "tab label must be 1-64 chars and use only letters, numbers, _, ., :, or -")
	}
	s.do(t, "POST /tabs/action", fmt.Sprintf(`{"action": "label", "targetId": %q, "label": "t2"}`, first)).Fails(t, 400, "invalid_request", `"t2" looks like a tab id`)
	raw := s.tab(t, second)["targetId"].(string)
	s.do(t, "POST /tabs/action", fmt.Sprintf(`{"action": "label", "targetId": %q, "label": %q}`, first, raw)).Fails(t, 400, "invalid_request", "looks like a tab id")
	s.ok(t, "POST /tabs/focus", fmt.Sprintf(`{"targetId": %q}`, raw))
	s.do(t, "POST /tabs/action", `{"action": "label", "targetId": "nope", "label": "x"}`).Fails(t, 404, "not_found", `browser tab "nope" not found`)
	s.do(t, "POST /tabs/action", `{"action": "label", "label": "x"}`).Fails(t, 400, "invalid_request", "targetId is required")
	s.ok(t, "DELETE /tabs/a", "")
	if got := s.handles(t); got != first {
		t.Errorf("left %s, want %s", got, first)
	}
	s.ok(t, "DELETE /tabs/"+first, "")
}

func TestPopups(t *testing.T) {
	tab := shared.open(t, page(`<button onclick="window.open('/text.html')">Open</button>`))
	before := len(shared.tabs(t))
	a := shared.act(t, tab, fmt.Sprintf(`"kind": "click", "ref": %q`, shared.ref(t, tab, "Open")))
	if a.Text("targetId") != shared.tab(t, tab)["targetId"] {
		t.Errorf("the answer is about another tab: %s", a.Raw)
	}
	tests.Eventually(t, "the popup is listed", func() bool { return len(shared.tabs(t)) == before+1 })
	for _, listed := range shared.tabs(t) {
		if handle := listed["tabId"].(string); strings.HasSuffix(listed["url"].(string), "/text.html") {
			shared.ok(t, "GET /snapshot?targetId="+handle, "")
			shared.ok(t, "DELETE /tabs/"+handle, "")
		}
	}
	if a := shared.ok(t, "GET /snapshot?targetId="+tab, ""); a.Text("url") != page(`<button onclick="window.open('/text.html')">Open</button>`) {
		t.Errorf("the opener went elsewhere: %s", a.Text("url"))
	}
}

// White space and control characters name no tab, and never the current one.
func TestBlankNamesNoTab(t *testing.T) {
	s := mortal
	tab := s.open(t, site.URL+"/form.html")
	for _, blank := range []string{"%20", "%0a", "%09", "%0d%0a", "%c2%a0", "%e3%80%80"} {
		s.do(t, "DELETE /tabs/"+blank, "").Fails(t, 400, "invalid_request", "targetId must not be blank")
		s.do(t, "GET /snapshot?targetId="+blank, "").Fails(t, 400, "invalid_request", "targetId must not be blank")
		s.do(t, "GET /dialogs?targetId="+blank, "").Fails(t, 400, "invalid_request", "targetId must not be blank")
		s.do(t, "GET /tabs?profile="+blank, "").Fails(t, 400, "invalid_request", "profile must not be blank")
	}
	for _, unknown := range []string{"%00", "%01", "%7f", "%e2%80%8b", "%1b"} {
		s.do(t, "DELETE /tabs/"+unknown, "").Fails(t, 404, "not_found", "tab not found")
		s.do(t, "GET /snapshot?targetId="+unknown, "").Fails(t, 404, "not_found", "tab not found")
	}
	for _, request := range []string{`{"kind": "press", "key": "a", "targetId": " "}`, `{"kind": "close", "targetId": "\n"}`} {
		a := s.do(t, "POST /act", request)
		if a.Status != 400 || !strings.Contains(a.Raw, "targetId must not be blank") {
			t.Errorf("%s: %s", request, a.Raw)
		}
	}
	s.do(t, "POST /tabs/focus", `{"targetId": " "}`).Fails(t, 400, "invalid_request", "targetId is required")
	if got := s.handles(t); got != tab {
		t.Errorf("the tabs are %s, want %s", got, tab)
	}
}
