package around

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"

	"chela/test/chromium"
	"chela/test/long"
	"chela/test/pages"
	"chela/test/service"
)

// A browser already runs at the cdpUrl of a profile, on this machine. The profile does not have
// attachOnly. Calls connect to the browser, and the answers say so. The browser may say that it
// listens at 0.0.0.0, and may want a login, also for the WebSocket.
func TestBrowserFound(t *testing.T) {
	long.Test(t)
	t.Parallel()
	chromium.Skip(t)
	browser, end, err := chromium.StartElsewhere(t.TempDir(), chromium.Names(site))
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	newTabThere(t, browser, site.URL+pages.HTML(`<script>onload = () => document.title = 'frames'</script>`))
	login := loginBefore(t, browser)
	none := freeAddress(t)
	s := service.Own(t, fmt.Sprintf(`{browser: {profiles: {found: {cdpUrl: %q}, login: {cdpUrl: %q}, wrong: {cdpUrl: %q}, none: {cdpUrl: %q, attachOnly: true}}}}`,
		browser, strings.Replace(login, "http://", "http://"+wayLogin+"@", 1), strings.Replace(login, "http://", "http://me:wrong@", 1), none))
	const notice = "a browser that chela has not started runs at "
	before := s.OK(t, "GET /?profile=found", nil)
	before.Has(t, "running", "true")
	before.Has(t, "connected", "false")
	for field, want := range map[string]string{"name": "found", "running": "true", "connected": "false", "cdpUrl": browser, "tabCount": "0"} {
		s.OK(t, "GET /profiles", nil).Has(t, "profiles.0."+field, want)
	}
	started := s.OK(t, "POST /start?profile=found", nil)
	for field, want := range map[string]string{"running": "true", "connected": "true", "egress": "best-effort", "pid": "", "cdpUrl": browser} {
		started.Has(t, field, want)
	}
	if got := started.Text("notice"); !strings.HasPrefix(got, notice+browser) {
		t.Errorf("the notice is %q", got)
	}
	if got := s.OK(t, "GET /tabs?profile=found", nil); !strings.Contains(got.Raw, `"title":"frames"`) {
		t.Errorf("its tabs are %s", got.Raw)
	}
	s.OK(t, "POST /stop?profile=found", nil).Has(t, "stopped", "true")
	if got := tabsThere(t, browser); !strings.Contains(got, "|frames ") {
		t.Errorf("after stop the browser has %s", got)
	}
	s.OK(t, "POST /tabs/open?profile=login", map[string]any{"url": "about:blank"}).Has(t, "resolvedProfile", "login")
	s.Do(t, "POST /start?profile=wrong", nil).Fails(t, 409, "conflict", "is in use for profile")
	refused := s.Do(t, "POST /start?profile=none", nil)
	refused.Fails(t, 409, "conflict", `profile "none" is not running`)
	if got := refused.Text("hint"); !strings.HasPrefix(got, "nothing answers at "+none+": start the browser with --remote-debugging-port") {
		t.Errorf("the hint is %q", got)
	}
}

// The server ends, and the browser that it had connected to goes on. The next server gives no tab a
// handle that another one has had, and an isolated session does not get the cookies of the user.
func TestBrowserOutlivesTheServer(t *testing.T) {
	long.Test(t)
	t.Parallel()
	chromium.Skip(t)
	browser, end, err := chromium.StartElsewhere(t.TempDir(), chromium.Names(site))
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	dir, settings := t.TempDir(), fmt.Sprintf(`{browser: {defaultProfile: "far", profiles: {far: {cdpUrl: %q, attachOnly: true}}}}`, browser)
	s := service.Start(dir, settings)
	kept := opened(t, s, site.URL+"/cookie", args{})
	s.OK(t, "POST /cookies/set", args{"name": "of", "value": "user", "url": site.URL})
	opened(t, s.In("job"), site.URL+"/cookies", args{"isolated": true})
	last := opened(t, s, site.URL+"/cookies", args{})
	s.Close()
	s = service.Start(dir, settings)
	defer s.Close()
	s.In("job").OK(t, "POST /tabs/open", args{"url": site.URL + "/cookies"}).Has(t, "emptied", "true")
	s.In("job").OK(t, "GET /cookies", nil).Has(t, "cookies", "")
	for _, gone := range []string{kept.ID, last.ID} {
		s.Do(t, "GET /snapshot?targetId="+gone, nil).Fails(t, 404, "not_found", "tab not found")
	}
}

// loginBefore puts a server before a browser. It serves callers that have the login, and says that
// the WebSocket is at 0.0.0.0.
func loginBefore(t *testing.T, browser string) (address string) {
	t.Helper()
	to, err := url.Parse(browser)
	if err != nil {
		t.Fatal(err)
	}
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(to)
		_, port, _ := net.SplitHostPort(r.In.Host)
		r.Out.Host = "0.0.0.0:" + port // Chromium names the Host of the request in its answer
	}}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if name, password, _ := r.BasicAuth(); name+":"+password != wayLogin {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// freeAddress returns an address of this machine at which nothing answers.
func freeAddress(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	return server.URL
}
