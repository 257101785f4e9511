package recovery

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"chela/test/long"
	"chela/test/pages"
	"chela/test/service"
)

// A script on http://localhost may set secure cookies, but Chromium refuses them when they are
// restored in the form in which it listed them.
func TestSecureCookiesOfLocalhost(t *testing.T) {
	long.Test(t)
	t.Parallel()
	s := service.Own(t, "")
	tabs := map[string]*service.Tab{}
	for _, host := range []string{"127.0.0.1", "localhost", "app.localhost"} {
		tab := s.Open(t, strings.Replace(html("<p>Here"), "127.0.0.1", host, 1))
		tab.Eval(`(document.cookie = 's=1; Secure', document.cookie = '__Host-h=1; Secure; Path=/', document.cookie = 'plain=1', document.cookie = 'last=1; Domain=' + location.hostname)`)
		tabs[host] = tab
	}
	service.Eventually(t, "all cookies are kept", func() bool {
		session, _ := os.ReadFile(s.SessionFile())
		return strings.Count(string(session), `"last"`) == len(tabs)
	})
	s.KillBrowser(t)
	for host, tab := range tabs {
		a := s.Reopened(t, tab.ID)
		a.Has(t, "recovered", "true")
		if got := tab.Eval("fetch('/cookies').then(r => r.text())"); !strings.Contains(got, "s=1") || !strings.Contains(got, "__Host-h=1") || !strings.Contains(got, "plain=1") {
			t.Errorf("%s: the cookies are %q, lost %s", host, got, a.Text("lost"))
		}
	}
}

// If a script closes a tab, no other tab gets its handle: the handle is not found any more. A tab
// that an answer has named stays.
func TestHandlesOfClosedPopups(t *testing.T) {
	tab := shared.Open(t, html(`<button onclick="window.w = window.open('/frame.html')">Open</button><a href="/html?is=Aside" onclick="w.close()">Link</a>`))
	popup := tab.Click("Open", nil).Text("newTabs.0.tabId")
	a := tab.Click("Link", args{"modifiers": []string{"Control"}})
	if a.Count("newTabs") != 1 {
		t.Fatalf("answered %s", a.Raw)
	}
	aside := shared.Tab(t, a.Text("newTabs.0.tabId"))
	if got := aside.Snapshot(); !strings.Contains(got, "Aside") {
		t.Errorf("the new tab shows %s", got)
	}
	shared.Tab(t, popup).Do("GET /snapshot", nil).Fails(t, 404, "not_found", "tab not found")
	if got := aside.Snapshot(); !strings.Contains(got, "Aside") {
		t.Errorf("then the new tab shows %s", got)
	}
	shared.OK(t, "DELETE /tabs/"+aside.ID, nil)
}

// After the end of a server, the handle of a tab does not mean a tab of the next one. A call that
// names no tab gets an empty one, and its answer says so.
func TestHandlesOfTheLastServer(t *testing.T) {
	long.Test(t)
	t.Parallel()
	dir := t.TempDir()
	first := service.Start(dir, "")
	old := first.Open(t, html("<button>Save")).ID
	first.Close()
	s := service.Start(dir, "")
	t.Cleanup(s.Close)
	other := s.In("other").Open(t, html("<button>Delete")).ID
	if other == old {
		t.Errorf("the next tab is %s again", other)
	}
	s.Tab(t, old).Do("GET /snapshot", nil).Fails(t, 404, "not_found", "tab not found")
	a := s.OK(t, "GET /snapshot", nil)
	a.Has(t, "tabOpened", "true")
	s.OK(t, "GET /snapshot", nil).Has(t, "tabOpened", "")
	if id := a.Text("tabId"); id == old || id == other {
		t.Errorf("the empty tab is %s", id)
	}
}

// While a tab is opened again, the list of tabs has no other tab, and no number of a handle is used
// up.
func TestTabsDuringRecovery(t *testing.T) {
	long.Test(t)
	t.Parallel()
	s := service.Own(t, "")
	slow := newSlowSite(t)
	first := s.Open(t, html("<title>first</title>"))
	tab := s.Open(t, slow.URL)
	slow.hold()
	s.KillBrowser(t)
	answers := make(chan service.Answer, 1)
	go func() {
		a, _ := s.Try(context.Background(), "GET /snapshot?timeoutMs=20000&targetId="+tab.ID, nil)
		answers <- a
	}()
	<-slow.asked
	if got := s.Handles(t); got != tab.ID+" "+first.ID {
		t.Errorf("the tabs are %s", got)
	}
	slow.release()
	a := <-answers
	a.Has(t, "recovered", "true")
	if !strings.Contains(a.Text("snapshot"), "slow page") {
		t.Errorf("answered %s", a.Raw)
	}
	if got := s.Open(t, "about:blank").ID; got != "t3" {
		t.Errorf("the next tab is %s", got)
	}
}

// A slowSite answers a request when the test lets it.
type slowSite struct {
	*httptest.Server
	asked chan struct{} // gets a value when a request waits

	mu   sync.Mutex
	gate chan struct{} // nil: the server answers at once
}

func newSlowSite(t *testing.T) *slowSite {
	s := &slowSite{asked: make(chan struct{}, 8)}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		gate := s.gate
		s.mu.Unlock()
		if gate != nil {
			s.asked <- struct{}{}
			select {
			case <-gate:
			case <-r.Context().Done():
			}
		}
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<!doctype html><title>slow</title><p>slow page")
	}))
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	return s
}

func (s *slowSite) hold() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gate = make(chan struct{})
}

func (s *slowSite) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.gate)
	s.gate = nil
}

// If an address could not be reached, the next call tries it again. A call that navigates the tab
// to another address does not need it.
func TestRecoveryWhileTheSiteIsDown(t *testing.T) {
	s := mortal
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<button>Here</button>")
	}))
	server.Start()
	defer server.Close()
	down := httptest.NewServer(http.NotFoundHandler())
	gone := down.URL
	tab, other := s.Open(t, server.URL), s.Open(t, gone)
	down.Close()
	s.KillBrowser(t)
	for range 2 {
		other.Do("GET /snapshot", nil).Fails(t, 502, "page_failed", "ERR_CONNECTION_REFUSED")
	}
	a := other.OK("POST /navigate", args{"url": server.URL})
	a.Has(t, "recovered", "true")
	if got := other.Snapshot(); !strings.Contains(got, "Here") {
		t.Errorf("it shows %s", got)
	}
	s.Reopened(t, tab.ID).Has(t, "recovered", "true")
}

// A call that fails after it has opened the tab again cannot report that, so the next answer does.
func TestRecoveryIsSaidOnce(t *testing.T) {
	long.Test(t)
	s := mortal
	tab := s.Open(t, html("<button>Here</button>"))
	ref := tab.Ref("Here")
	s.KillBrowser(t)
	a, err := tab.Try(t.Context(), "click", args{"ref": ref})
	if err != nil {
		t.Fatal(err)
	}
	a.Fails(t, 404, "stale_ref", "has been replaced")
	s.Reopened(t, tab.ID).Has(t, "recovered", "true")
	if a := tab.OK("GET /snapshot", nil); a.Get("recovered") != nil || a.Get("lost") != nil {
		t.Errorf("said again: %s", a.Raw)
	}
}

// A page that opens a dialog as it loads comes back when its tab is opened again.
func TestRecoveryOfAPageThatAsks(t *testing.T) {
	long.Test(t)
	s := mortal
	tab := s.Open(t, html("<button>Here</button><script>if (document.cookie.includes('ask')) confirm('Well?')</script>"))
	tab.Eval("document.cookie = 'ask=1'")
	s.Saved(t, `"ask"`)
	s.KillBrowser(t)
	s.Reopened(t, tab.ID).Has(t, "blockedByDialog", "true")
	tab.OK("POST /hooks/dialog", args{"accept": true})
	if got := tab.Snapshot(); !strings.Contains(got, `button "Here"`) {
		t.Errorf("then: %s", got)
	}
}

// If a page goes elsewhere and then opens a dialog, Chromium may take no answer to that. The answer
// is refused soon, and the tab can be used again.
func TestDialogOfAPageThatLeaves(t *testing.T) {
	long.Test(t)
	tab := shared.Open(t, html(`<button onclick="location.href = '/text.html'; alert('Saved')">Save</button>`))
	tab.Click("Save", nil).Has(t, "blockedByDialog", "true")
	service.Eventually(t, "the next document arrives", func() bool { // before that, the answer is taken
		return tab.OK("GET /requests", args{"filter": "/text.html"}).Text("requests.0.status") == "200"
	})
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	a, err := shared.Try(ctx, "POST /hooks/dialog", args{"targetId": tab.ID, "accept": true})
	if err != nil {
		t.Fatal(err)
	}
	taken := a.Status == http.StatusOK
	if !taken {
		a.Fails(t, 502, "tab_crashed", "the browser takes no answer to a dialog")
		shared.Reopened(t, tab.ID).Has(t, "recovered", "true")
	}
	tab.OK("POST /navigate", args{"url": html("<p>Here")})
	if got := tab.Snapshot(); !strings.Contains(got, "Here") {
		t.Errorf("then: %s", got)
	}
	if taken {
		t.Skip("the browser has taken the answer, so no refusal was seen")
	}
}

// If a caller has set the viewport of a tab, the tab keeps it when its page dies, with its renderer
// or with the browser.
func TestViewportAfterACrash(t *testing.T) {
	long.Test(t)
	s := mortal
	tab := s.Open(t, html("<p>Here"))
	tab.Act("resize", args{"width": 500, "height": 400})
	size := func() string { return tab.Eval("innerWidth + ' ' + innerHeight") }
	s.KillBrowser(t)
	if got := size(); got != "500 400" {
		t.Errorf("after the browser: %s", got)
	}
	s.KillRenderers(t)
	if got := size(); got != "500 400" {
		t.Errorf("after the renderer: %s", got)
	}
	tab.OK("POST /navigate", args{"url": pages.Elsewhere(html("<p>There"))})
	if got := size(); got != "500 400" {
		t.Errorf("on another site: %s", got)
	}
}

// An answer or files that were prepared for a dialog or a file chooser are lost with the page. The
// next answer of a call names them.
func TestLostWithThePage(t *testing.T) {
	s := mortal
	tab := s.Open(t, html("<p>Here"))
	tab.OK("POST /hooks/dialog", args{"accept": true})
	tab.OK("POST /hooks/file-chooser", args{"paths": []string{s.Upload(t, "a.txt", "a")}})
	s.KillBrowser(t)
	if got := s.Reopened(t, tab.ID).Text("lost"); !strings.Contains(got, "armed dialog answer") || !strings.Contains(got, "armed upload") || !strings.Contains(got, "forms") {
		t.Errorf("lost %s", got)
	}
}

// The answer to a call that arms a dialog's answer also says that its tab was opened again.
func TestRecoveryByArming(t *testing.T) {
	s := mortal
	tab := s.Open(t, html("<p>Here"))
	s.KillBrowser(t)
	var a service.Answer
	service.Eventually(t, "the tab is there again", func() bool {
		a = tab.Do("POST /hooks/dialog", args{"accept": true})
		return a.Status == http.StatusOK
	})
	a.Has(t, "recovered", "true")
	tab.OK("GET /snapshot", nil).Has(t, "recovered", "")
}

// A call that is under way when the browser is stopped says that its tab was closed, and not that the
// page went elsewhere.
func TestStopEndsCalls(t *testing.T) {
	s := mortal
	tab := s.Open(t, html("<button>Here</button>"))
	ended := make(chan service.Answer, 1)
	go func() {
		a, _ := tab.Try(t.Context(), "evaluate", args{"fn": "new Promise(() => { window.begun = true })"})
		ended <- a
	}()
	tab.Act("wait", args{"fn": "window.begun"})
	s.OK(t, "POST /stop", nil)
	(<-ended).Fails(t, 409, "tab_closed", "the tab was closed")
}

// If an act's input was sent before its tab or browser ends, the error says so. The page may have
// done what the input is for, and a caller that repeats the act would do it twice.
func TestEndDuringAnAct(t *testing.T) {
	arrived := make(chan struct{}, 10)
	shop := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/order":
			arrived <- struct{}{}
			<-r.Context().Done()
		case "/":
			w.Header().Set("Content-Type", "text/html")
			io.WriteString(w, `<script>
				function buy() {
					const order = new XMLHttpRequest()
					order.open("POST", "/order", false)
					order.send()
				}
			</script><button onclick=buy()>Buy</button><input aria-label=Number oninput=buy()><a href=# onmouseover=buy()>Deals</a>`)
		default: // the browser also asks for an icon
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(shop.Close)
	s := mortal
	for _, c := range []struct {
		name string
		end  func(tab string)
		code string
	}{
		{"the renderer crashes", func(string) { s.KillRenderers(t) }, "tab_crashed"},
		{"the browser is killed", func(string) { s.KillBrowser(t) }, "BROWSER_LOST"},
		{"the tab is closed by a call", func(tab string) { s.OK(t, "DELETE /tabs/"+tab, nil) }, "tab_closed"},
		{"the browser is stopped", func(string) { s.OK(t, "POST /stop", nil) }, "tab_closed"},
	} {
		for kind, act := range map[string]args{"click": {"ref": "Buy"}, "type": {"ref": "Number", "text": "1"}, "hover": {"ref": "Deals"}} {
			tab := s.Open(t, shop.URL)
			act["ref"] = tab.Ref(act["ref"].(string))
			ended := make(chan service.Answer, 1)
			go func() {
				a, _ := tab.Try(context.Background(), kind, act)
				ended <- a
			}()
			<-arrived
			c.end(tab.ID)
			if a := <-ended; a.Text("code") != c.code || a.Text("sent") != "true" || strings.Contains(a.Text("hint"), "call again") {
				t.Errorf("%s during %s: %d %s", c.name, kind, a.Status, a.Raw)
			}
			if len(arrived) > 0 {
				t.Fatalf("%s during %s: the page has sent another order", c.name, kind)
			}
		}
	}
}

// A wait for a download ends with its tab, and with the browser.
func TestDownloadWaitEnds(t *testing.T) {
	long.Test(t)
	s := mortal
	opener := s.Open(t, html(`<button onclick="window.w = window.open('/frame.html')">Open</button>`))
	for _, c := range []struct {
		name string
		end  func(tab string)
		code string
	}{
		{"closed by a call", func(tab string) { s.OK(t, "DELETE /tabs/"+tab, nil) }, "tab_closed"},
		{"closed by a page", func(string) { opener.Eval("w.close()") }, "tab_closed"},
		{"with its browser", func(string) { s.KillBrowser(t) }, "BROWSER_LOST"},
	} {
		tab := opener.Click("Open", nil).Text("newTabs.0.tabId")
		answers := make(chan service.Answer, 2)
		for range 2 {
			go func() {
				a, _ := s.Try(context.Background(), "POST /wait/download", args{"targetId": tab, "timeoutMs": 60000})
				answers <- a
			}()
		}
		superseded := <-answers // one call was superseded, so the other waits now
		superseded.Fails(t, 409, "conflict", "superseded")
		c.end(tab)
		if a := <-answers; a.Text("code") != c.code {
			t.Errorf("%s: %d %s", c.name, a.Status, a.Raw)
		}
	}
}

// Logins in session cookies outlive a stop of the browser, unless the call asks to forget them.
// Tabs do not outlive it.
func TestSessionCookiesOverAStop(t *testing.T) {
	t.Parallel()
	s := service.Own(t, "")
	left := func() string {
		raw, err := os.ReadFile(s.SessionFile())
		if err != nil {
			t.Error(err)
		}
		return string(raw)
	}
	cookies := func() string {
		return s.Open(t, site.URL+"/cookies").Eval("document.body.innerText")
	}
	s.Open(t, site.URL+"/cookie")
	s.OK(t, "POST /stop", nil)
	if got := s.Handles(t); got != "" {
		t.Errorf("tabs after the stop: %s", got)
	}
	if kept := left(); strings.Contains(kept, `"tabs"`) || !strings.Contains(kept, "of-the-session") || strings.Contains(kept, "for-long") {
		t.Errorf("left is %s", kept)
	}
	if got := cookies(); !strings.Contains(got, "session=of-the-session") || !strings.Contains(got, "kept=for-long") {
		t.Errorf("after a stop the cookies are %q", got)
	}
	s.OK(t, "POST /stop", args{"forget": true})
	if kept := left(); strings.Contains(kept, "of-the-session") || !strings.Contains(kept, `"origins"`) { // origins are kept, because they may have storage
		t.Errorf("left is %s", kept)
	}
	if got := cookies(); strings.Contains(got, "session=") || !strings.Contains(got, "kept=for-long") {
		t.Errorf("after a stop that forgets the cookies are %q", got)
	}
}

// The tabs of a server that was killed come back with the next one.
func TestKilledServer(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first := service.Start(dir, "")
	tab := first.Open(t, html("<title>one</title><button>Here</button>"))
	tab.OK("POST /tabs/action", args{"action": "label", "label": "mine"})
	tab.Act("resize", args{"width": 500, "height": 400})
	second := first.Open(t, site.URL+"/cookie")
	second.OK("POST /navigate", args{"url": html("<p>two")})
	raw := tab.OK("GET /snapshot", nil).Text("targetId")
	session := first.Saved(t, "of-the-session") // the file that a killed server leaves
	first.Close()
	if err := os.WriteFile(first.SessionFile(), session, 0o600); err != nil {
		t.Fatal(err)
	}
	next := service.Start(dir, "")
	defer next.Close()
	if got := next.Handles(t); got != tab.ID+" "+second.ID {
		t.Errorf("the tabs are %s", got)
	}
	for _, request := range []string{"GET /", "GET /tabs"} {
		next.OK(t, request, nil).Has(t, "restored.tabs", tab.ID+" "+second.ID)
	}
	a := next.Reopened(t, "")
	a.Has(t, "recovered", "true")
	a.Has(t, "restored.tabs", tab.ID+" "+second.ID)
	if a := next.OK(t, "GET /tabs", nil); a.Get("restored") != nil {
		t.Errorf("what was restored is said again: %s", a.Raw)
	}
	if !strings.Contains(a.Text("snapshot"), `button "Here"`) {
		t.Errorf("the current tab: %s", a.Raw)
	}
	if got := next.Tab(t, "mine").Eval("innerWidth"); got != "500" {
		t.Errorf("it is %s wide", got)
	}
	if a := next.OK(t, "GET /snapshot?targetId="+raw, nil); a.Text("targetId") == raw {
		t.Errorf("the old target: %s", a.Raw)
	}
	if got := next.Tab(t, second.ID).Eval("fetch('/cookies').then(r => r.text())"); !strings.Contains(got, "session=of-the-session") {
		t.Errorf("the cookies are %q", got)
	}
	if got := next.Open(t, "about:blank").ID; got != "t3" {
		t.Errorf("the next tab is %s", got)
	}
}

// If a part of the saved session cannot be read, the browser still starts.
func TestBrokenSession(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := (&service.Service{Dir: dir}).SessionFile()
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(`{"tabs": [{`), 0o600); err != nil {
		t.Fatal(err)
	}
	s := service.Start(dir, "")
	defer s.Close()
	if got := s.Open(t, "about:blank").ID; got != "t1" {
		t.Errorf("opened %s", got)
	}
}

// A tab may get a new page for a navigation, and lose it before it arrives. Then the tab keeps its
// last address.
func TestTabLostBeforeItsNavigation(t *testing.T) {
	long.Test(t)
	t.Parallel()
	s := service.Own(t, "{}")
	first := s.Open(t, html("<button>First</button>"))
	s.KillRenderers(t)
	first.Do("POST /navigate", args{"url": site.URL + "/status?code=204&empty=1"}).Fails(t, 502, "page_failed", "")
	s.KillRenderers(t)
	if got := s.Reopened(t, first.ID); !strings.Contains(got.Text("snapshot"), "First") {
		t.Errorf("got %s", got.Raw)
	}
}

// If a tab crashes during a navigation, the error does not blame the server's answer.
func TestCrashEndsANavigation(t *testing.T) {
	arrived := make(chan struct{}, 1)
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		arrived <- struct{}{}
		<-r.Context().Done()
	}))
	t.Cleanup(silent.Close)
	s := mortal
	tab := s.Open(t, html("<p>Here"))
	answer := make(chan service.Answer)
	go func() {
		a, _ := s.Try(context.Background(), "POST /navigate", args{"targetId": tab.ID, "url": silent.URL, "timeoutMs": 60000})
		answer <- a
	}()
	<-arrived
	s.KillRenderers(t)
	if a := <-answer; a.Text("code") != "tab_crashed" {
		t.Errorf("%d %s", a.Status, a.Raw)
	}
}

// A ref from before a crash never means another element, also not after a snapshot.
func TestRefsAreNotReusedAfterACrash(t *testing.T) {
	t.Parallel()
	s := service.Own(t, "")
	tab := s.Open(t, html(`<button>One</button><button>Two</button><iframe srcdoc="<button>Within</button>"></iframe>`))
	old := []string{tab.Ref("One"), tab.Ref("Two"), tab.Ref("Within")}
	for name, kill := range map[string]func(testing.TB){"renderers": s.KillRenderers, "browser": s.KillBrowser} {
		t.Run(name, func(t *testing.T) {
			kill(t)
			s.Reopened(t, tab.ID).Has(t, "recovered", "true")
			for _, ref := range old {
				tab.For(t).Do("POST /act", args{"kind": "click", "ref": ref}).Fails(t, 404, "stale_ref", "is gone")
			}
			old = append(old, tab.For(t).Ref("One"), tab.For(t).Ref("Within"))
		})
	}
}
