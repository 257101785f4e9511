package relay

import (
	"fmt"
	"testing"
	"time"
)

// mostAway is how long the extension may be away after its worker has died.
const mostAway = 2 * time.Second

// openAttached returns a new tab of the session alpha, attached.
func openAttached(s *server, url string) int {
	s.t.Helper()
	tab := int(s.do(m{"do": "open", "url": url, "name": "alpha"})["tab"].(m)["tabId"].(float64))
	s.do(m{"do": "attach", "tab": tab})
	s.command(tab, "Runtime.enable", m{})
	return tab
}

// only returns the tab of a hello, which must have exactly one.
func only(t *testing.T, hello m) m {
	t.Helper()
	tabs := hello["tabs"].([]any)
	if len(tabs) != 1 {
		t.Fatalf("tabs = %v", tabs)
	}
	return tabs[0].(m)
}

// The worker dies in every way there is. It is back in time, with the same run, a higher generation
// and the whole state. Its tab stays attached, and the objects of the tab are still there.
func TestDeathOfTheWorker(t *testing.T) {
	p, s := paired(t)
	tab := openAttached(s, newSite(t).URL+"/outer")
	s.command(tab, "Page.enable", m{})
	s.evaluate(tab, "kept = 7")
	before := s.hello(1)
	for i := range 6 {
		count, way, end := s.greeted(), "closed", p.stopWorker
		if i%2 == 1 {
			way, end = "killed", p.killExtension
		}
		began := time.Now()
		end()
		hello := s.hello(count + 1)
		t.Logf("%s: back after %v", way, time.Since(began))
		if away := time.Since(began); away > mostAway {
			t.Errorf("%s: back after %v", way, away)
		}
		if hello["run"] != before["run"] || hello["worker"] == before["worker"] || hello["generation"].(float64) <= before["generation"].(float64) || hello["lost"] != true {
			t.Errorf("%s: hello = %v, before: %v", way, hello, before)
		}
		if listed := only(t, hello); listed["tabId"] != float64(tab) || listed["attached"] != true || listed["name"] != "alpha" {
			t.Errorf("%s: tab = %v", way, listed)
		}
		if got := s.evaluate(tab, "kept"); got != 7.0 {
			t.Errorf("%s: kept = %v", way, got)
		}
		if got := p.badge(); got != "1" {
			t.Errorf("%s: badge %q", way, got)
		}
		before = hello
	}
}

// If no tab is attached, only the extension's alarm starts the worker again after it has died.
func TestDeathOfTheIdleWorker(t *testing.T) {
	p, s := paired(t)
	for range 3 {
		count, began := s.greeted(), time.Now()
		p.stopWorker()
		s.hello(count + 1)
		if away := time.Since(began); away > mostAway {
			t.Errorf("back after %v", away)
		}
	}
}

// What happens while the server is away is told when it is back, in order and once. A worker that
// was not ended meanwhile has lost nothing.
func TestRestartOfTheServer(t *testing.T) {
	p, s := paired(t)
	tab := openAttached(s, newSite(t).URL+"/one")
	for i := range 5 {
		count := s.greeted()
		s.evaluate(tab, fmt.Sprintf("setTimeout(() => console.log('while away %d'), 100), 1", i))
		s.close()
		p.until("the page has logged", func() bool { return p.number(`return Date.now()`) > 0 })
		began := time.Now()
		s.listen(s.port)
		hello := s.hello(count + 1)
		if away := time.Since(began); away > mostAway {
			t.Errorf("back after %v", away)
		}
		if hello["lost"] != false || hello["worker"] != s.hello(1)["worker"] {
			t.Errorf("hello = %v", hello)
		}
		want := fmt.Sprintf("while away %d", i)
		s.event(want, func(e m) bool {
			return e["method"] == "Runtime.consoleAPICalled" && equal(e["params"].(m)["args"].([]any)[0].(m)["value"], want)
		})
	}
	if s.gaps != 0 {
		t.Errorf("%d numbers are missing", s.gaps)
	}
}

// A dialog that opens is in the next hello, as its event does not come again. A tab with a dialog
// is not attached again: the dialog would be out of reach.
func TestDialogOutlivesTheWorker(t *testing.T) {
	p, s := paired(t)
	tab := openAttached(s, newSite(t).URL+"/one")
	s.command(tab, "Page.enable", m{})
	s.evaluate(tab, "setTimeout(() => alert('hello')), 1")
	s.event("the dialog", func(e m) bool { return e["method"] == "Page.javascriptDialogOpening" })
	count := s.greeted()
	p.stopWorker()
	if dialog, _ := only(t, s.hello(count+1))["dialog"].(m); dialog["message"] != "hello" {
		t.Errorf("dialog = %v", dialog)
	}
	if reply := s.try(m{"do": "reattach", "tab": tab}); !equal(reply["error"], m{"code": 409, "message": "dialog"}) {
		t.Errorf("reattach: %v", reply)
	}
	s.command(tab, "Page.handleJavaScriptDialog", m{"accept": true})
	s.event("it is closed", func(e m) bool { return e["method"] == "Page.javascriptDialogClosed" })
	s.do(m{"do": "reattach", "tab": tab})
	if s.has(isChange("detached", tab)) {
		t.Error("reattach was announced")
	}
}

// Child sessions are in hello: Chromium does not announce them again.
func TestChildSessions(t *testing.T) {
	p, s := paired(t)
	site := newSite(t)
	tab := openAttached(s, site.URL+"/one")
	s.command(tab, "Target.setAutoAttach", m{"autoAttach": true, "waitForDebuggerOnStart": false, "flatten": true})
	s.evaluate(tab, `const f = document.createElement("iframe"); f.src = "`+named(site.URL)+`/inner"; document.body.append(f); 1`)
	child := s.event("the frame", func(e m) bool { return e["method"] == "Target.attachedToTarget" })["params"].(m)["sessionId"]
	if got := s.do(m{"tab": tab, "session": child, "method": "Runtime.evaluate", "params": m{"expression": "location.hostname"}}); !equal(got["result"].(m)["value"], "other.test") {
		t.Errorf("in the frame: %v", got)
	}
	count := s.greeted()
	p.killExtension()
	kids := s.hello(count + 1)["kids"].([]any)
	if len(kids) != 1 || kids[0].(m)["session"] != child || kids[0].(m)["tab"] != float64(tab) || kids[0].(m)["parent"] != "" || kids[0].(m)["info"].(m)["type"] != "iframe" {
		t.Errorf("kids = %v", kids)
	}
	s.do(m{"tab": tab, "session": child, "method": "Runtime.evaluate", "params": m{"expression": "1"}})
	s.evaluate(tab, `document.querySelector("iframe").remove()`)
	s.event("the frame is gone", func(e m) bool { return e["method"] == "Target.detachedFromTarget" })
	count = s.greeted()
	p.stopWorker()
	if kids := s.hello(count + 1)["kids"].([]any); len(kids) != 0 {
		t.Errorf("after it is gone: kids = %v", kids)
	}
}

// If a person takes a tab back while no worker runs, the tab is taken back all the same.
func TestTakenBackWhileTheWorkerIsDead(t *testing.T) {
	p, s := paired(t)
	tab := openAttached(s, newSite(t).URL+"/one")
	count := s.greeted()
	p.stopWorker()
	p.in(fmt.Sprintf(`await chrome.tabs.ungroup([%d])`, tab))
	s.hello(count + 1)
	p.until("the tab is released", func() bool { return !p.attached(tab) })
	if reply := s.try(m{"do": "attach", "tab": tab}); reply["error"].(m)["code"] != 404.0 {
		t.Errorf("attach: %v", reply)
	}
}
