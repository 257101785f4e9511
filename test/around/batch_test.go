package around

import (
	"slices"
	"strings"
	"testing"

	"chela/test/service"
)

func TestBatch(t *testing.T) {
	const form = `<input aria-label="Name"><button onclick="out.textContent += 'pressed '">Press</button><button disabled>Off</button><a href="/frame.html">Away</a><button onclick="history.pushState(0, '', '#x')">Push</button><button onclick="confirm('?')">Ask</button><p id=out></p>`
	fresh := func(t *testing.T) (*service.Tab, args, args, args, args) {
		tab := shared.Open(t, html(form))
		click := func(words string) args { return args{"kind": "click", "ref": tab.Ref(words), "timeoutMs": 600} }
		return tab, click("Press"), click("Off"), click("Away"), click("Push")
	}
	batch := func(tab *service.Tab, more args, actions ...args) map[string]string {
		more["actions"] = actions
		a := tab.Act("batch", more)
		var results []string
		for i := range a.Count("results") {
			results = append(results, a.Text("results."+string(rune('0'+i))+".ok"))
		}
		return map[string]string{"results": strings.Join(results, " "), "aborted": a.Text("aborted.reason"), "after": a.Text("aborted.afterAction"), "skipped": a.Text("aborted.skipped"), "raw": a.Raw}
	}
	t.Run("in order", func(t *testing.T) {
		tab, press, _, _, _ := fresh(t)
		got := batch(tab, args{}, args{"kind": "type", "ref": tab.Ref("Name"), "text": "Ada"}, press, press)
		if got["results"] != "true true true" || tab.Eval("out.textContent") != "pressed pressed " || tab.Eval("document.querySelector('input').value") != "Ada" {
			t.Errorf("answered %s", got["raw"])
		}
	})
	t.Run("stops at an error", func(t *testing.T) {
		tab, press, off, _, _ := fresh(t)
		if got := batch(tab, args{}, press, off, press); got["results"] != "true false" || got["aborted"] != "" {
			t.Errorf("answered %s", got["raw"])
		}
	})
	t.Run("goes on after an error", func(t *testing.T) {
		tab, press, off, _, _ := fresh(t)
		if got := batch(tab, args{"stopOnError": false}, press, off, press); got["results"] != "true false true" {
			t.Errorf("answered %s", got["raw"])
		}
	})
	t.Run("ends with the document", func(t *testing.T) {
		tab, press, _, away, _ := fresh(t)
		got := batch(tab, args{"stopOnError": false}, press, away, press, press)
		if got["results"] != "true true" || got["aborted"] != "navigation" || got["after"] != "2" || got["skipped"] != "2" {
			t.Errorf("answered %s", got["raw"])
		}
	})
	t.Run("ends with the address", func(t *testing.T) {
		tab, press, _, _, push := fresh(t)
		if got := batch(tab, args{}, push, press); got["results"] != "true" || got["aborted"] != "navigation" {
			t.Errorf("answered %s", got["raw"])
		}
	})
	t.Run("navigates last", func(t *testing.T) {
		tab, press, _, away, _ := fresh(t)
		if got := batch(tab, args{}, press, away); got["results"] != "true true" || got["aborted"] != "" || !strings.Contains(got["raw"], `"navigated":true`) {
			t.Errorf("answered %s", got["raw"])
		}
	})
	t.Run("ends with its tab", func(t *testing.T) {
		tab, press, _, _, _ := fresh(t)
		if got := batch(tab, args{}, args{"kind": "close"}, press); got["aborted"] != "closed" || got["skipped"] != "1" {
			t.Errorf("answered %s", got["raw"])
		}
	})
	t.Run("meets a dialog", func(t *testing.T) {
		tab, press, _, _, _ := fresh(t)
		got := batch(tab, args{}, press, args{"kind": "click", "ref": tab.Ref("Ask")}, press)
		if !strings.Contains(got["raw"], `"blockedByDialog":true`) {
			t.Errorf("answered %s", got["raw"])
		}
		tab.OK("POST /hooks/dialog", args{"accept": true})
		if tab.Eval("out.textContent") != "pressed " {
			t.Error("it went on behind the dialog")
		}
	})
	t.Run("nests", func(t *testing.T) {
		tab, press, _, _, _ := fresh(t)
		if got := batch(tab, args{}, args{"kind": "batch", "actions": []args{press, press}}, press); got["results"] != "true true" || tab.Eval("out.textContent") != "pressed pressed pressed " {
			t.Errorf("answered %s", got["raw"])
		}
	})
	t.Run("refuses", func(t *testing.T) {
		tab, press, _, _, _ := fresh(t)
		deep := press
		for range 6 {
			deep = args{"kind": "batch", "actions": []args{deep}}
		}
		for _, s := range []struct {
			actions    any
			status     int
			code, says string
		}{
			{nil, 400, "ACT_INVALID_REQUEST", "actions are required"},
			{[]args{}, 400, "ACT_INVALID_REQUEST", "actions are required"},
			{slices.Repeat([]args{press}, 101), 400, "ACT_INVALID_REQUEST", "batch exceeds maximum of 100 actions"},
			{[]args{deep}, 400, "ACT_INVALID_REQUEST", "batch nesting exceeds maximum depth of 5"},
			{[]args{{"kind": "nothing"}}, 400, "ACT_KIND_REQUIRED", "kind is required"},
			{[]args{{"kind": "click", "ref": "e1", "targetId": "other"}}, 403, "ACT_TARGET_ID_MISMATCH", "batched action targetId must match request targetId"},
		} {
			tab.Do("POST /act", args{"kind": "batch", "actions": s.actions}).Fails(t, s.status, s.code, s.says)
		}
		if tab.Eval("out.textContent") != "" {
			t.Error("something was pressed")
		}
	})
}
