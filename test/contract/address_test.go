package contract

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"testing"
)

// Both that open an address answer how it was reached.
func TestReached(t *testing.T) {
	tests := []struct {
		name, fields string
		want         map[string]any
	}{
		{"a page", site.URL + "/text.html", map[string]any{"status": 200.0}},
		{"not found", site.URL + "/status?code=404", map[string]any{"status": 404.0, "statusText": "404 Not Found"}},
		{"not found, and nothing there", site.URL + "/status?code=404&empty", map[string]any{"status": 404.0, "statusText": "404 Not Found"}},
		{"a status of no name", site.URL + "/status?code=599", map[string]any{"status": 599.0, "statusText": "599"}},
		{"for members", site.URL + "/members", map[string]any{
			"status": 401.0, "statusText": "401 Unauthorized",
			"hint": "give the name and password that the server wants with chela set credentials, then navigate again",
		}},
		{"for programs", site.URL + "/members?scheme=Bearer", map[string]any{"status": 401.0, "statusText": "401 Unauthorized"}},
		{"a file", site.URL + "/report.csv", map[string]any{}},
		{"no file", site.URL + "/file?code=404", map[string]any{"status": 404.0, "statusText": "404 Not Found"}},
		{"empty", "about:blank", map[string]any{}},
		{"over http", `https://http-only.test/text.html", "orHttp": true, "x": "`, map[string]any{"status": 200.0, "fellBack": "opened over http: https was refused"}},
		{"a file over http", `https://http-only.test/report.csv", "orHttp": true, "x": "`, map[string]any{"fellBack": "opened over http: https was refused"}},
	}
	tab := shared.open(t, "about:blank")
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			opened := shared.ok(t, "POST /tabs/open", `{"url": "`+test.fields+`"}`)
			shared.ok(t, "DELETE /tabs/"+opened.Text("tabId"), "")
			navigated := shared.ok(t, "POST /navigate", fmt.Sprintf(`{"targetId": %q, "url": "`, tab)+test.fields+`"}`)
			for _, name := range []string{"status", "statusText", "hint", "fellBack"} {
				if opened.Get(name) != test.want[name] || navigated.Get(name) != test.want[name] {
					t.Errorf("%s: got %v and %v, want %v", name, opened.Get(name), navigated.Get(name), test.want[name])
				}
			}
		})
	}
	shared.ok(t, "POST /navigate", fmt.Sprintf(`{"targetId": %q, "url": %q}`, tab, site.URL+"/status?code=404"))
	shared.ok(t, "POST /navigate", fmt.Sprintf(`{"targetId": %q, "url": %q}`, tab, site.URL+"/text.html"))
	if a := shared.ok(t, "POST /back", fmt.Sprintf(`{"targetId": %q}`, tab)); a.Text("statusText") != "404 Not Found" {
		t.Errorf("back: got %s", a.Raw)
	}
	shared.ok(t, "POST /forward", fmt.Sprintf(`{"targetId": %q}`, tab))
	if a := shared.ok(t, "POST /navigate", fmt.Sprintf(`{"targetId": %q, "url": %q}`, tab, site.URL+"/text.html#part")); a.Get("status") != nil {
		t.Errorf("a fragment: got %s", a.Raw)
	}
}

// Over HTTP nothing is added to an address.
func TestAddressesAreWhole(t *testing.T) {
	for _, url := range []string{"example.com", "127.0.0.1:80/", "[::1]:80"} {
		for _, request := range []string{"POST /navigate", "POST /tabs/open"} {
			shared.do(t, request, fmt.Sprintf(`{"url": %q, "orHttp": true}`, url)).Fails(t, 400, "navigation_blocked", "Invalid URL: "+url)
		}
	}
	shared.do(t, "POST /navigate", `{"url": "localhost:80"}`).Fails(t, 400, "navigation_blocked", `unsupported protocol "localhost:"`)
}

func TestBadCertificate(t *testing.T) {
	secure := httptest.NewUnstartedServer(http.NotFoundHandler())
	secure.Config.ErrorLog = log.New(io.Discard, "", 0) // Chromium ends the connection
	secure.StartTLS()
	defer secure.Close()
	for _, request := range []string{"POST /navigate", "POST /tabs/open"} {
		a := shared.do(t, request, fmt.Sprintf(`{"url": %q}`, secure.URL))
		a.Fails(t, 502, "page_failed", "net::ERR_CERT_AUTHORITY_INVALID at "+secure.URL+": the certificate is bad: it is self-signed, or its authority is unknown")
		if want := "check the address; to open a site that you trust in spite of its certificate, set ignoreHTTPSErrors for the profile"; a.Text("hint") != want {
			t.Errorf("the hint is %q", a.Text("hint"))
		}
	}
}
