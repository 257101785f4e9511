package around

import (
	"net/url"
	"strings"
	"testing"

	"chela/test/long"
	"chela/test/service"
)

// One call acts and answers the dialog that the act opens.
func TestInlineDialog(t *testing.T) {
	long.Test(t)
	for _, s := range []struct {
		name, script string
		answer       args
		want         string
	}{
		{"accepted", `confirm('?')`, args{"accept": true}, "true"},
		{"dismissed", `confirm('?')`, args{"accept": false}, "false"},
		{"prompt", `prompt('?')`, args{"accept": true, "promptText": " Ada "}, `" Ada "`},
		{"prompt without text", `prompt('?', 'x')`, args{"accept": true}, `"x"`},
		{"prompt with an empty text", `prompt('?', 'x')`, args{"accept": true, "promptText": ""}, `""`},
	} {
		t.Run(s.name, func(t *testing.T) {
			tab := shared.Open(t, html(`<button onclick="out.textContent = JSON.stringify(`+s.script+`)">Go</button><p id=out></p>`))
			a := tab.Click("Go", args{"dialog": s.answer})
			a.Has(t, "blockedByDialog", "")
			a.Has(t, "browserState.dialogs.recent.0.closedBy", "armed")
			if got := tab.Eval("out.textContent"); got != s.want {
				t.Errorf("the page got %s", got)
			}
			if second := tab.Act("evaluate", args{"fn": "setTimeout(alert)"}); second.Text("result") != "" && second.Text("blockedByDialog") == "true" {
				t.Log("the dialog was quicker")
			}
			tab.Act("wait", args{"timeMs": 100}).Has(t, "blockedByDialog", "true") // the prepared answer was for one act
			tab.OK("POST /hooks/dialog", args{"accept": true})
		})
	}
}

// An answer that is armed in place of another says so, and the call whose dialog it closes says how.
func TestAnswerArmedTwice(t *testing.T) {
	tab := shared.Open(t, html(`<button onclick="out.textContent = confirm('?')">Go</button><p id=out></p>`))
	tab.OK("POST /hooks/dialog", args{"accept": true}).Has(t, "replaced", "")
	tab.OK("POST /hooks/dialog", args{"accept": false}).Has(t, "replaced", "accept")
	a := tab.Click("Go", nil)
	a.Has(t, "browserState.dialogs.recent.0.closedBy", "armed")
	a.Has(t, "browserState.dialogs.recent.0.accepted", "false")
	tab.OK("POST /hooks/dialog", args{"accept": true}).Has(t, "replaced", "")
	tab.Click("Go", nil).Has(t, "browserState.dialogs.recent.0.accepted", "true")
}

// An answer lists the dialogs that its call has answered, and none of earlier calls.
func TestDialogsOfOneCall(t *testing.T) {
	tab := shared.Open(t, html(`<button onclick="confirm('one') && alert('two')">Go</button>`))
	tab.OK("POST /hooks/dialog", args{"accept": true}) // armed: none is open
	a := tab.Click("Go", args{"dialog": args{"accept": true}})
	a.Has(t, "browserState.dialogs.recent.0.message", "one")
	a.Has(t, "browserState.dialogs.recent.1.message", "two")
	a = tab.Click("Go", args{"dialog": args{"accept": false}})
	a.Has(t, "browserState.dialogs.recent.0.message", "one")
	a.Has(t, "browserState.dialogs.recent.1.message", "")

	asks := shared.Open(t, html(`<button onclick="prompt('one'); prompt('two'); prompt('three')">Go</button>`))
	asks.OK("POST /hooks/dialog", args{"accept": true})
	asks.Click("Go", nil).Has(t, "browserState.dialogs.recent.0.message", "one")
	a = asks.OK("POST /hooks/dialog", args{"accept": true})
	a.Has(t, "browserState.dialogs.pending.0.message", "three")
	a.Has(t, "browserState.dialogs.recent.0.message", "two")
	asks.OK("POST /hooks/dialog", args{"accept": true})
}

// The answer to a dialog says that the page asks the next question at once, which nobody has answered.
func TestNextDialog(t *testing.T) {
	tab := shared.Open(t, html(`<button onclick="alert('one'); out.textContent = prompt('name?', 'report.txt')">Go</button><p id=out></p>`))
	tab.Click("Go", nil).Has(t, "browserState.dialogs.pending.0.message", "one")
	a := tab.OK("POST /hooks/dialog", args{"accept": true, "snapshot": "delta"})
	a.Has(t, "blockedByDialog", "true")
	a.Has(t, "browserState.dialogs.pending.0.message", "name?")
	a.Has(t, "snapshotUnavailable", "")
	tab.OK("POST /hooks/dialog", args{"accept": true}).Has(t, "blockedByDialog", "")
	if got := tab.Eval("out.textContent"); got != "report.txt" {
		t.Errorf("the page got %q", got)
	}
}

// A dialog of a frame does not change which address the tab shows.
func TestDialogOfAFrame(t *testing.T) {
	address := html(`<iframe srcdoc="<button onclick='confirm(1)'>Ask</button>"></iframe>`)
	tab := shared.Open(t, address)
	a := tab.Click("Ask", nil)
	a.Has(t, "blockedByDialog", "true")
	a.Has(t, "url", address)
	a.Has(t, "urlChanged", "")
	tab.OK("POST /hooks/dialog", args{"accept": true})
}

// The answer to a dialog says what the page then did, as the answer of an act does.
func TestWhatFollowsADialog(t *testing.T) {
	ask := func(then string) *service.Tab {
		tab := shared.Open(t, html(`<button onclick="if (confirm('?')) `+then+`">Ask</button><a download href="`+fileAt("got.txt", 3)+`">File</a>`))
		tab.Click("Ask", nil).Has(t, "blockedByDialog", "true")
		return tab
	}
	accept := args{"accept": true}

	a := ask(`location = '/frame.html'`).OK("POST /hooks/dialog", accept)
	a.Has(t, "url", site.URL+"/frame.html")
	a.Has(t, "urlChanged", "true")
	if !strings.Contains(a.Text("effects"), "navigated") {
		t.Errorf("effects are %s", a.Text("effects"))
	}

	a = ask(`window.open('/frame.html')`).OK("POST /hooks/dialog", accept)
	a.Has(t, "newTabs.0.url", site.URL+"/frame.html")
	a.Has(t, "currentTab", a.Text("tabId"))
	shared.OK(t, "DELETE /tabs/"+a.Text("newTabs.0.tabId"), nil)

	a = ask(`document.querySelector('a').click()`).OK("POST /hooks/dialog", accept)
	a.Has(t, "downloads.0.suggestedFilename", "got.txt")

	a = ask(`location = '/frame.html'`).OK("POST /hooks/dialog", args{"accept": false})
	a.Has(t, "urlChanged", "")
	a.Has(t, "effects", "")
}

// A call that arms an answer takes nothing away from the act that is under way.
func TestArmingDuringAnAct(t *testing.T) {
	tab := shared.Open(t, html(`<button onclick="window.open('/frame.html'); fetch('/gate').then(() => document.body.append('Done'))">Go</button>`))
	clicked := make(chan service.Answer, 1)
	ref := tab.Ref("Go")
	go func() {
		a, _ := tab.Try(t.Context(), "click", args{"ref": ref, "settleMs": 20_000})
		clicked <- a
	}()
	service.Eventually(t, "the page opens a tab", func() bool { return strings.Contains(shared.OK(t, "GET /tabs", nil).Raw, site.URL+"/frame.html") })
	armed := tab.OK("POST /hooks/dialog", args{"accept": true})
	armed.Has(t, "armed", "true")
	armed.Has(t, "accept", "true")
	armed.Has(t, "newTabs", "")
	armed.Has(t, "effects", "")
	gate <- struct{}{}
	a := <-clicked
	a.Has(t, "newTabs.0.url", site.URL+"/frame.html")
	shared.OK(t, "DELETE /tabs/"+a.Text("newTabs.0.tabId"), nil)
}

// What the page begins after a person has answered its dialog is reported to the agent.
func TestDialogThatAPersonAnswers(t *testing.T) {
	tab := shared.Open(t, html(`<button onclick="if (confirm('?')) window.open('/frame.html')">Ask</button><button>Next</button>`))
	tab.Click("Ask", nil).Has(t, "blockedByDialog", "true")
	v := shared.View(t, url.Values{"targetId": {tab.ID}, "control": {"true"}})
	v.Send(service.Message{"type": "dialog", "accept": true})
	service.Eventually(t, "the page opens a tab", func() bool { return strings.Contains(shared.OK(t, "GET /tabs", nil).Raw, site.URL+"/frame.html") })
	a := tab.Click("Next", nil)
	a.Has(t, "earlier.newTabs.0.url", site.URL+"/frame.html")
	shared.OK(t, "DELETE /tabs/"+a.Text("earlier.newTabs.0.tabId"), nil)
}

// A navigation that an armed answer has prevented says so. Chromium only reports that it was cancelled.
func TestNavigationThatAnArmedAnswerPrevents(t *testing.T) {
	tab := shared.Open(t, html(`<button>Edit</button><script>onbeforeunload = e => e.preventDefault()</script>`))
	tab.Click("Edit", nil)
	for request, given := range map[string]args{"POST /navigate": {"url": site.URL + "/text.html"}, "POST /reload": {}} {
		tab.OK("POST /hooks/dialog", args{"accept": false}).Has(t, "armed", "true")
		tab.Do(request, given).Fails(t, 409, "conflict", "the tab stayed: its page asked whether to leave it")
	}
	tab.OK("POST /hooks/dialog", args{"accept": true})
	tab.OK("POST /navigate", args{"url": site.URL + "/text.html"})
}

// An answer that was given for a dialog is not kept for the next act if no dialog came.
func TestInlineDialogThatDoesNotCome(t *testing.T) {
	tab := shared.Open(t, html(`<button>Quiet</button><button onclick="confirm('?')">Ask</button>`))
	tab.Click("Quiet", args{"dialog": args{"accept": true}})
	a := tab.Click("Ask", nil)
	a.Has(t, "blockedByDialog", "true")
	a.Has(t, "notDone", "")
	tab.OK("POST /hooks/dialog", args{"accept": false, "dialogId": a.Text("browserState.dialogs.pending.0.id")})
	tab.OK("GET /dialogs", nil).Has(t, "browserState.dialogs.recent.0.closedBy", "agent")
}

// An act cancels only the answer that came with it, and not one that another call has prepared.
func TestArmedAnswerStays(t *testing.T) {
	long.Test(t)
	for _, s := range []struct {
		name   string
		before func(tab *service.Tab)
		want   string
	}{
		{"an act without a dialog", func(tab *service.Tab) { tab.Click("Quiet", args{"dialog": args{"accept": false}}) }, "true"},
		{"an act that fails", func(tab *service.Tab) {
			tab.Do("POST /act", args{"kind": "click", "ref": "e99", "dialog": args{"accept": false}})
		}, "true"},
		{"a wait", func(tab *service.Tab) { tab.Act("wait", args{"timeMs": 1, "dialog": args{"accept": false}}) }, "true"},
		{"a batch", func(tab *service.Tab) {
			tab.Act("batch", args{"actions": []args{{"kind": "wait", "timeMs": 1, "dialog": args{"accept": false}}}, "dialog": args{"accept": false}})
		}, "true"},
		{"an act with a dialog of its own", func(tab *service.Tab) { tab.Click("Ask", args{"dialog": args{"accept": false}}) }, "falsetrue"},
	} {
		t.Run(s.name, func(t *testing.T) {
			tab := shared.Open(t, html(`<button>Quiet</button><button onclick="out.textContent += confirm('?')">Ask</button><p id=out></p>`))
			tab.OK("POST /hooks/dialog", args{"accept": true}).Has(t, "armed", "true")
			s.before(tab)
			tab.Click("Ask", nil).Has(t, "blockedByDialog", "")
			if got := tab.Eval("out.textContent"); got != s.want {
				t.Errorf("the page got %s", got)
			}
			tab.Click("Ask", nil).Has(t, "blockedByDialog", "true") // the prepared answer was for one dialog
			tab.OK("POST /hooks/dialog", args{"accept": true}).Has(t, "armed", "")
		})
	}
}

// Every operation on a tab says that a dialog is in the way.
func TestDialogInTheWay(t *testing.T) {
	tab := shared.Open(t, html(`<button onclick="alert('Stop')">Go</button>`))
	ref := tab.Ref("Go")
	tab.Act("click", args{"ref": ref}).Has(t, "effects", "dialog")
	for _, s := range []struct {
		request string
		args    args
	}{
		{"GET /snapshot", nil},
		{"POST /find", args{"text": "Go"}},
		{"POST /act", args{"kind": "click", "ref": ref}},
		{"POST /act", args{"kind": "wait", "text": "Go"}},
		{"POST /act", args{"kind": "evaluate", "fn": "1"}},
		{"POST /act", args{"kind": "batch", "actions": []args{{"kind": "click", "ref": ref}}}},
		{"POST /hooks/file-chooser", args{"paths": []string{shared.Upload(t, "b.txt", "b")}}},
	} {
		a := tab.OK(s.request, s.args)
		if s.request == "POST /hooks/file-chooser" { // this answer is for a file chooser that comes later
			continue
		}
		a.Has(t, "blockedByDialog", "true")
		a.Has(t, "notDone", "true")
		a.Has(t, "browserState.dialogs.pending.0.message", "Stop")
	}
	for request, of := range map[string]args{ // an answer without the value, or for a setting that was not made, would look like success
		"GET /storage/local":        nil,
		"POST /storage/local/set":   {"key": "a", "value": "b"},
		"POST /storage/local/clear": nil,
		"POST /set/offline":         {"offline": false},
		"POST /set/headers":         {"headers": args{}},
		"POST /set/timezone":        {"timezoneId": "Asia/Tokyo"},
		"POST /response/body":       {"url": "**", "timeoutMs": 1000},
	} {
		blocks(t, tab.Do(request, of), "Stop", "answer the dialog, then call again")
	}
	tab.OK("POST /hooks/dialog", args{"accept": true})
	tab.Do("POST /hooks/dialog", args{"accept": true, "dialogId": "d99"}).Fails(t, 404, "not_found", `Dialog "d99" is not pending.`)
	tab.Do("POST /hooks/dialog", args{}).Fails(t, 400, "invalid_request", "accept is required")
}

// blocks checks that a call failed because a dialog kept it from its file or its page.
func blocks(t *testing.T, a service.Answer, dialog, next string) {
	t.Helper()
	a.Fails(t, 409, "conflict", "Action blocked by a modal dialog")
	a.Fails(t, 409, "conflict", dialog)
	a.Has(t, "blockedByDialog", "true")
	if a.Count("browserState.dialogs.pending") != 1 || !strings.Contains(a.Text("hint"), next) {
		t.Errorf("it does not say what to do: %s", a.Raw)
	}
}

// A call that cannot get its file or its page while a dialog is open fails, and names the dialog.
func TestDialogBeforeAFile(t *testing.T) {
	tab := shared.Open(t, html(`<button onclick="alert('Stop')">Go</button>`))
	ref := tab.Ref("Go")
	tab.Click("Go", nil)
	for _, s := range []struct {
		request string
		args    args
	}{
		{"POST /screenshot", args{}},
		{"POST /screenshot", args{"labels": true}},
		{"POST /navigate", args{"url": site.URL + "/frame.html"}},
		{"POST /hooks/file-chooser", args{"paths": []string{shared.Upload(t, "a.txt", "a")}, "ref": ref}},
		{"POST /hooks/file-chooser", args{"paths": []string{shared.Upload(t, "a.txt", "a")}, "inputRef": ref}},
		{"POST /download", args{"ref": ref, "path": "x"}},
		{"POST /wait/download", args{}},
	} {
		blocks(t, tab.Do(s.request, s.args), `("d1"): alert "Stop"`, "answer the dialog")
	}
	tab.OK("POST /hooks/dialog", args{"accept": true})
}

// A navigation to a page that opens a dialog as it loads succeeds.
func TestDialogOfTheNextPage(t *testing.T) {
	tab := shared.Open(t, html(`first`))
	a := tab.OK("POST /navigate", args{"url": html(`<script>alert('Hello')</script>`)})
	a.Has(t, "blockedByDialog", "true")
	a.Has(t, "notDone", "")
	a.Has(t, "browserState.dialogs.pending.0.message", "Hello")
	tab.OK("POST /hooks/dialog", args{"accept": true})
}

// A page that asks before it is left holds a navigation up. The navigation goes on when another
// call accepts. From a page that does not ask, the next one goes on at once.
func TestNavigationHeldUp(t *testing.T) {
	tab := shared.Open(t, html(`<button onclick="window.onbeforeunload = e => e.preventDefault()">Guard</button>`))
	tab.Click("Guard", nil)
	for _, s := range []struct {
		path   string
		accept bool
		at     string
	}{
		{"/form.html", false, "/html"},
		{"/slow?ms=300&to=/frame.html", true, "/frame.html"},
	} {
		blocks(t, tab.Do("POST /navigate", args{"url": site.URL + s.path}), "beforeunload", "accept the dialog to go on")
		tab.OK("POST /hooks/dialog", args{"accept": s.accept})
		if got := tab.Eval("location.pathname"); got != s.at {
			t.Errorf("answered %v, it is at %s, want %s", s.accept, got, s.at)
		}
	}
	tab.OK("POST /navigate", args{"url": site.URL + "/form.html"}).Has(t, "url", site.URL+"/form.html")
}

// Snapshots list the dialogs that were answered before, as clients look there for the outcome of a
// dialog.
func TestSnapshotsListAnsweredDialogs(t *testing.T) {
	tab := shared.Open(t, html(`<button onclick="confirm('?')">Ask</button>`))
	tab.OK("GET /snapshot", nil).Has(t, "browserState", "")
	id := tab.Click("Ask", nil).Text("browserState.dialogs.pending.0.id")
	tab.OK("POST /hooks/dialog", args{"accept": true, "dialogId": id})
	for _, format := range []string{"ai", "aria"} {
		a := tab.OK("GET /snapshot", args{"format": format})
		a.Has(t, "browserState.dialogs.recent.0.id", id)
		a.Has(t, "browserState.dialogs.pending", "")
		a.Has(t, "blockedByDialog", "")
	}
	tab.OK("POST /find", args{"text": "Ask"}).Has(t, "browserState", "")

	// Without a limit, the dialogs of one page could fill the snapshots of the pages after it.
	tab.OK("POST /navigate", args{"url": site.URL + "/dialog.html"})
	tab.OK("GET /snapshot", nil).Has(t, "browserState", "")
	tab.OK("GET /dialogs", nil).Has(t, "browserState.dialogs.recent.0.id", id)
	a := tab.Act("evaluate", args{"fn": "confirm('again')", "dialog": args{"accept": true}})
	a.Has(t, "browserState.dialogs.recent.0.message", "again")
	a.Has(t, "browserState.dialogs.recent.1.id", "")
}

// A dialog that opens while the page settles is reported like one that opens at once.
func TestDialogWhileThePageSettles(t *testing.T) {
	tab := shared.Open(t, html(`<button onclick="if (confirm('Sure?')) later()">Ask</button><button onclick="later()">Go</button><input type=file aria-label=File onchange="later()"><script>
		function later() { fetch('/slow?ms=200&to=/cookies').then(() => alert('Late')) }
	</script>`))
	for _, s := range []struct {
		name string
		act  func() service.Answer
	}{
		{"delta", func() service.Answer { return tab.Click("Go", args{"snapshot": "delta", "settleMs": 20_000}) }},
		{"settleMs", func() service.Answer { return tab.Click("Go", args{"settleMs": 20_000}) }},
		{"after another dialog", func() service.Answer {
			return tab.Click("Ask", args{"settleMs": 20_000, "dialog": args{"accept": true}})
		}},
		{"batch", func() service.Answer {
			return tab.Act("batch", args{"snapshot": "delta", "settleMs": 20_000, "actions": []args{{"kind": "click", "ref": tab.Ref("Go")}}})
		}},
		{"upload", func() service.Answer {
			return tab.OK("POST /hooks/file-chooser", args{"paths": uploads(t, "a.txt"), "inputRef": tab.Ref("File"), "snapshot": "delta", "settleMs": 20_000})
		}},
	} {
		a := s.act()
		if a.Text("blockedByDialog") != "true" || a.Text("browserState.dialogs.pending.0.message") != "Late" || a.Text("notDone") != "" {
			t.Errorf("%s: answered %s", s.name, a.Raw)
		}
		service.Eventually(t, "the dialog opens", func() bool {
			return tab.OK("GET /dialogs", nil).Text("browserState.dialogs.pending.0.message") == "Late"
		})
		tab.OK("POST /hooks/dialog", args{"accept": true})
	}
}

// The page cannot be read while its dialog is open. A delta then has nothing to compare with, and does
// not say that another document came.
func TestDeltaAfterADialogWithoutSnapshot(t *testing.T) {
	tab := shared.Open(t, html(`<p>Before`))
	tab.Snapshot()
	tab.Visit(html(`<button onclick="alert('Sure?')">Ask</button>`))
	tab.Act("click", args{"ref": tab.OK("POST /find", args{"text": "Ask"}).Text("matches.0.ref")}).Has(t, "blockedByDialog", "true")
	tab.OK("POST /hooks/dialog", args{"accept": true, "snapshot": "delta"}).Has(t, "noDelta", "no earlier reading to compare")
}
