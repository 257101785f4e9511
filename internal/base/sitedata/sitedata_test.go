package sitedata

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/google/go-cmp/cmp"
)

// What Playwright has written stays as it is when it is read and written: no field is lost
// or gets another name.
func TestShapeIsPlaywrights(t *testing.T) {
	raw, err := os.ReadFile("../../../test/contract/testdata/playwright-state.json")
	if err != nil {
		t.Fatal(err)
	}
	var state State
	if err := json.Unmarshal(raw, &state); err != nil {
		t.Fatal(err)
	}
	written, err := json.Marshal(state)
	if err != nil {
		t.Fatal(err)
	}
	var want, got any
	json.Unmarshal(raw, &want)
	json.Unmarshal(written, &got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-Playwright +chela):\n%s", diff)
	}
	if none, _ := json.Marshal(Origin{Origin: "https://a.test"}); string(none) != `{"origin":"https://a.test","localStorage":null}` {
		t.Errorf("databases that were not saved: %s", none)
	}
}

func TestOriginOf(t *testing.T) {
	for address, want := range map[string]string{
		"https://A.test/x?y#z": "https://a.test", "http://a.test:80": "http://a.test", "https://a.test:80/": "https://a.test:80",
		"HTTP://a.test": "http://a.test", "http://[::1]:8080/": "http://[::1]:8080", "http://u:p@a.test/": "http://a.test",
		"https://a.test/100%": "https://a.test", "https://a.test/#50%": "https://a.test", "https://%6c.test/": "https://l.test",
		"https://bücher.test/": "https://xn--bcher-kva.test", "https://a.test./": "https://a.test.", `https:\\a.test\@b.test`: "https://a.test",
		"https:a.test": "https://a.test", "https://a.test:0443/": "https://a.test", " https://a.test/\n": "https://a.test", "http://127.1/": "http://127.0.0.1",
		"http://[::ffff:127.0.0.1]/": "http://[::ffff:7f00:1]", "http://[0:0::1]/": "http://[::1]", "https://a.test:x/": "", "https://a.test:65536/": "",
		"about:blank": "", "file:///x": "", "ws://a.test": "", "a.test": "", "http://": "", "": "", "http://a b/": "",
	} {
		if got := OriginOf(address); got != want {
			t.Errorf("%s: got %q, want %q", address, got, want)
		}
	}
}

func TestAt(t *testing.T) {
	for _, c := range []struct {
		address string
		secure  *bool
		given   Cookie
		want    Cookie
	}{
		{"http://a.test", nil, Cookie{}, Cookie{Domain: "a.test", Path: "/"}},
		{"https://A.test:8443/x/y.html?q", nil, Cookie{}, Cookie{Domain: "a.test", Path: "/x/", Secure: true}},
		{"https://a.test/x", new(false), Cookie{Domain: ".test", Path: "/p"}, Cookie{Domain: ".test", Path: "/p"}},
		{"https://Bücher.test/100%/x", nil, Cookie{}, Cookie{Domain: "xn--bcher-kva.test", Path: "/100%/", Secure: true}},
		{`https://a.test\x\y`, nil, Cookie{}, Cookie{Domain: "a.test", Path: "/x/", Secure: true}},
		{"http://[::1]/", new(true), Cookie{}, Cookie{Domain: "[::1]", Path: "/", Secure: true}},
	} {
		got := c.given
		if ok := got.At(c.address, c.secure); !ok || got != c.want {
			t.Errorf("%s: %v, %+v, want %+v", c.address, ok, got, c.want)
		}
	}
	for _, address := range []string{"about:blank", "data:,x", "a.test", "https://", "ftp://a.test"} {
		if (&Cookie{}).At(address, nil) {
			t.Errorf("%s has cookies", address)
		}
	}
}

func TestParam(t *testing.T) {
	for _, c := range []struct {
		name   string
		cookie Cookie
		want   network.CookieParam
	}{
		{"of one host", Cookie{Name: "a", Value: "1", Domain: "a.test", Path: "/p", Expires: -1, SameSite: "Lax"},
			network.CookieParam{Name: "a", Value: "1", URL: "http://a.test/", Path: "/p", SameSite: "Lax"}},
		{"of a domain", Cookie{Name: "a", Domain: ".a.test", Path: "/", Expires: 5, HTTPOnly: true},
			network.CookieParam{Name: "a", Domain: ".a.test", Path: "/", Expires: 5, HTTPOnly: true}},
		{"secure, partitioned", Cookie{Name: "a", Domain: "a.test", Path: "/", Secure: true, PartitionKey: "https://top.test"},
			network.CookieParam{Name: "a", URL: "https://a.test/", Path: "/", Secure: true, SourceScheme: network.CookieSourceSchemeSecure,
				PartitionKey: &network.CookiePartitionKey{TopLevelSite: "https://top.test", HasCrossSiteAncestor: true}}},
	} {
		if diff := cmp.Diff(&c.want, c.cookie.Param()); diff != "" {
			t.Errorf("%s: (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestCookieOf(t *testing.T) {
	got := CookieOf(&network.Cookie{
		Name: "a", Value: "1", Domain: "a.test", Path: "/", Expires: 5, Session: true, Secure: true,
		PartitionKey: &network.CookiePartitionKey{TopLevelSite: "https://a.test"},
	})
	want := Cookie{Name: "a", Value: "1", Domain: "a.test", Path: "/", Expires: -1, Secure: true, SameSite: "Lax", PartitionKey: "https://a.test", HasCrossSiteAncestor: new(false)}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
