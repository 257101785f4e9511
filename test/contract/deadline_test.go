package contract

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"chela/test/long"
	tests "chela/test/service"
)

// If the script of a page never ends, calls fail in time. The tab can navigate away and be closed.
func TestSpinningPages(t *testing.T) {
	long.Test(t)
	const spin = "const end = Date.now() + 60000; while (Date.now() < end);"
	ways := map[string]struct{ html, act string }{
		"before the act": {`<button>Go</button><script>onmessage = () => {` + spin + `}; setTimeout(() => postMessage(1), 800)</script>`, ""},
		"by the act":     {`<button onclick="` + spin + `">Go</button>`, "click"},
		"after the act":  {`<button onclick="setTimeout(() => {` + spin + `}, 0)">Go</button>`, "click"},
		"by a script":    {`<button>Go</button>`, "evaluate"},
	}
	for name, way := range ways {
		t.Run(name, func(t *testing.T) {
			tab := shared.open(t, page(way.html))
			ref := shared.ref(t, tab, "Go")
			switch way.act {
			case "click":
				shared.do(t, "POST /act", shared.body(tab, `"kind": "click", "timeoutMs": 500, "ref": "`+ref+`"`)).Within(t, 500*time.Millisecond)
			case "evaluate":
				a := shared.do(t, "POST /act", shared.body(tab, fmt.Sprintf(`"kind": "evaluate", "timeoutMs": 500, "fn": %q`, "() => {"+spin+"}")))
				a.Fails(t, 504, "deadline", "evaluate timed out")
				a.Within(t, 500*time.Millisecond)
				shared.eval(t, tab, "1")
				return
			default:
				shared.act(t, tab, `"kind": "wait", "timeMs": 1000`)
			}
			for _, request := range []string{"GET /snapshot?timeoutMs=500&targetId=" + tab, "POST /screenshot", "POST /act"} {
				body := ""
				if strings.HasPrefix(request, "POST") {
					body = shared.body(tab, `"kind": "click", "timeoutMs": 500, "ref": "`+ref+`"`)
				}
				a := shared.do(t, request, body)
				a.Within(t, 500*time.Millisecond)
				if a.Status != http.StatusOK {
					a.Fails(t, 504, "page_busy", "")
				}
			}
			other := shared.borrow(t, page("<p>other"))
			shared.ok(t, "GET /snapshot?targetId="+other, "").AtOnce(t)
			shared.ok(t, "POST /navigate", shared.body(tab, fmt.Sprintf(`"url": %q`, site.URL+"/text.html")))
			shared.ok(t, "GET /snapshot?targetId="+tab, "")
		})
	}
}

// Nothing ends a script that waits for the answer to a synchronous request. The errors say how to go
// on: the tab can be closed.
func TestPagesThatWaitForAnAnswer(t *testing.T) {
	tab := shared.open(t, page(`<script src=/log.js></script><button onclick="hold('/hang')">Go</button>`))
	click := shared.body(tab, fmt.Sprintf(`"kind": "click", "timeoutMs": 500, "ref": %q`, shared.ref(t, tab, "Go")))
	shared.do(t, "POST /act", click).Fails(t, 504, "page_busy", "its script, layout or printing is busy")
	elsewhere := site.URL + "/text.html"
	a := shared.do(t, "POST /navigate", shared.body(tab, fmt.Sprintf(`"url": %q, "timeoutMs": 1500`, elsewhere)))
	a.Fails(t, 504, "deadline", elsewhere+" did not load in time: a script of the page before it does not end")
	a.Has(t, "hint", "close the tab, and open the address in a new one")
	a = shared.do(t, "GET /snapshot?timeoutMs=500&targetId="+tab, "")
	a.Fails(t, 504, "page_busy", "the tab is on its way to "+elsewhere)
	if hint := a.Text("hint"); !strings.Contains(hint, "close it and open another") {
		t.Errorf("the hint is %q", hint)
	}
	shared.ok(t, "DELETE /tabs/"+tab, "").Within(t, time.Second)
}

func TestSpinningTabsClose(t *testing.T) {
	a := shared.ok(t, "POST /tabs/open", fmt.Sprintf(`{"url": %q}`, page("<script>setTimeout(() => { for (;;); }, 100)</script>")))
	shared.do(t, "GET /snapshot?timeoutMs=600&targetId="+a.Text("tabId"), "")
	shared.ok(t, "DELETE /tabs/"+a.Text("tabId"), "").Within(t, time.Second)
}

// While a dialog is open, calls on the tab say so at once.
func TestDialogs(t *testing.T) {
	tab := shared.open(t, page(`<button onclick="document.title = confirm('Really?')">Ask</button>`))
	ref := shared.ref(t, tab, "Ask")
	a := shared.act(t, tab, `"kind": "click", "ref": "`+ref+`"`)
	blocked := func(a tests.Answer) {
		t.Helper()
		a.AtOnce(t)
		state, _ := a.Get("browserState").(map[string]any)
		if a.Get("blockedByDialog") != true || state == nil {
			t.Fatalf("not blocked: %s", a.Raw)
		}
		dialog := state["dialogs"].(map[string]any)["pending"].([]any)[0].(map[string]any)
		if dialog["type"] != "confirm" || dialog["message"] != "Really?" {
			t.Errorf("dialog %v", dialog)
		}
	}
	blocked(a)
	a = shared.ok(t, "GET /snapshot?targetId="+tab, "")
	blocked(a)
	if refs, ok := a.Get("refs").(map[string]any); !ok || len(refs) != 0 || a.Get("snapshot") != "" || a.Text("format") != "ai" {
		t.Errorf("snapshot: %s", a.Raw)
	}
	a = shared.ok(t, "GET /snapshot?format=aria&targetId="+tab, "")
	blocked(a)
	if nodes, ok := a.Get("nodes").([]any); !ok || len(nodes) != 0 || a.Text("format") != "aria" {
		t.Errorf("aria: %s", a.Raw)
	}
	a = shared.do(t, "POST /screenshot", shared.body(tab, `"type": "png"`)) // there is no picture to give
	a.Fails(t, 409, "conflict", `Action blocked by a modal dialog ("d1"): confirm "Really?"`)
	blocked(a)
	for _, fields := range []string{`"kind": "wait", "text": "never"`, `"kind": "press", "key": "a"`, `"kind": "evaluate", "fn": "1"`, `"kind": "resize", "width": 700, "height": 500`} {
		blocked(shared.act(t, tab, fields))
	}
	a = shared.ok(t, "GET /dialogs?targetId="+tab, "")
	if !strings.Contains(a.Raw, "Really?") {
		t.Errorf("dialogs: %s", a.Raw)
	}
	shared.do(t, "POST /hooks/dialog", shared.body(tab, `"accept": true, "dialogId": "d99"`)).Fails(t, 404, "not_found", `Dialog "d99" is not pending.`)
	shared.ok(t, "POST /hooks/dialog", shared.body(tab, `"accept": true`))
	if got := shared.eval(t, tab, "document.title"); got != "true" {
		t.Errorf("the dialog answered %v", got)
	}
	shared.ok(t, "POST /hooks/dialog", shared.body(tab, `"accept": false`))
	a = shared.act(t, tab, `"kind": "click", "ref": "`+ref+`"`)
	if a.Get("blockedByDialog") == true || shared.eval(t, tab, "document.title") != "false" {
		t.Errorf("armed: %s", a.Raw)
	}
}

func TestADialogWhileOpening(t *testing.T) {
	a := shared.ok(t, "POST /tabs/open", fmt.Sprintf(`{"url": %q}`, page("<script>alert('hi')</script>")))
	if a.Get("blockedByDialog") != true || a.Text("tabId") == "" {
		t.Errorf("open: %s", a.Raw)
	}
	shared.ok(t, "DELETE /tabs/"+a.Text("tabId"), "").AtOnce(t)
}

// All calls on one tab get their turn, and other tabs do not wait for them.
func TestManyCallers(t *testing.T) {
	tab := shared.borrow(t, page(`<button onclick="document.title = ++n">Count</button><script>let n = 0</script>`))
	ref := shared.ref(t, tab, "Count")
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			a, err := shared.TryText(t.Context(), "POST /act", shared.body(tab, `"kind": "click", "timeoutMs": 30000, "ref": "`+ref+`"`))
			if err != nil || a.Status != http.StatusOK {
				t.Errorf("%v %s", err, a.Raw)
			}
		})
	}
	all.Wait()
	if got := shared.eval(t, tab, "document.title"); got != "20" {
		t.Errorf("counted %v clicks", got)
	}

	waiting := make(chan tests.Answer)
	go func() {
		a, _ := shared.TryText(t.Context(), "POST /act", shared.body(tab, `"kind": "evaluate", "fn": "new Promise(r => window.go = r)"`))
		waiting <- a
	}()
	other := shared.borrow(t, page("<p>other"))
	shared.ok(t, "GET /snapshot?targetId="+other, "")
	shared.do(t, "GET /snapshot?timeoutMs=500&targetId="+tab, "").Fails(t, 504, "deadline", "")
	shared.act(t, tab, `"kind": "wait", "fn": "window.go && (window.go(7), true)"`) // a wait needs no turn
	if a := <-waiting; a.Get("result") != 7.0 {
		t.Errorf("got %s", a.Raw)
	}
}

// A caller that hangs up no longer keeps others from the tab.
func TestCallersWhoLeave(t *testing.T) {
	tab := shared.borrow(t, page("<p>page"))
	ctx, leave := context.WithCancel(t.Context())
	left := make(chan error)
	go func() {
		_, err := shared.TryText(ctx, "POST /act", shared.body(tab, `"kind": "evaluate", "fn": "new Promise(() => document.title = 'runs')"`))
		left <- err
	}()
	tests.Eventually(t, "the script runs", func() bool { return shared.tab(t, tab)["title"] == "runs" })
	leave()
	if err := <-left; err == nil {
		t.Error("the call was answered")
	}
	shared.ok(t, "GET /snapshot?targetId="+tab, "").AtOnce(t)
}

// If a script navigates the page away, that is not an error of the call.
func TestScriptsThatLeave(t *testing.T) {
	tab := shared.borrow(t, page("<p>page"))
	for range 3 {
		a := shared.do(t, "POST /act", shared.body(tab, fmt.Sprintf(`"kind": "evaluate", "fn": "location.href = %s; return new Promise(() => {})"`, `'`+site.URL+`/text.html?' + Math.random()`)))
		if a.Status != http.StatusOK && a.Status != 422 && a.Status != 409 {
			t.Errorf("got %d %s", a.Status, a.Raw)
		}
		shared.ok(t, "GET /snapshot?targetId="+tab, "")
	}
}

// An act that cannot be done is answered at its deadline, and says why. It does not also wait for
// the time in which the page is looked at after an act. A wait may use its whole time.
func TestActsThatCanNotBeDone(t *testing.T) {
	long.Test(t)
	const html = `<style>.veil {position: fixed; inset: 0; z-index: 1} .over {position: relative; z-index: 2} @keyframes along { to { margin-left: 300px } }</style><div class=veil></div>
<button>Covered</button> <input aria-label=Disabled disabled class=over> <input aria-label=Fixed readonly class=over>
<select aria-label=Empty class=over></select> <button class=over style="animation: along 1700ms infinite linear">Moving</button>`
	const covered, disabled = "covered by", "is not enabled"
	tab := shared.borrow(t, page(html))
	for _, s := range []struct{ name, ref, fields, says string }{
		{"click", "Covered", `"kind": "click"`, covered},
		{"click with a delta", "Covered", `"kind": "click", "snapshot": "delta"`, covered},
		{"click that settles", "Covered", `"kind": "click", "settleMs": 2000`, covered},
		{"double click", "Covered", `"kind": "click", "doubleClick": true`, covered},
		{"long click", "Covered", `"kind": "click", "delayMs": 300`, covered},
		{"hover", "Covered", `"kind": "hover"`, covered},
		{"click on what moves", "Moving", `"kind": "click"`, "is not stable"},
		{"click on what is disabled", "Disabled", `"kind": "click"`, disabled},
		{"type", "Disabled", `"kind": "type", "text": "x"`, disabled},
		{"type slowly", "Disabled", `"kind": "type", "text": "abc", "slowly": true`, disabled},
		{"type into what is read only", "Fixed", `"kind": "type", "text": "x"`, "is not editable"},
		{"fill", "Disabled", `"kind": "fill", "fields": [{"ref": "REF", "value": "x"}]`, disabled},
		{"select", "Empty", `"kind": "select", "values": ["x"]`, "has no option"},
		{"drag", "Covered", `"kind": "drag", "startRef": "REF", "endRef": "REF"`, covered},
		{"wait for text", "Covered", `"kind": "wait", "text": "never"`, `the text "never" to appear`},
		{"wait for no text", "Covered", `"kind": "wait", "textGone": "covered"`, `the text "covered" to go away`},
		{"wait for an element", "Covered", `"kind": "wait", "selector": "#never"`, `"#never" to be visible`},
		{"wait for an address", "Covered", `"kind": "wait", "url": "never"`, `to fit "never"`},
		{"wait for a script", "Covered", `"kind": "wait", "fn": "false"`, "to answer true"},
		{"evaluate", "Covered", `"kind": "evaluate", "fn": "new Promise(() => {})"`, "timed out"},
	} {
		t.Run(s.name, func(t *testing.T) {
			ref := shared.ref(t, tab, s.ref)
			began := time.Now()
			a := shared.do(t, "POST /act", shared.body(tab, `"timeoutMs": 800, "ref": "`+ref+`", `+strings.ReplaceAll(s.fields, "REF", ref)))
			deadline := 800 * time.Millisecond
			if strings.Contains(s.fields, "delayMs") {
				deadline += 300 * time.Millisecond
			}
			a.Within(t, deadline)
			if took := time.Since(began); strings.HasPrefix(s.name, "wait ") && took < deadline {
				t.Errorf("gave up after %v", took)
			}
			if a.Status < 400 || !strings.Contains(a.Text("error"), s.says) {
				t.Errorf("%d %s, want %q", a.Status, a.Raw, s.says)
			}
		})
	}
}

// A call that waits for another on its tab is answered at its deadline, and says so.
func TestCallsThatDoNotGetTheirTurn(t *testing.T) {
	tab := shared.borrow(t, page(`<button>Go</button>`))
	ref := shared.ref(t, tab, "Go")
	var busy sync.WaitGroup
	busy.Go(func() {
		shared.TryText(t.Context(), "POST /act", shared.body(tab, `"kind": "evaluate", "fn": "new Promise(r => { document.title = 'busy'; window.go = r })"`))
	})
	tests.Eventually(t, "the script runs", func() bool { return shared.tab(t, tab)["title"] == "busy" })
	a := shared.do(t, "POST /act", shared.body(tab, `"kind": "click", "timeoutMs": 600, "snapshot": "delta", "ref": "`+ref+`"`))
	a.Within(t, 600*time.Millisecond)
	a.Fails(t, 504, "deadline", "other calls were at work on the tab")
	shared.act(t, tab, `"kind": "wait", "fn": "window.go && (window.go(), true)"`) // a wait needs no turn
	busy.Wait()
}
