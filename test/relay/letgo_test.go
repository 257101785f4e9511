package relay

import (
	"net/http/httptest"
	"testing"
)

// If the server does not come back, the requests of shared tabs go on after a while, so that the
// person can use the tabs.
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
	for range 100 { // a hundred ticks of one second, all at once
		p.ask(worker, `chrome.alarms.onAlarm.dispatch({name: "tick"})`)
	}
	p.until("the request goes on", func() bool { return asked.has("/held") })
	if !p.attached(tab) {
		t.Error("the tab was detached")
	}
}
