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

// A tab whose requests go on while it has a dialog is detached when the dialog closes. Otherwise a
// server that was suspended would go on without judging its requests.
func TestTabWithADialogIsLetGo(t *testing.T) {
	p, s := paired(t)
	tab := openAttached(s, newSite(t).URL+"/one")
	p.loaded(tab)
	s.command(tab, "Page.enable", m{})
	s.command(tab, "Fetch.enable", m{})
	s.evaluate(tab, "setTimeout(() => alert('hello')), 1")
	s.event("the dialog", func(e m) bool { return e["method"] == "Page.javascriptDialogOpening" })
	worker := p.attach(p.workers()[0])
	s.close()
	p.waitLong(worker)
	p.until("its requests go on", func() bool {
		return p.in(fmt.Sprintf(`return (await chrome.storage.session.get("state")).state.tabs[%d].fetch`, tab)) == nil
	})
	if !p.attached(tab) {
		t.Error("the dialog is lost")
	}
	count := s.greeted()
	s.listen(s.port)
	s.hello(count + 1)
	s.command(tab, "Page.handleJavaScriptDialog", m{"accept": true})
	s.change("detached", tab)
	if reply := s.do(m{"do": "attach", "tab": tab}); reply["fresh"] != true {
		t.Errorf("attached again: %v", reply)
	}
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
