package contract

import (
	"fmt"
	"strings"
	"testing"

	"chela/test/long"
)

// The parameters that say what an answer shows of the page are the same in all operations that act
// on it.
func TestSnapshotAfterAnyCall(t *testing.T) {
	tab := shared.open(t, page(`<nav><a href=#>One</a><a href=#>Two</a><a href=#>Three</a><a href=#>Four</a></nav><main><button
		onclick="setTimeout(() => { if (confirm('Sure?')) document.querySelector('main').append('Done.') })">Ask</button></main>`))
	first := shared.ok(t, "POST /find", shared.body(tab, `"text": "Ask", "role": "button"`))
	ref := fmt.Sprint(first.Get("matches").([]any)[0].(map[string]any)["ref"])
	for _, s := range []struct{ call, fields, field, has, hasNot string }{
		{"POST /act", `"kind": "hover", "ref": "` + ref + `", "snapshot": "delta"`, "noDelta", "<nil>", ""},
		{"POST /act", `"kind": "hover", "ref": "` + ref + `", "snapshot": "none"`, "effects", "", ""},
		{"POST /act", `"kind": "click", "ref": "` + ref + `", "settleMs": 5000`, "effects", "dialog", ""},
		{"POST /hooks/dialog", `"accept": true, "snapshot": "delta"`, "delta", "Done.", "Two"},
		{"POST /reload", `"snapshot": "delta"`, "snapshot", `"Two"`, ""}, // no answer has shown the menu before
		{"POST /reload", `"snapshot": "delta"`, "noDelta", "another document", ""},
		{"POST /reload", `"snapshot": "delta"`, "snapshot", `"Ask"`, `"Two"`},
		{"POST /reload", `"snapshot": "efficient"`, "snapshot", `"Two"`, ""},
		{"POST /reload", `"snapshot": "none"`, "snapshot", "<nil>", ""},
	} {
		a := shared.ok(t, s.call, shared.body(tab, s.fields))
		got := fmt.Sprint(a.Get(s.field))
		if !strings.Contains(got, s.has) || s.hasNot != "" && strings.Contains(got, s.hasNot) {
			t.Errorf("%s {%s}: %s is %s", s.call, s.fields, s.field, got)
		}
	}
}

// A new page without anything to act on is shown as a whole. An application that shows nothing yet
// is shown once it does, unless the caller says how long to wait.
func TestSnapshotOfPagesWithoutControls(t *testing.T) {
	long.Test(t)
	const late = `<p style="opacity: 0">Loading</p><script>setTimeout(() => document.body.innerHTML = '<button>Begin</button>', 1500)</script>`
	for _, s := range []struct{ html, fields, want string }{
		{`<p>Thank you. <b>Order 7</b> is on its way.`, `"snapshot": "efficient"`, "Order 7"},
		{late, `"snapshot": "efficient", "settleMs": 0`, "1 text that a person cannot see"},
		{late, `"snapshot": "efficient"`, `- button "Begin" [ref=e1]`},
		{late, `"snapshot": "delta"`, `- button "Begin" [ref=e1]`},
		{`<p></p>`, `"snapshot": "efficient"`, "(empty page)"},
	} {
		a := shared.ok(t, "POST /navigate", shared.body(shared.open(t, "about:blank"), fmt.Sprintf(`"url": %q, "hidden": "omit", %s`, page(s.html), s.fields)))
		if got := fmt.Sprint(a.Get("snapshot")); !strings.Contains(got, s.want) || strings.Contains(got, "[new]") {
			t.Errorf("%s {%s}: snapshot is %s", s.html, s.fields, got)
		}
	}
}
