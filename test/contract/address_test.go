package contract

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// Both operations that open an address report how it was reached.
func TestReached(t *testing.T) {
	const overHTTP = "opened over http: https was refused"
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
		{"over http", `https://http-only.test/text.html", "orHttp": true, "x": "`, map[string]any{"status": 200.0, "fellBack": overHTTP}},
		{"a file over http", `https://http-only.test/report.csv", "orHttp": true, "x": "`, map[string]any{"fellBack": overHTTP}},
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
	// An address that is a file leaves the tab where it was.
	file := shared.ok(t, "POST /navigate", fmt.Sprintf(`{"targetId": %q, "url": %q}`, tab, site.URL+"/report.csv"))
	file.Has(t, "url", site.URL+"/text.html")
	file.Has(t, "urlChanged", "")
	file.Has(t, "download.url", site.URL+"/report.csv")
	a := shared.ok(t, "POST /navigate", fmt.Sprintf(`{"targetId": %q, "url": %q}`, tab, site.URL+"/text.html#part"))
	if a.Get("status") != nil {
		t.Errorf("a fragment: got %s", a.Raw)
	}
}

// Over HTTP, chela adds no scheme to an address that lacks one.
func TestAddressesAreWhole(t *testing.T) {
	for _, url := range []string{"example.com", "127.0.0.1:80/", "[::1]:80"} {
		for _, request := range []string{"POST /navigate", "POST /tabs/open"} {
			shared.do(t, request, fmt.Sprintf(`{"url": %q, "orHttp": true}`, url)).Fails(t, 400, "navigation_blocked", "Invalid URL: "+url)
		}
	}
	shared.do(t, "POST /navigate", `{"url": "localhost:80"}`).Fails(t, 400, "navigation_blocked", `unsupported protocol "localhost:"`)
}

// The error lists everything that is wrong with a certificate. Chromium names only the worst fault.
func TestBadCertificate(t *testing.T) {
	now := time.Now()
	tests := []struct {
		name, host string // host that the certificate is for
		from, to   time.Time
		want       string
	}{
		{"self-signed", "127.0.0.1", now, now.AddDate(0, 1, 0), "its authority is unknown"},
		{"expired", "127.0.0.1", now.AddDate(0, -2, 0), now.AddDate(0, 0, -3), "its authority is unknown; it expired on " + now.UTC().AddDate(0, 0, -3).Format("2 January 2006")},
		{"not yet valid", "127.0.0.1", now.AddDate(0, 0, 3), now.AddDate(0, 1, 0), "its authority is unknown; it is not valid before "},
		{"of another host", "10.0.0.1", now, now.AddDate(0, 1, 0), "its authority is unknown; it is for another host: 10.0.0.1"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			url := secureServer(t, certificate(t, test.host, test.from, test.to))
			requests := []string{"POST /navigate", "POST /tabs/open"}
			// For other faults Chromium first spends three seconds on requests of its own, to check the
			// clock or the host name.
			if test.name != "self-signed" {
				requests = requests[:1]
			}
			for _, request := range requests {
				a := shared.do(t, request, fmt.Sprintf(`{"url": %q}`, url))
				a.Fails(t, 502, "page_failed", "net::ERR_CERT_AUTHORITY_INVALID at "+url+": the certificate is bad: it is self-signed, or "+test.want)
				if !strings.Contains(a.Text("hint"), "set ignoreHTTPSErrors for the profile") {
					t.Errorf("the hint is %q", a.Text("hint"))
				}
			}
		})
	}
}

// certificate makes a self-signed certificate for an IP address.
func certificate(t *testing.T, ip string, from, to time.Time) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: from, NotAfter: to, IPAddresses: []net.IP{net.ParseIP(ip)}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

// secureServer is the address of a server with a certificate.
func secureServer(t *testing.T, c tls.Certificate) string {
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.TLS = &tls.Config{Certificates: []tls.Certificate{c}}
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // no log that Chromium ends the connection
	server.StartTLS()
	t.Cleanup(server.Close)
	return server.URL
}
