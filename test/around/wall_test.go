package around

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"chela/test/pages"
	"chela/test/service"
)

// The network policy holds for callers and pages, in every way that they try. Callers find out what
// the policy has refused.
func TestNetworkPolicy(t *testing.T) {
	t.Parallel()
	var contacts atomic.Int32
	secret := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		fmt.Fprint(w, "a secret")
	}))
	secret.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			contacts.Add(1)
		}
	}
	secret.Start()
	defer secret.Close()
	own := http.NewServeMux()
	own.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<title>own</title><button onclick="location='%s/clicked'">Go</button><a href="/to?%s/linked">Link</a>`, secret.URL, secret.URL)
	})
	left := make(chan bool, 1)
	own.HandleFunc("/stream", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
		left <- true
	})
	own.HandleFunc("/to", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.RawQuery, http.StatusFound) })
	server := httptest.NewServer(own)
	defer server.Close()
	site := pages.Elsewhere(server.URL)

	s := service.Own(t, `{browser: {noSandbox: true, headless: true, ssrfPolicy: {allowedHostnames: ["localhost"]}}}`)
	s.OK(t, "GET /", nil).Has(t, "egress", "enforced")
	const forbidden = "browser navigation blocked by policy"
	refusedIn := func(t testing.TB, a service.Answer) {
		t.Helper()
		a.Fails(t, 400, "navigation_blocked", forbidden)
		a.Has(t, "reason", "navigation_blocked")
	}
	refused := func(a service.Answer) { t.Helper(); refusedIn(t, a) }
	s.Do(t, "POST /profiles/create", service.Args{"name": "far", "cdpUrl": "http://10.0.0.42:9222"}).
		Fails(t, 400, "invalid_request", "browser endpoint blocked by policy | Blocked hostname or private/internal/special-use IP address")
	s.OK(t, "POST /profiles/create", service.Args{"name": "near", "cdpUrl": "http://127.0.0.1:9222"})
	refused(s.Do(t, "POST /tabs/open", service.Args{"url": secret.URL}))
	tab := s.Open(t, site)
	for _, url := range []string{secret.URL, site + "/to?" + secret.URL, site + "/to?" + strings.Replace(secret.URL, "http", "https", 1), s.URL, "http://169.254.169.254/"} {
		refused(tab.Do("POST /navigate", service.Args{"url": url}))
		refused(s.Do(t, "POST /read", service.Args{"url": url, "render": "never"}))
		if got := tab.Eval("() => location.href"); got != site+"/" {
			t.Errorf("after %s the tab is at %s", url, got)
		}
	}
	hint := tab.Do("POST /navigate", service.Args{"url": secret.URL}).Text("hint")
	if !strings.Contains(hint, "chela config set --add browser.ssrfPolicy.allowedHostnames 127.0.0.1") {
		t.Errorf("the hint is %q", hint)
	}
	hint = tab.Do("POST /navigate", service.Args{"url": s.URL}).Text("hint")
	if !strings.Contains(hint, "port of chela itself") {
		t.Errorf("the hint for a port of chela is %q", hint)
	}
	if got := tab.Eval(`() => fetch("` + secret.URL + `/fetched").catch(e => "no")`); got != "no" {
		t.Errorf("fetched: %s", got)
	}
	for _, chela := range []*service.Service{s, service.Own(t, "")} { // the second server is another one of this user
		if got := tab.Eval(`() => fetch("` + pages.Elsewhere(chela.URL) + `/", {mode: "no-cors"}).then(() => "opened", () => "no")`); got != "no" {
			t.Errorf("a port of chela: %v", got)
		}
	}
	if got := tab.Eval(`() => new WebTransport("` + strings.Replace(secret.URL, "http", "https", 1) + `/datagrams").ready.catch(e => "no")`); got != "no" {
		t.Errorf("WebTransport: %s", got)
	}
	requests := tab.OK("GET /requests", nil).Raw
	for _, want := range []string{"/fetched", "ERR_BLOCKED_BY_ADMINISTRATOR", "policy private-network: 127.0.0.1", "policy own-port", "policy datagrams"} {
		if !strings.Contains(requests, want) {
			t.Errorf("no %q in the requests: %s", want, requests)
		}
	}
	// An act that leads to a forbidden address is refused, and the tab goes back.
	refused(tab.Do("POST /act", service.Args{"kind": "click", "ref": tab.Ref("button")}))
	if got := tab.Eval("() => location.href"); got != site+"/" {
		t.Errorf("after a click the tab is at %s", got)
	}
	t.Run("the page stays", func(t *testing.T) { keepsPage(t, s) })
	// The doctor has a page try everything, in a browser of its own.
	a := s.OK(t, "GET /doctor?wall=true", nil)
	if status, summary := row(a, "wall"); status != "pass" || a.Count("wall.ways") < 50 || a.Text("wall.allowed.0") != "localhost" {
		t.Errorf("%s: %s, allowed %s", status, summary, a.Text("wall.allowed"))
	}
	tab.OK("POST /storage/local/set", service.Args{"key": "k", "value": "v"})
	streaming := tab.Eval(`() => { stream = new EventSource("/stream"); return new Promise(r => stream.onopen = () => r("open")) }`)
	// When the policy changes, connections to addresses that it forbids end, and nothing more is
	// read from there.
	settings := `{browser: {noSandbox: true, headless: true, ssrfPolicy: {blockedHostnames: ["localhost"]}}}`
	if err := os.WriteFile(filepath.Join(s.Dir, "chela.json"), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Run("nothing is read", func(t *testing.T) { readsNothing(t, tab, site, refusedIn) })
	select {
	case <-left:
	case <-time.After(time.Minute):
		t.Errorf("a connection (%s) goes on that is not allowed any more", streaming)
	}
	tabs := s.OK(t, "GET /tabs", nil)
	tabs.Has(t, "tabs.0.url", "")
	tabs.Has(t, "tabs.0.urlUnavailableReason", "navigation_blocked")
	tab.OK("POST /navigate", service.Args{"url": "about:blank"})
	if got := contacts.Load(); got != 0 {
		t.Errorf("%d connections", got)
	}
}
