package relay

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
)

// Tabs of an incognito window are neither seen nor offered.
func TestIncognito(t *testing.T) {
	p, s := paired(t)
	url := newSite(t).URL + "/secret"
	context := p.call(nil, "Target.createBrowserContext", m{})["browserContextId"]
	p.attach(p.call(nil, "Target.createTarget", m{"url": url, "browserContextId": context})["targetId"].(string))
	own := openAttached(s, newSite(t).URL+"/own")
	if got := p.in(fmt.Sprintf(`return (await chrome.tabs.query({})).some((tab) => tab.incognito || tab.url === %q)`, url)); got != false {
		t.Errorf("the extension sees the incognito tab: %v", got)
	}
	count := s.greeted()
	p.stopWorker()
	if listed := only(t, s.hello(count+1)); listed["tabId"] != float64(own) {
		t.Errorf("offered: %v", listed)
	}
}

// A page with a service worker is listed and driven like any other. The worker itself is not listed
// as a tab.
func TestServiceWorkerOfAPage(t *testing.T) {
	p, s := paired(t)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/worker.js" {
			w.Header().Set("Content-Type", "text/javascript")
			fmt.Fprint(w, `addEventListener("fetch", () => {})`)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<title>Page</title><script>navigator.serviceWorker.register("/worker.js")</script>`)
	}))
	t.Cleanup(site.Close)
	tab := openAttached(s, site.URL+"/")
	s.command(tab, "Target.setAutoAttach", m{"autoAttach": true, "waitForDebuggerOnStart": false, "flatten": true})
	if got := s.evaluate(tab, `navigator.serviceWorker.ready.then(({active}) => active !== null)`); got != true {
		t.Fatalf("the worker runs: %v", got)
	}
	count := s.greeted()
	p.stopWorker()
	if listed := only(t, s.hello(count+1)); listed["tabId"] != float64(tab) || listed["held"] != "" {
		t.Errorf("tab = %v", listed)
	}
	if got := s.evaluate(tab, "document.title"); got != "Page" {
		t.Errorf("title = %v", got)
	}
}
