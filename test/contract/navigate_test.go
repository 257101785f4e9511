package contract

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"chela/test/long"
	tests "chela/test/service"
)

func TestNavigate(t *testing.T) {
	tab := shared.open(t, "about:blank")
	tests := []struct{ name, path, end string }{
		{"a page", "/text.html", "/text.html"},
		{"a fragment", "/text.html#there", "/text.html#there"},
		{"the same again", "/text.html#there", "/text.html#there"},
		{"not found", "/status?code=404", "/status?code=404"},
		{"a server's error", "/status?code=500", "/status?code=500"},
		{"redirects", "/redirect?to=" + url.QueryEscape("/redirect?to=/text.html"), "/text.html"},
		{"a page that goes on at once", "/html?is=" + url.QueryEscape("<script>location.replace('/text.html')</script>"), "/text.html"},
		{"a slow page", "/slow?ms=300", "/slow?ms=300"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			a := shared.ok(t, "POST /navigate", fmt.Sprintf(`{"targetId": %q, "url": %q}`, tab, site.URL+test.path))
			if a.Text("url") != site.URL+test.end || a.Get("ok") != true || a.Text("targetId") == "" {
				t.Errorf("got %s", a.Raw)
			}
		})
	}
	a := shared.ok(t, "POST /navigate", fmt.Sprintf(`{"targetId": %q, "url": "about:blank"}`, tab))
	if a.Text("url") != "about:blank" {
		t.Errorf("got %s", a.Raw)
	}
}

func TestNavigateFails(t *testing.T) {
	long.Test(t)
	tab := shared.open(t, site.URL+"/text.html")
	refused := fmt.Sprintf("http://127.0.0.1:%d/", freePort(t))
	cases := []struct {
		name, url     string
		status        int
		code, message string
	}{
		{"nobody listens", refused, 502, "page_failed", "net::ERR_CONNECTION_REFUSED at " + refused},
		{"no such host", "http://x..invalid/", 502, "page_failed", "net::ERR_NAME_NOT_RESOLVED"}, // Chromium asks no name server for an empty label
		{"no content", site.URL + "/status?code=204", 502, "page_failed", "net::ERR_ABORTED"},
		{"a port that browsers refuse", "http://127.0.0.1:1/", 502, "page_failed", "net::ERR_UNSAFE_PORT"},
		{"the server never answers", site.URL + "/hang", 504, "deadline", ""},
		{"the page never ends", site.URL + "/drip", 504, "deadline", ""},
	}
	for _, test := range cases {
		t.Run(test.name, func(t *testing.T) {
			timeoutMs := 20_000
			if test.status == 504 {
				timeoutMs = 1000
			}
			body := fmt.Sprintf(`{"targetId": %q, "url": %q, "timeoutMs": %d}`, tab, test.url, timeoutMs)
			a := shared.do(t, "POST /navigate", body)
			a.Fails(t, test.status, test.code, test.message)
			if a.Text("hint") == "" {
				t.Errorf("no hint: %s", a.Raw)
			}
			shared.ok(t, "GET /snapshot?targetId="+tab, "")
			shared.ok(t, "POST /navigate", fmt.Sprintf(`{"targetId": %q, "url": %q}`, tab, site.URL+"/text.html"))

			before := shared.handles(t)
			a = shared.do(t, "POST /tabs/open", fmt.Sprintf(`{"url": %q, "timeoutMs": %d}`, test.url, timeoutMs))
			if test.status == 502 {
				a.Fails(t, test.status, test.code, test.message)
			}
			if a.Status != 200 {
				tests.Eventually(t, "no tab is left", func() bool { return shared.handles(t) == before })
			}
			if a.Status == 200 {
				shared.ok(t, "DELETE /tabs/"+a.Text("tabId"), "")
			}
		})
	}
}

// When a navigation has failed, the tab shows Chromium's error page. A call that comes next is not
// interrupted by it.
func TestNextCallAfterFailure(t *testing.T) {
	tab := shared.open(t, site.URL+"/text.html")
	https := "https" + strings.TrimPrefix(site.URL, "http")
	for range 3 {
		shared.ok(t, "POST /navigate", fmt.Sprintf(`{"targetId": %q, "url": %q}`, tab, site.URL+"/text.html"))
		shared.do(t, "POST /navigate", fmt.Sprintf(`{"targetId": %q, "url": %q}`, tab, https)).Fails(t, 502, "page_failed", "ERR_SSL_PROTOCOL_ERROR")
		shared.do(t, "GET /storage/local?targetId="+tab, "").Fails(t, 409, "conflict", "the page has no storage")
	}
}
