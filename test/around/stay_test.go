package around

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"chela/test/pages"
	"chela/test/service"
)

// stayingPage has a control for each way to an address that is not allowed.
const stayingPage = `<!doctype html><title>own</title><script>state = ''</script><input aria-label="Name">
<a href="BLOCKED/plain">plain</a>
<a href="TLS/secure">secure</a>
<a href="/to?BLOCKED/redirected">redirected</a>
<button onclick="location.replace('TLS/replaced')">replace</button>
<a href="BLOCKED/file" download>download</a>
<form method="post" action="BLOCKED/posted"><button>post</button></form>
<form method="post" action="/to?BLOCKED/posted-on"><button>post on</button></form>
<a href="BLOCKED/blank" target="_blank">blank</a>
<form method="post" action="BLOCKED/posted-blank" target="_blank"><button>post blank</button></form>
<button onclick="window.open('BLOCKED/opened')">open</button>
<button onclick="window.open('/to?BLOCKED/opened-redirected', '', 'noopener')">open redirected</button>
<button onclick="fetch('/answered').then(() => { location = 'BLOCKED/later'; window.open('BLOCKED/later-opened') })">later</button>
<button onclick="document.querySelector('iframe').src = 'BLOCKED/framed'">frame</button>
<iframe src="/inside"></iframe>`

// keepsPage tries each way to an address that is not allowed. A tab that is led there stays on its
// page, with all that was typed there and the state of its scripts. The policy of s allows no
// address of this machine but localhost.
func keepsPage(t *testing.T, s *service.Service) {
	blocked := httptest.NewServer(http.NotFoundHandler())
	defer blocked.Close()
	tls := strings.Replace(blocked.URL, "http", "https", 1)
	own := http.NewServeMux()
	own.HandleFunc("/page", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, strings.NewReplacer("BLOCKED", blocked.URL, "TLS", tls).Replace(stayingPage))
	})
	own.HandleFunc("/inside", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "inside") })
	own.HandleFunc("/to", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, r.URL.RawQuery, http.StatusTemporaryRedirect)
	})
	own.HandleFunc("/refresh", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, `<title>refreshing</title><meta http-equiv="refresh" content="0;url=%s/refreshed">`, blocked.URL)
	})
	answered := make(chan struct{}) // closed when the act that causes the later requests has been answered
	answer := sync.OnceFunc(func() { close(answered) })
	own.HandleFunc("/answered", func(http.ResponseWriter, *http.Request) { <-answered })
	server := httptest.NewServer(own)
	defer server.Close()
	defer answer()
	site := pages.Elsewhere(server.URL)

	tab := s.Open(t, site+"/page")
	before := s.OK(t, "GET /tabs", nil).Count("tabs")
	tab.Eval(`() => { document.querySelector('input').value = 'typed'; state = 'kept' }`)
	refused := func(by string, a service.Answer) {
		t.Helper()
		a.Fails(t, 400, "navigation_blocked", "browser navigation blocked by policy")
		a.Has(t, "reason", "navigation_blocked")
		if got := tab.Eval("() => [location.pathname, document.querySelector('input').value, state].join()"); got != "/page,typed,kept" {
			t.Fatalf("after %s the tab has %s", by, got)
		}
	}
	click := func(name string, more service.Args) service.Answer {
		t.Helper()
		args := service.Args{"kind": "click", "ref": tab.Ref(fmt.Sprintf("%q", name))}
		maps.Copy(args, more)
		return tab.Do("POST /act", args)
	}
	for _, each := range []struct{ control, path string }{
		{"plain", "/plain"}, {"secure", "/secure"}, {"redirected", "/redirected"}, {"replace", "/replaced"}, {"download", "/file"},
		{"post", "/posted"}, {"post on", "/posted-on"},
		{"blank", "/blank"}, {"post blank", "/posted-blank"}, {"open", "/opened"}, {"open redirected", "/opened-redirected"},
	} {
		refused(each.control, click(each.control, nil))
		last := tab.OK("GET /requests", service.Args{"filter": each.path})
		last.Has(t, fmt.Sprintf("requests.%d.failureText", last.Count("requests")-1), "net::ERR_BLOCKED_BY_ADMINISTRATOR")
	}
	for what, more := range map[string]service.Args{
		"a download":                {"path": "blocked.txt"},
		"a download, at a deadline": {"path": "blocked.txt", "timeoutMs": 1000},
	} {
		more["ref"] = tab.Ref(`"plain"`)
		refused(what, tab.Do("POST /download", more))
	}
	refused("an upload", tab.Do("POST /hooks/file-chooser", service.Args{"ref": tab.Ref(`"plain"`), "paths": []string{s.Upload(t, "a.txt", "a")}}))
	for _, url := range []string{blocked.URL, tls, site + "/to?" + blocked.URL, site + "/to?" + tls} {
		refused(url, tab.Do("POST /navigate", service.Args{"url": url}))
	}
	if got := s.OK(t, "GET /tabs", nil).Count("tabs"); got != before {
		t.Errorf("%d tabs are open, and were %d: those that came to nothing were to be closed", got, before)
	}
	// The list of requests also has a refused request of a frame, and one that comes later than the
	// act that caused it.
	tab.OK("POST /act", service.Args{"kind": "click", "ref": tab.Ref(`"frame"`)})
	tab.OK("POST /act", service.Args{"kind": "click", "ref": tab.Ref(`"later"`)})
	answer()
	for _, path := range []string{"/framed", "/later"} {
		service.Eventually(t, path+" is listed", func() bool {
			return strings.Contains(tab.OK("GET /requests", service.Args{"filter": path}).Raw, "policy private-network")
		})
	}
	// A snapshot says why the frame is empty, in place of Chromium's error page.
	for _, format := range []string{"ai", "aria", "role"} {
		page := tab.OK("GET /snapshot", service.Args{"format": format}).Raw
		if !strings.Contains(page, "(frame not read: blocked by policy private-network: 127.0.0.1") || strings.Contains(page, "The webpage at") {
			t.Errorf("the %s snapshot of a page with a blocked frame: %s", format, page)
		}
	}
	// A tab that is opened later stays open and has no address, not even while it is on its way to
	// one.
	refused("all", tab.Do("POST /navigate", service.Args{"url": blocked.URL}))
	service.Eventually(t, "the tab is listed without an address", func() bool {
		tabs := s.OK(t, "GET /tabs", nil)
		if strings.Contains(tabs.Raw, "later-opened") {
			t.Errorf("tabs: %s", tabs.Raw)
		}
		return tabs.Count("tabs") == before+1 && strings.Contains(tabs.Raw, `"url":"","urlUnavailableReason":"navigation_blocked"`)
	})
	// A page that leads to a forbidden address by itself can be read.
	tab.OK("POST /navigate", service.Args{"url": site + "/refresh"})
	service.Eventually(t, "it is refreshed", func() bool {
		return tab.OK("GET /requests", service.Args{"filter": "/refreshed"}).Count("requests") == 1
	})
	tab.OK("GET /snapshot", nil).Has(t, "url", site+"/refresh")
}
