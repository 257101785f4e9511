package chaos

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"chela/test/long"
	"chela/test/service"
)

// The limits of a session outlive a server that is killed. The next server applies them from its
// first call on, in old tabs and new ones, and to operations that use no browser.
func TestLimitsAfterAKill(t *testing.T) {
	long.Test(t)
	var contacts atomic.Int32
	site := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { contacts.Add(1) }))
	defer site.Close()
	dir := t.TempDir()
	server := service.Run(t, dir)
	narrow := server.In("narrow")
	narrow.OK(t, "POST /tabs/open", args{"url": "about:blank", "isolated": true, "allowHosts": []string{"example.com"}})
	for range 2 {
		server.Kill() // a kill just after an answer
		server = service.Run(t, dir)
		narrow = server.In("narrow")
		for request, fields := range map[string]args{
			"POST /navigate": {"url": site.URL}, "POST /read": {"url": site.URL}, "POST /render": {"url": site.URL, "mode": "extract"},
			"POST /tabs/open": {"url": site.URL, "isolated": true, "allowHosts": []string{"127.0.0.1"}},
			"POST /extract":   {"url": site.URL},
		} {
			a := narrow.Do(t, request, fields)
			if a.Status < 400 || !strings.Contains(strings.ToLower(a.Raw), "navigation blocked") && a.Status != 409 {
				t.Errorf("%s: %d %s", request, a.Status, a.Raw)
			}
		}
		narrow.Do(t, "POST /sessions/end", args{"session": "narrow"}).Fails(t, 403, "forbidden", "may not call")
	}
	if n := contacts.Load(); n != 0 {
		t.Errorf("%d requests came to a host that is not allowed", n)
	}
	server.OK(t, "POST /sessions/end", args{"session": "narrow"})
	if a := narrow.OK(t, "POST /tabs/open", args{"url": site.URL}); contacts.Load() == 0 {
		t.Errorf("after its end: %s", a.Raw)
	}
}
