package browser

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/storage"

	"chela/internal/engine/cdp"
)

func TestRestored(t *testing.T) {
	insecure, secure := network.CookieSourceSchemeNonSecure, network.CookieSourceSchemeSecure
	session := func(domain string, source network.CookieSourceScheme, secure bool) network.Cookie {
		return network.Cookie{Domain: domain, Path: "/", Session: true, Secure: secure, SourceScheme: source}
	}
	partition := &network.CookiePartitionKey{TopLevelSite: "https://top.test", HasCrossSiteAncestor: true}
	for _, s := range []struct {
		name      string
		cookie    network.Cookie
		url       string
		domain    string
		source    network.CookieSourceScheme
		ofSession bool
	}{
		{"of one host", session("one.test", insecure, false), "http://one.test/", "", insecure, true},
		{"of a domain", network.Cookie{Domain: ".one.test", Path: "/", Expires: 4e9, SourceScheme: insecure}, "", ".one.test", insecure, false},
		{"secure", session("one.test", secure, true), "https://one.test/", "", secure, true},
		{"secure, set by a script on localhost", session("localhost", insecure, true), "https://localhost/", "", secure, true},
		{"secure, of a domain", session(".localhost", insecure, true), "", ".localhost", secure, true},
		{"of an address", session("[::1]", insecure, false), "http://[::1]/", "", insecure, true},
		{"of a path", network.Cookie{Domain: "one.test", Path: "/a", Session: true}, "http://one.test/", "", "", true},
	} {
		s.cookie.PartitionKey = partition
		s.cookie.Name, s.cookie.Value, s.cookie.SourcePort, s.cookie.HTTPOnly = "name", "value", 8080, true
		s.cookie.SameSite, s.cookie.Priority = network.CookieSameSiteNone, network.CookiePriorityMedium
		got := restoringParam(&s.cookie)
		if got.URL != s.url || got.Domain != s.domain || got.SourceScheme != s.source || (got.Expires == 0) != s.ofSession {
			t.Errorf("%s: %+v", s.name, got)
		}
		if got.Name != "name" || got.Value != "value" || got.Path != s.cookie.Path || got.Secure != s.cookie.Secure || !got.HTTPOnly ||
			got.SourcePort != 8080 || got.SameSite != network.CookieSameSiteNone || got.Priority != network.CookiePriorityMedium ||
			got.PartitionKey != partition {
			t.Errorf("%s: not as it was: %+v", s.name, got)
		}
	}
}

// Expired cookies are not given to the next browser, and session cookies never expire.
func TestExpired(t *testing.T) {
	now := time.Unix(1000, 0)
	for _, s := range []struct {
		name   string
		cookie network.Cookie
		want   bool
	}{
		{"later", network.Cookie{Expires: 1001}, false},
		{"before", network.Cookie{Expires: 999}, true},
		{"of a session", network.Cookie{Expires: -1, Session: true}, false},
		{"of a session, with a time", network.Cookie{Expires: 999, Session: true}, false},
		{"never", network.Cookie{Expires: -1}, false},
	} {
		if got := expired(&s.cookie, now); got != s.want {
			t.Errorf("%s: %v", s.name, got)
		}
	}
}

// A cookie that Chromium refuses does not keep the browser from starting, nor other cookies from
// coming back. Each tab says that the cookie is lost.
func TestRefusedCookies(t *testing.T) {
	cookie := func(name, domain string, c network.Cookie) *network.Cookie {
		c.Name, c.Domain, c.Value, c.Path, c.Session = name, domain, "1", "/", c.Expires == 0
		c.Priority, c.SourcePort = network.CookiePriorityMedium, 443
		return &c
	}
	tab4 := SavedTab{ID: "t4", TargetID: "GONE", URL: "about:blank", Lost: []string{"armed upload"}}
	memory := Memory{LastTab: 4, Tabs: []SavedTab{tab4}, Cookies: []*network.Cookie{
		cookie("good", "one.test", network.Cookie{}),
		cookie("__Host-of-a-domain", ".one.test", network.Cookie{Secure: true}),
		cookie("opaque", "two.test", network.Cookie{Secure: true, PartitionKeyOpaque: true}),
		cookie("past", "one.test", network.Cookie{Expires: 1}),
		cookie("script", "localhost", network.Cookie{Secure: true, SourceScheme: network.CookieSourceSchemeNonSecure}),
		cookie("later", "one.test", network.Cookie{Expires: 4e9}),
	}}
	ctx, b := startWith(t, Options{Memory: memory})
	res, err := cdp.Call(ctx, b.conn.Root(), storage.GetCookies, storage.GetCookiesParams{})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range res.Cookies {
		names = append(names, c.Name)
	}
	slices.Sort(names)
	if got := strings.Join(names, " "); got != "good later script" {
		t.Errorf("the cookies are %s", got)
	}
	tab, err := b.Session("").Tab(ctx, "t4")
	if err != nil {
		t.Fatal(err)
	}
	if revived, err := tab.Revive(ctx); !revived || err != nil {
		t.Fatalf("revived %v, %v", revived, err)
	}
	lost, _ := tab.TakeRecovery()
	if want := []string{"armed upload", "cookie opaque of two.test", "cookie __Host-of-a-domain of .one.test"}; !slices.Equal(lost, want) {
		t.Errorf("lost %q, want %q", lost, want)
	}
	if lost, again := tab.TakeRecovery(); again || lost != nil {
		t.Errorf("lost again: %q", lost)
	}
}
