package relay

import (
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"chela/internal/engine/cdp"
	"chela/test/service"
)

// If the server does not come back, the requests of shared tabs go on after a while, so that the
// person can use the tabs. A server that comes back after that must set the tabs up again. Until then
// no tab is attached again, whatever the person does.
func TestRequestsAreLetGo(t *testing.T) {
	p, s := paired(t)
	asked := &hits{}
	site := httptest.NewServer(asked)
	t.Cleanup(site.Close)
	tab := openAttached(s, site.URL+"/page")
	p.loaded(tab)
	s.command(tab, "Fetch.enable", m{})
	s.evaluate(tab, `fetch("/held"), 1`)
	s.event("the request is held", func(e m) bool { return e["method"] == "Fetch.requestPaused" })
	worker := p.attach(p.workers()[0])
	s.close()
	p.waitLong(worker)
	p.until("the request goes on", func() bool { return asked.has("/held") })
	p.until("the tab is detached", func() bool { return !p.attached(tab) })
	p.in(fmt.Sprintf(`await chrome.tabs.update(%d, {url: %q})`, tab, site.URL+"/other"))
	p.until("the person's page is shown", func() bool { return asked.has("/other") && p.tab(tab)["status"] == "complete" })
	s.listen(s.port)
	s.change("detached", tab)
	if reply := s.do(m{"do": "attach", "tab": tab}); reply["fresh"] != true {
		t.Errorf("attached again: %v", reply)
	}
}

// waitLong makes the extension's worker believe that the server has been away for long: a hundred ticks
// of one second, all at once.
func (p *person) waitLong(worker *cdp.Session) {
	p.t.Helper()
	for range 100 {
		p.ask(worker, `chrome.alarms.onAlarm.dispatch({name: "tick"})`)
	}
}

// A tab with a dialog is not let go. A server that comes back finds its requests paused, also those
// that the page sends as soon as the dialog is answered.
func TestDialogWaitsForTheServer(t *testing.T) {
	asked := &hits{}
	p, s, tab := letGoWithDialog(t, asked)
	count := s.greeted()
	s.listen(s.port)
	s.hello(count + 1)
	s.command(tab, "Page.handleJavaScriptDialog", m{"accept": true})
	s.event("the next request is held", func(e m) bool { return e["method"] == "Fetch.requestPaused" })
	if asked.has("/next") {
		t.Error("a request was not judged")
	}
	if !p.attached(tab) {
		t.Error("the tab was detached although the server is there")
	}
}

// If the dialog closes before a server comes back, the tab is detached. Otherwise a server that was
// suspended would go on without judging its requests.
func TestDialogClosesWithoutTheServer(t *testing.T) {
	p, s, tab := letGoWithDialog(t, &hits{})
	p.in(fmt.Sprintf(`await chrome.debugger.sendCommand({tabId: %d}, "Page.handleJavaScriptDialog", {accept: true})`, tab))
	p.until("the tab is detached", func() bool { return !p.attached(tab) })
	s.listen(s.port)
	s.change("detached", tab)
	if reply := s.do(m{"do": "attach", "tab": tab}); reply["fresh"] != true {
		t.Errorf("attached again: %v", reply)
	}
}

// letGoWithDialog returns an attached tab with an open dialog, after which the page asks for /next. The
// server has been away for so long that another tab was let go.
func letGoWithDialog(t *testing.T, asked *hits) (*person, *server, int) {
	t.Helper()
	p, s := paired(t)
	site := httptest.NewServer(asked)
	t.Cleanup(site.Close)
	tab := openAttached(s, site.URL+"/page")
	other := openAttached(s, site.URL+"/other")
	p.loaded(tab)
	s.command(tab, "Page.enable", m{})
	s.command(tab, "Fetch.enable", m{})
	s.command(other, "Fetch.enable", m{})
	s.evaluate(tab, "setTimeout(() => { alert('hello'); fetch('/next') }, 1)")
	s.event("the dialog", func(e m) bool { return e["method"] == "Page.javascriptDialogOpening" })
	worker := p.attach(p.workers()[0])
	s.close()
	p.waitLong(worker)
	p.until("the other tab is detached", func() bool { return !p.attached(other) })
	if !p.attached(tab) {
		t.Fatal("the dialog is lost")
	}
	return p, s, tab
}

// If the server is killed, and the next one has no call for the tabs, they load as always.
func TestTabsLoadAtTheNextServer(t *testing.T) {
	site := newSite(t)
	port, dir := unusedPort(t), t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "chela.json"), []byte(relayAt(port)), 0o600); err != nil {
		t.Fatal(err)
	}
	s := service.Run(t, dir)
	p := pair(t, s.Service, port)
	tab := p.newTab(site.URL + "/one")
	p.request(fmt.Sprintf(`{do: "share", tab: %d}`, tab))
	ok(t, s.Service, "GET /snapshot?profile=chrome&targetId=t1", "")
	ok(t, s.Service, "POST /route?profile=chrome", `{"url": "/two", "abort": true}`) // pauses requests for it
	s.Kill()
	service.Run(t, dir)
	p.in(fmt.Sprintf(`await chrome.tabs.update(%d, {url: %q})`, tab, site.URL+"/two"))
	p.until("the tab has loaded", func() bool { return p.tab(tab)["title"] == "/two" })
}
