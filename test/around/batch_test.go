package around

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"chela/test/long"
	"chela/test/service"
)

func TestBatch(t *testing.T) {
	const form = `<input aria-label="Name"><button onclick="out.textContent += 'pressed '">Press</button><button disabled>Off</button><a href="/frame.html">Away</a><button onclick="history.pushState(0, '', '#x')">Push</button><button onclick="confirm('?')">Ask</button><p id=out></p>`
	fresh := func(t *testing.T) (*service.Tab, args, args, args, args) {
		tab := shared.Borrow(t, html(form))
		click := func(words string) args { return args{"kind": "click", "ref": tab.Ref(words)} }
		off := click("Off")
		off["timeoutMs"] = 600
		return tab, click("Press"), off, click("Away"), click("Push")
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
		for range 3 {
			tab := shared.Open(t, html(form))
			if got := batch(tab, args{}, args{"kind": "close"}, args{"kind": "press", "key": "a"}); got["results"] != "true" || got["aborted"] != "closed" || got["skipped"] != "1" {
				t.Errorf("answered %s", got["raw"])
			}
		}
	})
	t.Run("meets a dialog", func(t *testing.T) {
		tab, press, _, _, _ := fresh(t)
		got := batch(tab, args{}, press, args{"kind": "click", "ref": tab.Ref("Ask")}, press)
		if !strings.Contains(got["raw"], `"blockedByDialog":true`) || got["aborted"] != "dialog" || got["after"] != "2" || got["skipped"] != "1" {
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
			{[]args{press, {"kind": "nothing"}}, 400, "ACT_KIND_REQUIRED", `unknown kind "nothing"`},
			{[]args{press, {"kind": "click"}}, 400, "ACT_INVALID_REQUEST", "click requires ref"},
			{[]args{press, {"kind": "click", "ref": "e1", "snapshot": "delta"}}, 400, "ACT_INVALID_REQUEST", "snapshot is not supported in a batched action"},
			{[]args{press, {"kind": "click", "ref": "e1", "settleMs": 100}}, 400, "ACT_INVALID_REQUEST", "settleMs is not supported in a batched action"},
			{[]args{press, {"kind": "batch", "actions": []args{{"kind": "click", "ref": "e1", "settleMs": 100}}}}, 400, "ACT_INVALID_REQUEST", "settleMs is not supported in a batched action"},
			{[]args{press, {"kind": "click", "ref": "e1", "targetId": " "}}, 400, "ACT_INVALID_REQUEST", "targetId must not be blank"},
			{[]args{press, {"kind": "click", "ref": "e1", "targetId": "other"}}, 403, "ACT_TARGET_ID_MISMATCH", "batched action targetId must match request targetId"},
		} {
			tab.Do("POST /act", args{"kind": "batch", "actions": s.actions}).Fails(t, s.status, s.code, s.says)
		}
		if tab.Eval("out.textContent") != "" {
			t.Error("something was pressed")
		}
	})
}

// A batch inside a batch fails when one of its acts fails, and then stops the outer batch.
func TestNestedBatchThatFails(t *testing.T) {
	tab := shared.Borrow(t, html(`<button onclick="out.textContent += 'pressed '">Press</button><button disabled>Off</button><p id=out></p>`))
	press, off := args{"kind": "click", "ref": tab.Ref("Press")}, args{"kind": "click", "ref": tab.Ref("Off"), "timeoutMs": 600}
	for _, s := range []struct {
		name           string
		outer, inner   args
		results, wrote string
	}{
		{"stops both", args{}, args{"actions": []args{off, press}}, "false", ""},
		{"stops the outer one only", args{}, args{"actions": []args{off, press}, "stopOnError": false}, "false", "pressed "},
		{"stops the inner one only", args{"stopOnError": false}, args{"actions": []args{off, press}}, "false true", "pressed "},
		{"stops none", args{"stopOnError": false}, args{"actions": []args{off, press}, "stopOnError": false}, "false true", "pressed pressed "},
		{"two levels down", args{}, args{"actions": []args{{"kind": "batch", "actions": []args{off}}}}, "false", ""},
	} {
		t.Run(s.name, func(t *testing.T) {
			tab.Eval("out.textContent = ''")
			s.inner["kind"] = "batch"
			s.outer["actions"] = []args{s.inner, press}
			a := tab.Act("batch", s.outer)
			a.Has(t, "results.0.code", "ACT_OPERATION_FAILED")
			a.Has(t, "results.0.results.0.ok", "false")
			var results []string
			for i := range a.Count("results") {
				results = append(results, a.Text("results."+string(rune('0'+i))+".ok"))
			}
			if strings.Join(results, " ") != s.results || tab.Eval("out.textContent") != s.wrote {
				t.Errorf("the page got %q: %s", tab.Eval("out.textContent"), a.Raw)
			}
		})
	}
}

// The deadline of a batch is for all its acts together, and its error says what was done.
func TestBatchDeadline(t *testing.T) {
	tab := shared.Borrow(t, html(`<button onclick="out.textContent += 'pressed '">Press</button><p id=out></p>`))
	press, long := args{"kind": "click", "ref": tab.Ref("Press")}, args{"kind": "wait", "timeMs": 5000}
	for _, s := range []struct {
		name    string
		actions []args
	}{
		{"in an act", []args{press, long, press}},
		{"in a batch in it", []args{press, {"kind": "batch", "actions": []args{long}}, press}},
	} {
		t.Run(s.name, func(t *testing.T) {
			began := time.Now()
			a := tab.Do("POST /act", args{"kind": "batch", "timeoutMs": 1500, "actions": s.actions})
			a.Fails(t, 504, "deadline", "of 3 acts, 2 were sent and 1 were done")
			if took := time.Since(began); took < 1500*time.Millisecond || took > 5*time.Second {
				t.Errorf("answered after %v", took)
			}
			a.Has(t, "sent", "true")
			a.Has(t, "details.results.0.ok", "true")
			a.Has(t, "details.results.1.ok", "false")
			a.Has(t, "details.results.1.code", "deadline")
		})
	}
	t.Run("with nothing that acts", func(t *testing.T) {
		tab.Do("POST /act", args{"kind": "batch", "timeoutMs": 1500, "actions": []args{{"kind": "snapshot"}, long}}).Has(t, "sent", "")
	})
	t.Run("of a batch in it", func(t *testing.T) {
		a := tab.Act("batch", args{"actions": []args{{"kind": "batch", "timeoutMs": 1500, "actions": []args{press, long}}, press}})
		a.Has(t, "results.0.code", "deadline")
		a.Has(t, "results.0.details.results.0.ok", "true")
		if a.Count("results") != 1 {
			t.Errorf("it went on: %s", a.Raw)
		}
	})
}

// Each act of a batch can have an answer to the dialog that it opens.
func TestBatchAnswersDialogs(t *testing.T) {
	tab := shared.Borrow(t, html(`<button onclick="out.textContent += confirm('?') + ' '">Ask</button><p id=out></p>`))
	ask := func(accept bool) args {
		return args{"kind": "click", "ref": tab.Ref("Ask"), "dialog": args{"accept": accept}}
	}
	a := tab.Act("batch", args{"actions": []args{ask(true), ask(false), {"kind": "batch", "actions": []args{ask(true)}}}})
	a.Has(t, "blockedByDialog", "")
	if got := tab.Eval("out.textContent"); got != "true false true " {
		t.Errorf("the page got %q: %s", got, a.Raw)
	}
	unanswered := tab.Act("batch", args{"actions": []args{{"kind": "click", "ref": tab.Ref("Ask")}}})
	unanswered.Has(t, "blockedByDialog", "true")
	tab.OK("POST /hooks/dialog", args{"accept": true})
}

// A batch that a dialog ends says which actions were done: the one that opened the dialog was.
func TestBatchAtADialog(t *testing.T) {
	tab := shared.Borrow(t, html(`<button onclick="out.textContent += confirm('?') + ' '">Ask</button><p id=out></p>`))
	ask := args{"kind": "click", "ref": tab.Ref("Ask")}
	one := args{"kind": "evaluate", "fn": "1"}
	for _, s := range []struct {
		name    string
		actions []args
		want    map[string]string
	}{
		{"an act that opens it", []args{ask}, map[string]string{"results.0.ok": "true", "aborted": ""}},
		{"then another act", []args{one, ask, one}, map[string]string{"results.1.ok": "true", "results.2": "", "aborted.afterAction": "2", "aborted.skipped": "1"}},
		{"a timer before an action", []args{{"kind": "evaluate", "fn": "setTimeout(() => confirm('?'), 1000)"}, {"kind": "wait", "text": "never"}, one},
			map[string]string{"results.0.ok": "true", "results.1": "", "aborted.afterAction": "1", "aborted.skipped": "2"}},
		{"in a batch of the batch", []args{{"kind": "batch", "actions": []args{one, ask, one}}, one},
			map[string]string{"results.0.results.0.result": "1", "results.0.results.1.ok": "true", "results.0.aborted.skipped": "1", "results.1": "", "aborted.reason": "dialog", "aborted.skipped": "2"}},
	} {
		a := tab.Act("batch", args{"actions": s.actions})
		a.Has(t, "blockedByDialog", "true")
		for path, want := range s.want {
			if got := a.Text(path); got != want {
				t.Errorf("%s: %s is %q, want %q: %s", s.name, path, got, want, a.Raw)
			}
		}
		tab.OK("POST /hooks/dialog", args{"accept": true})
	}
}

// The results of scripts in a batch are kept, also those of a batch inside it.
func TestBatchKeepsResults(t *testing.T) {
	tab := shared.Borrow(t, html(`<title>Page</title>`))
	title := args{"kind": "evaluate", "fn": "document.title"}
	a := tab.Act("batch", args{"actions": []args{title, {"kind": "batch", "actions": []args{title}}, {"kind": "evaluate", "fn": "void 0", "bogus": 1}}})
	a.Has(t, "results.0.result", "Page")
	a.Has(t, "results.1.results.0.result", "Page")
	a.Has(t, "results.2.result", "")
	a.Has(t, "results.2.ignored", "bogus")
}

// An act in a batch may name its tab by the handle, the label, the target id, or the beginning of
// that id.
func TestBatchNamesItsTab(t *testing.T) {
	other := shared.Borrow(t, html(`other`))
	tab := shared.Open(t, html(`<title>Page</title>`))
	target := tab.OK("GET /dialogs", nil).Text("targetId")
	shared.OK(t, "POST /tabs/action", args{"action": "label", "targetId": tab.ID, "label": "batched"})
	for _, batched := range []string{tab.ID, "batched", ""} {
		for _, name := range []string{tab.ID, "batched", target, strings.ToLower(target), target[:12]} {
			request := args{"kind": "batch", "actions": []args{
				{"kind": "evaluate", "fn": "document.title", "targetId": name, "profile": "openclaw"},
				{"kind": "batch", "actions": []args{{"kind": "evaluate", "fn": "1", "targetId": name}}},
			}}
			if batched != "" {
				request["targetId"] = batched
			}
			a := shared.OK(t, "POST /act", request)
			a.Has(t, "results.0.result", "Page")
			a.Has(t, "results.1.ok", "true")
		}
		for _, wrong := range []args{{"targetId": other.ID}, {"targetId": "t999"}, {"profile": "nobody"}} {
			wrong["kind"], wrong["fn"] = "evaluate", "document.title = 'written'"
			request := args{"kind": "batch", "actions": []args{wrong}}
			if batched != "" {
				request["targetId"] = batched
			}
			shared.Do(t, "POST /act", request).Fails(t, 403, "ACT_TARGET_ID_MISMATCH", "batched action targetId must match request targetId")
			request["actions"] = []args{{"kind": "evaluate", "fn": "document.title = 'written'"}, {"kind": "batch", "actions": []args{wrong}}}
			shared.Do(t, "POST /act", request).Fails(t, 403, "ACT_TARGET_ID_MISMATCH", "batched action targetId must match request targetId")
		}
	}
	if got := tab.Eval("document.title"); got != "Page" {
		t.Error("something was done")
	}
}

// When the browser dies in a batch, the error says how many acts were sent.
func TestBatchWhenTheBrowserDies(t *testing.T) {
	long.Test(t)
	for _, nested := range []bool{false, true} {
		s := mortal
		tab := s.Open(t, html(`<button onclick="out.textContent += 'pressed '">Press</button><p id=out></p>`))
		press := args{"kind": "click", "ref": tab.Ref("Press")}
		never := args{"kind": "evaluate", "fn": "() => { window.waits = true; return new Promise(() => {}) }"}
		if nested {
			never = args{"kind": "batch", "actions": []args{never}}
		}
		failing := make(chan service.Answer, 1)
		go func() {
			a, _ := tab.Try(t.Context(), "batch", args{"actions": []args{press, never, press}})
			failing <- a
		}()
		tab.Act("wait", args{"fn": "window.waits"})
		service.Kill(int(s.OK(t, "GET /", nil).Get("pid").(float64)))
		a := <-failing
		a.Fails(t, 502, "BROWSER_LOST", "the browser ended during the call (of 3 acts, 2 were sent and 1 were done)")
		a.Has(t, "details.sent", "2")
		a.Has(t, "details.results.0.ok", "true")
		a.Has(t, "details.results.1.ok", "false")
	}
}

// A batch navigates and reads. Its answer has what it has read.
func TestBatchReads(t *testing.T) {
	tab := shared.Borrow(t, html(`start`))
	there := html(`<h1>Order</h1><button onclick="out.textContent = 'confirmed'">Order</button><p id=out></p>`)
	a := tab.Act("batch", args{"actions": []args{
		{"kind": "navigate", "url": there},
		{"kind": "expect", "text": "Order"},
		{"kind": "press", "key": "Tab"},
		{"kind": "press", "key": "Enter"},
		{"kind": "expect", "text": "confirmed"},
		{"kind": "snapshot"},
		{"kind": "find", "role": "button"},
		{"kind": "screenshot"},
	}})
	for i := range 8 {
		a.Has(t, fmt.Sprintf("results.%d.ok", i), "true")
	}
	a.Has(t, "aborted", "")
	a.Has(t, "results.0.navigated", "true")
	a.Has(t, "results.1.met", "true")
	a.Has(t, "results.5.refs", "")
	a.Has(t, "results.6.total", "1")
	if !strings.HasSuffix(a.Text("results.4.line"), ": confirmed") || !strings.Contains(a.Text("results.5.snapshot"), `button "Order"`) || !strings.HasSuffix(a.Text("results.7.path"), ".png") {
		t.Errorf("answered %s", a.Raw)
	}
}

// A reading in a batch has as many characters as the batch allows, or as its own action allows.
func TestBatchBoundsWhatItReads(t *testing.T) {
	tab := shared.Borrow(t, html(strings.Repeat(`<button>A button of the page</button>`, 40)))
	long := args{"kind": "evaluate", "fn": "'x'.repeat(9000)"}
	for _, s := range []struct {
		name     string
		batch    args
		action   args
		field    string
		from, to int
	}{
		{"as the batch says", args{"maxChars": 200}, args{"kind": "snapshot"}, "snapshot", 100, 200},
		{"as the action says", args{"maxChars": 200}, args{"kind": "snapshot", "maxChars": 150}, "snapshot", 50, 150},
		{"no more than the batch says", args{"maxChars": 200}, args{"kind": "snapshot", "maxChars": 900}, "snapshot", 100, 200},
		{"in a batch in it", args{"maxChars": 200}, args{"kind": "batch", "actions": []args{{"kind": "snapshot"}}}, "results.0.snapshot", 100, 200},
		{"of a script", args{"maxChars": 200}, long, "result", 200, 240},
		{"when nobody says", args{}, long, "result", 8000, 8040},
		{"of all", args{"maxChars": 0}, long, "result", 9000, 9000},
	} {
		t.Run(s.name, func(t *testing.T) {
			s.batch["actions"] = []args{s.action}
			a := tab.Act("batch", s.batch)
			if n := len([]rune(a.Text("results.0." + s.field))); n < s.from || n > s.to {
				t.Errorf("it has %d characters: %s", n, a.Raw)
			}
			if s.to != 9000 && !strings.Contains(a.Raw, `"truncated":true`) {
				t.Errorf("nothing says that there is more: %s", a.Raw)
			}
		})
	}
}

// After an act has caused a navigation, no later act of the batch is done, but readings are.
func TestBatchAfterANavigation(t *testing.T) {
	long.Test(t)
	const form = `<a href="/frame.html">Away</a><button onclick="out.textContent += 'pressed '">Press</button><p id=out></p>`
	read, press := args{"kind": "expect", "url": "/frame.html"}, args{"kind": "press", "key": "a"}
	tab := shared.Open(t, "about:blank")
	for _, s := range []struct {
		name           string
		behind         []args
		results        string
		skipped, after string
	}{
		{"acts", []args{press, press}, "true", "2", "1"},
		{"a reading", []args{read}, "true true", "", ""},
		{"an act and a reading", []args{press, read, {"kind": "snapshot"}, press}, "true false true true", "2", "1"},
		{"a navigation", []args{{"kind": "navigate", "url": html("x")}, read}, "true false true", "1", "1"},
		{"a reading that fails", []args{press, {"kind": "expect", "url": "x.html", "timeoutMs": 500}, read}, "true false false", "2", "1"},
	} {
		t.Run(s.name, func(t *testing.T) {
			tab := tab.For(t)
			tab.Visit(html(form))
			a := tab.Act("batch", args{"actions": append([]args{{"kind": "click", "ref": tab.Ref("Away")}}, s.behind...)})
			var results []string
			for i := range a.Count("results") {
				results = append(results, a.Text(fmt.Sprintf("results.%d.ok", i)))
			}
			if got := strings.Join(results, " "); got != s.results {
				t.Errorf("got %s, want %s: %s", got, s.results, a.Raw)
			}
			a.Has(t, "aborted.skipped", s.skipped)
			a.Has(t, "aborted.afterAction", s.after)
		})
	}
	t.Run("in a batch in it", func(t *testing.T) {
		tab := tab.For(t)
		tab.Visit(html(form))
		inner := args{"kind": "batch", "actions": []args{{"kind": "click", "ref": tab.Ref("Away")}}}
		a := tab.Act("batch", args{"actions": []args{inner, press, read}})
		a.Has(t, "results.1.skipped", "true")
		a.Has(t, "results.2.met", "true")
		a.Has(t, "aborted.skipped", "1")
	})
	t.Run("of a batch in it", func(t *testing.T) {
		tab := tab.For(t)
		tab.Visit(html(form))
		inner := args{"kind": "batch", "actions": []args{{"kind": "navigate", "url": html(form)}}}
		a := tab.Act("batch", args{"actions": []args{inner, press}})
		a.Has(t, "results.1.ok", "true")
		a.Has(t, "aborted", "")
	})
}

// An expectation that is not met is an action that failed.
func TestBatchExpects(t *testing.T) {
	tab := shared.Borrow(t, html(`<p>Order pending</p><button onclick="this.textContent = 'pressed'">Press</button>`))
	never, press := args{"kind": "expect", "text": "Order confirmed", "timeoutMs": 500}, args{"kind": "click", "ref": tab.Ref("Press")}
	a := tab.Act("batch", args{"actions": []args{never, press}})
	a.Has(t, "results.0.ok", "false")
	a.Has(t, "results.0.met", "false")
	a.Has(t, "results.0.code", "not_met")
	if a.Count("results") != 1 || !strings.Contains(a.Text("results.0.error"), "Order pending") {
		t.Errorf("answered %s", a.Raw)
	}
	a = tab.Act("batch", args{"actions": []args{never, press}, "stopOnError": false})
	a.Has(t, "results.1.ok", "true")
}
