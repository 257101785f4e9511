package page_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"chela/internal/engine/page"
	"chela/test/long"
	"chela/test/tab"
)

// goes opens an address in the tab, and returns how it was reached.
func goes(t *tab.Tab, to page.Destination) (a page.Arrival, err error) {
	err = t.InTurn(10*time.Second, func(ctx context.Context) (err error) {
		a, err = t.Go(ctx, to)
		return err
	})
	return a, err
}

// The status comes from the last response. There is none if no server has sent the document.
func TestStatus(t *testing.T) {
	tt := tab.Open(t, "/text.html")
	for _, s := range []struct {
		path, at string
		status   int
	}{
		{"/frame.html", "/frame.html", 200},
		{"/frame.html#part", "/frame.html#part", 0},
		{"/frame.html#part", "/frame.html#part", 0},
		{"/status?code=404", "/status?code=404", 404},
		{"/status?code=404", "/status?code=404", 404},
		{"/status?code=500", "/status?code=500", 500},
		{"/status?code=404&empty", "/status?code=404&empty", 404},
		{"/status?code=503&empty#part", "/status?code=503&empty#part", 503},
		{"/file?code=404", "/file?code=404", 404},
		{"/redirect?to=/status?code=410", "/status?code=410", 410},
		{"/redirect?to=/frame.html", "/frame.html", 200},
		{"/members?scheme=Bearer", "/members?scheme=Bearer", 401},
	} {
		a, err := goes(tt, page.Destination{URL: tab.Site.URL + s.path})
		if err != nil || a != (page.Arrival{Status: s.status}) || tt.URL() != tab.Site.URL+s.at {
			t.Errorf("%s: got %v, %v at %s, want status %d at %s", s.path, a, err, tt.URL(), s.status, s.at)
		}
	}
	for _, url := range []string{page.Blank, "http://127.0.0.1:1/"} {
		if a, _ := goes(tt, page.Destination{URL: url}); a != (page.Arrival{}) {
			t.Errorf("%s: got %v", url, a)
		}
	}
}

func TestStatusFromTheCache(t *testing.T) {
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/cached" {
			asked++
		}
		w.Header().Set("Cache-Control", "max-age=3600")
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, "not here")
	}))
	defer server.Close()
	defer server.CloseClientConnections()
	tt := tab.Empty(t)
	for _, path := range []string{"/cached", "/other", "/cached"} {
		if a, err := goes(tt, page.Destination{URL: server.URL + path}); err != nil || a.Status != 404 {
			t.Errorf("%s: got %v, %v", path, a, err)
		}
	}
	if asked != 1 {
		t.Errorf("the server was asked %d times", asked)
	}
}

// If a server asks for a login by HTTP, the tab shows the content of that response. Opening the page
// is one step in the tab's history.
func TestLoginByHTTP(t *testing.T) {
	long.Test(t)
	tt := tab.Open(t, "/text.html")
	for _, s := range []struct{ name, path, at string }{
		{"basic", "/members", "/members"},
		{"digest", "/members?scheme=Digest", "/members?scheme=Digest"},
		{"after a redirect", "/redirect?to=/members", "/members"},
	} {
		t.Run(s.name, func(t *testing.T) {
			tt := tt.For(t)
			tt.Visit("/text.html")
			steps := tab.Run[int](tt, "history.length")
			a, err := goes(tt, page.Destination{URL: tab.Site.URL + s.path})
			if err != nil || a != (page.Arrival{Status: 401, WantsLogin: true}) || tt.URL() != tab.Site.URL+s.at {
				t.Errorf("got %v, %v at %s", a, err, tt.URL())
			}
			if got := tab.Run[string](tt, "document.body.innerText + (history.length - "+fmt.Sprint(steps)+")"); got != "Members only1" {
				t.Errorf("the tab shows %q", got)
			}
			if err := tt.InTurn(5*time.Second, func(ctx context.Context) error { return tt.Reload(ctx, page.Reloading{}) }); err != nil {
				t.Error(err)
			}
			if got := tab.Run[string](tt, "document.body.innerText"); got != "Members only" {
				t.Errorf("the tab, loaded again, shows %q", got)
			}
		})
	}
}

// If https is refused, the address is opened over http, as one step of the tab's history. With any
// other https error it is not.
func TestOverHTTP(t *testing.T) {
	long.Test(t)
	port := tab.Site.URL[strings.LastIndex(tab.Site.URL, ":")+1:]
	secure := secureServer(t, http.NotFoundHandler())
	tt := tab.Open(t, "/text.html")
	for _, s := range []struct{ name, url, at, fails string }{
		{"refused", "https://http-only.test/frame.html", "http://http-only.test/frame.html", ""},
		{"no https at a port", "https://named.test:" + port + "/frame.html", "http://named.test:" + port + "/frame.html", ""},
		{"an error of the server", "https://http-only.test/status?code=404&empty", "http://http-only.test/status?code=404&empty", ""},
		{"a page for members", "https://http-only.test/members", "http://http-only.test/members", ""},
		{"nobody there", "https://named.test:2/", "", "net::ERR_CONNECTION_REFUSED at http://named.test:2/"},
		{"no content", "https://http-only.test/status?code=204", "", "net::ERR_ABORTED at http://http-only.test/status?code=204"},
		{"a bad certificate", secure, "", "net::ERR_CERT_"},
		{"refused to http", "http://named.test:2/", "", "net::ERR_CONNECTION_REFUSED at http://named.test:2/"},
		{"no such host", "https://" + strings.Repeat("x", 64) + ".invalid/", "", "net::ERR_NAME_NOT_RESOLVED at https://"},
	} {
		t.Run(s.name, func(t *testing.T) {
			tt := tt.For(t)
			tt.Visit("/text.html")
			steps := tab.Run[int](tt, "history.length")
			a, err := goes(tt, page.Destination{URL: s.url, OrHTTP: true})
			if s.fails != "" {
				failed, ok := errors.AsType[*page.LoadError](err)
				if !ok || !strings.Contains(err.Error(), s.fails) || failed.Both != a.OverHTTP || a.OverHTTP != (failed.URL != s.url) {
					t.Errorf("got %v, %+v", err, failed)
				}
				return
			}
			if err != nil || !a.OverHTTP || tt.URL() != s.at {
				t.Fatalf("got %v, %v at %s", a, err, tt.URL())
			}
			if got := tab.Run[int](tt, "history.length"); got != steps+1 {
				t.Errorf("the tab's history has %d steps more", got-steps)
			}
		})
	}
	t.Run("only when it may", func(t *testing.T) {
		tt := tab.Empty(t)
		if a, err := goes(tt, page.Destination{URL: "https://http-only.test/"}); err == nil || a.OverHTTP {
			t.Errorf("got %v, %v", a, err)
		}
	})
}

// A server that answers by https, and redirects to one that does not, is not tried by http.
func TestNotOverHTTPAfterHTTPS(t *testing.T) {
	long.Test(t)
	tt := tab.In(t, tab.Browser(t, "--ignore-certificate-errors"))
	a, err := goes(tt, page.Destination{URL: secureServer(t, http.RedirectHandler("https://http-only.test/", http.StatusFound)), OrHTTP: true})
	if failed, ok := errors.AsType[*page.LoadError](err); !ok || failed.Both || a.OverHTTP {
		t.Errorf("got %v, %v", a, err)
	}
}

// secureServer returns the address of a server with an untrusted certificate for another host.
func secureServer(t *testing.T, handler http.Handler) string {
	server := httptest.NewUnstartedServer(handler)
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // no logs of connections that browsers end because they do not trust the certificate
	server.StartTLS()
	t.Cleanup(server.Close)
	t.Cleanup(server.CloseClientConnections)
	return strings.Replace(server.URL, "127.0.0.1", "named.test", 1)
}
