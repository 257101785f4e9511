package relay

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"chela/test/chromium"
	"chela/test/pages"
	"chela/test/service"
)

// withChela returns a server of chela, and a person's browser whose extension is paired with it.
func withChela(t *testing.T) (*service.Service, *person) {
	t.Helper()
	port := unusedPort(t)
	s := service.Own(t, relayAt(port))
	return s, pair(t, s, port)
}

// pair returns a browser that is paired with a server.
func pair(t *testing.T, s *service.Service, port int) *person {
	t.Helper()
	p := newPerson(t, port)
	offer := ok(t, s, "POST /extension/pair", "")
	p.request(fmt.Sprintf(`{do: "pair", digits: %q}`, offer.Text("code")))
	p.until("the browser is connected", func() bool {
		return strings.Contains(ok(t, s, "GET /extension", "").Raw, `"connected":true`)
	})
	return p
}

// ok makes a call that must succeed.
func ok(t *testing.T, s *service.Service, request, body string) service.Answer {
	t.Helper()
	a, err := s.TryText(t.Context(), request, body)
	if err != nil || a.Status != http.StatusOK {
		t.Fatalf("%s %s: %s, %v", request, body, a.Raw, err)
	}
	return a
}

// relayAt is a configuration with the relay's port.
func relayAt(port int) string {
	return fmt.Sprintf(`{gateway: {relayPort: %d}, browser: {ssrfPolicy: {dangerouslyAllowPrivateNetwork: true}}}`, port)
}

func unusedPort(t *testing.T) int {
	port, err := chromium.UnusedPort()
	if err != nil {
		t.Fatal(err)
	}
	return port
}

func TestChelaDrivesASharedTab(t *testing.T) {
	site := httptest.NewServer(pages.Handler())
	defer site.Close()
	s, p := withChela(t)
	first := p.newTab(site.URL + pages.HTML("<title>Mine</title><button onclick='this.textContent=`Gone`'>Go</button>"))
	p.newTab(site.URL + pages.HTML("<title>Private</title>"))
	p.request(fmt.Sprintf(`{do: "share", tab: %d}`, first))
	if started := ok(t, s, "POST /start?profile=chrome", ""); started.Text("transport") != "extension" || started.Text("driver") != "extension" {
		t.Errorf("started: %s", started.Raw)
	}
	tabs := ok(t, s, "GET /tabs?profile=chrome", "")
	if !strings.Contains(tabs.Raw, "Mine") || strings.Contains(tabs.Raw, "Private") {
		t.Errorf("listed are %s", tabs.Raw)
	}
	if p.attached(first) {
		t.Error("the tab was attached by being listed")
	}
	has(t, ok(t, s, "GET /snapshot?profile=chrome&targetId=t1", ""), `button \"Go\" [ref=e1]`)
	p.stopWorker()
	click := func() service.Answer {
		a, err := s.TryText(t.Context(), "POST /act?profile=chrome", `{"kind": "click", "ref": "e1", "targetId": "t1"}`)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	if a := click(); a.Status == http.StatusBadGateway { // the command was sent to the worker that ended
		has(t, a, `"sent":true`)
		has(t, click(), `"ok":true`)
	}
	p.stopWorker()
	has(t, ok(t, s, "GET /snapshot?profile=chrome&targetId=t1", ""), `button \"Gone\" [active] [ref=e1]`)
	there := site.URL + pages.HTML("<title>Next</title><h1>There</h1>")
	has(t, ok(t, s, "POST /navigate?profile=chrome", fmt.Sprintf(`{"targetId": "t1", "url": %q}`, there)), `"status":200`)
	ok(t, s, "POST /screenshot?profile=chrome", `{"targetId": "t1"}`)

	opened := ok(t, s, "POST /tabs/open?profile=chrome", fmt.Sprintf(`{"url": %q}`, there))
	ok(t, s, "DELETE /tabs/"+opened.Text("tabId")+"?profile=chrome", "")
	refused, err := s.TryText(t.Context(), "GET /cookies?profile=chrome", "")
	if err != nil || refused.Status != http.StatusNotImplemented {
		t.Errorf("cookies of all sites: %s, %v", refused.Raw, err)
	}
	ok(t, s, "POST /stop?profile=chrome", "")
	p.until("the tab is detached", func() bool { return !p.attached(first) })
}

// If the person takes back a tab or stops all agents, calls are answered with what to do.
func TestChelaAnswersWhatThePersonDoes(t *testing.T) {
	site := httptest.NewServer(pages.Handler())
	defer site.Close()
	s, p := withChela(t)
	tab := p.newTab(site.URL + pages.HTML("<title>Mine</title><button>Go</button>"))
	p.request(fmt.Sprintf(`{do: "share", tab: %d}`, tab))
	snapshot := func() service.Answer {
		a, err := s.TryText(t.Context(), "GET /snapshot?profile=chrome&targetId=t1", "")
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	has(t, snapshot(), `button \"Go\" [ref=e1]`)

	p.request(`{do: "stop"}`)
	for request, body := range map[string]string{
		"POST /act?profile=chrome":       `{"kind": "click", "ref": "e1", "targetId": "t1"}`,
		"POST /navigate?profile=chrome":  fmt.Sprintf(`{"url": %q, "targetId": "t1"}`, site.URL),
		"POST /tabs/open?profile=chrome": fmt.Sprintf(`{"url": %q}`, site.URL),
	} {
		a, err := s.TryText(t.Context(), request, body)
		if err != nil {
			t.Fatal(err)
		}
		a.Fails(t, 423, "PERSON_IN_CONTROL", "the person has stopped all agents")
		a.Has(t, "reason", "stopped_by_person")
	}
	p.request(`{do: "go"}`)

	p.in(fmt.Sprintf(`await chrome.tabs.update(%d, {url: "chrome://version"})`, tab))
	p.until("it is known that the tab is held", func() bool { return strings.Contains(snapshot().Raw, "the tab cannot be used now: an internal page") })
	p.in(fmt.Sprintf(`await chrome.tabs.update(%d, {url: %q})`, tab, site.URL+"/article.html"))
	p.until("the tab is read again", func() bool { return snapshot().Status == http.StatusOK })

	p.request(fmt.Sprintf(`{do: "unshare", tab: %d}`, tab))
	p.until("it is known that the tab is not shared", func() bool { return snapshot().Status == http.StatusNotFound })
}

// Chromium may end the extension's worker at any time, and its process may crash. A call then waits
// until the extension is back, and an act whose reply was lost says that it may have been done.
func TestCallsOutliveTheWorker(t *testing.T) {
	site := httptest.NewServer(pages.Handler())
	defer site.Close()
	s, p := withChela(t)
	tab := p.newTab(site.URL + pages.HTML("<title>Mine</title><button>Go</button>"))
	p.request(fmt.Sprintf(`{do: "share", tab: %d}`, tab))
	for i := range 10 {
		has(t, ok(t, s, "GET /snapshot?profile=chrome&targetId=t1", ""), `[ref=e1]`) // the answer shows that a worker runs
		if i%5 == 4 {
			p.killExtension()
		} else {
			p.stopWorker()
		}
		if i%2 == 0 {
			continue
		}
		a, err := s.TryText(t.Context(), "POST /act?profile=chrome", `{"kind": "click", "ref": "e1", "targetId": "t1"}`)
		if err != nil {
			t.Fatal(err)
		}
		if a.Status != http.StatusOK {
			a.Fails(t, 502, "BROWSER_LOST", "the connection to the browser's extension was lost")
			a.Has(t, "sent", "true")
		}
	}
}

// The next server has the key of the extension, which connects to it without the person.
func TestExtensionComesBackToTheNextServer(t *testing.T) {
	site := httptest.NewServer(pages.Handler())
	defer site.Close()
	s, p := withChela(t)
	tab := p.newTab(site.URL + pages.HTML("<title>Mine</title><button>Go</button>"))
	p.request(fmt.Sprintf(`{do: "share", tab: %d}`, tab))
	has(t, ok(t, s, "GET /snapshot?profile=chrome&targetId=t1", ""), `button \"Go\" [ref=e1]`)
	s.Close()
	p.until("the tab is detached", func() bool { return !p.attached(tab) })
	s = service.Start(s.Dir, relayAt(p.port))
	defer s.Close()
	has(t, ok(t, s, "GET /snapshot?profile=chrome&targetId=t1", ""), `button \"Go\" [ref=e1]`)
}

// Refs outlive a server that is killed, as the tab stays attached. A ref of a document that was left
// meanwhile never means another element.
func TestRefsOutliveTheServer(t *testing.T) {
	site := httptest.NewServer(pages.Handler())
	defer site.Close()
	port, dir := unusedPort(t), t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "chela.json"), []byte(relayAt(port)), 0o600); err != nil {
		t.Fatal(err)
	}
	s := service.Run(t, dir)
	p := pair(t, s.Service, port)
	page := func(words string) string {
		return site.URL + pages.HTML("<button>"+words+"</button><button>Other</button>")
	}
	tab, left := p.newTab(page("Go")), p.newTab(page("Left"))
	for i, id := range []int{tab, left} {
		p.request(fmt.Sprintf(`{do: "share", tab: %d}`, id))
		ok(t, s.Service, fmt.Sprintf("GET /snapshot?profile=chrome&targetId=t%d", i+1), "")
	}
	for n := range 3 {
		has(t, ok(t, s.Service, "GET /snapshot?profile=chrome&targetId=t1", ""), `[ref=e1]`)
		was := otherButton.FindStringSubmatch(ok(t, s.Service, "GET /snapshot?profile=chrome&targetId=t2", "").Raw)
		s.Kill()
		p.in(fmt.Sprintf(`await chrome.tabs.update(%d, {url: %q})`, left, page(fmt.Sprint("Next ", n))))
		s = service.Run(t, dir)
		click := func(handle, ref string) service.Answer {
			a, err := s.TryText(t.Context(), "POST /act?profile=chrome", fmt.Sprintf(`{"kind": "click", "ref": %q, "targetId": %q}`, ref, handle))
			if err != nil {
				t.Fatal(err)
			}
			return a
		}
		click("t1", "e1").Has(t, "ok", "true")
		p.until("the tab has left", func() bool {
			return strings.Contains(fmt.Sprint(p.tab(left)["url"]), fmt.Sprint("Next+", n)) && p.tab(left)["status"] == "complete"
		})
		ok(t, s.Service, "GET /snapshot?profile=chrome&targetId=t2", "")
		click("t2", was[1]).Fails(t, 404, "stale_ref", "is gone")
	}
}

var otherButton = regexp.MustCompile(`button \\"(?:Left|Next \d)\\" \[ref=(e\d+)\]`)

// An operation that no extension can do is refused, and the error says so.
func TestWhatTheExtensionCannotDo(t *testing.T) {
	site := httptest.NewServer(pages.Handler())
	defer site.Close()
	s, p := withChela(t)
	tab := p.newTab(site.URL + pages.HTML("<title>Mine</title>"))
	p.request(fmt.Sprintf(`{do: "share", tab: %d}`, tab))
	a, err := s.TryText(t.Context(), "POST /set/credentials?profile=chrome", `{"username": "ada", "password": "secret", "targetId": "t1"}`)
	if err != nil {
		t.Fatal(err)
	}
	a.Fails(t, 501, "not_supported", "asks its user for logins")
}

func has(t *testing.T, a service.Answer, text string) {
	t.Helper()
	if !strings.Contains(strings.ReplaceAll(a.Raw, `\\`, `\`), text) {
		t.Errorf("%s is not in %s", text, a.Raw)
	}
}
