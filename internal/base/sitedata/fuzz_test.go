package sitedata

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"chela/internal/base/weburl"
)

// A saved state that can be read is written as it was read.
func FuzzState(f *testing.F) {
	f.Add([]byte(`{"cookies":[{"name":"a","value":"b","domain":".a.test","path":"/","expires":-1,"sameSite":"Lax"}],
		"origins":[{"origin":"http://a","localStorage":[{"name":"x","value":"y"}],"indexedDB":[{"name":"d","version":1,"stores":[{"name":"s","keyPath":"","records":[{"key":1}]}]}]}]}`))
	f.Add([]byte(`{"cookies":[{"expires":1e300}],"origins":[null]}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		var s, again State
		if json.Unmarshal(raw, &s) != nil {
			return
		}
		written, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(written, &again); err != nil {
			t.Fatalf("%s: %v", written, err)
		}
		if twice, err := json.Marshal(again); err != nil || string(twice) != string(written) {
			t.Errorf("%s became %s, then %s", raw, written, twice)
		}
		for _, c := range s.Cookies {
			if p := c.Param(); p.Name != c.Name || p.Value != c.Value || (p.Domain == "") == (p.URL == "") {
				t.Errorf("%+v is set as %+v", c, p)
			}
		}
	})
}

// A cookie that takes its domain from an address belongs to the host of that address.
func FuzzCookieAt(f *testing.F) {
	f.Add("https://a.test/b/c?d", "", "")
	f.Add("http://[::1]:80", ".b.test", "/x")
	f.Fuzz(func(t *testing.T, address, domain, path string) {
		c := Cookie{Domain: domain, Path: path}
		if !c.At(address, nil) {
			if diff := cmp.Diff(Cookie{Domain: domain, Path: path}, c); diff != "" {
				t.Errorf("%q is refused, and has changed it: %s", address, diff)
			}
			return
		}
		s, ok := weburl.ServerOf(address)
		if !ok || domain == "" && c.Domain != s.Hostname || domain != "" && c.Domain != domain || c.Path == "" || c.Secure != (s.Scheme == "https") {
			t.Errorf("%q makes %+v", address, c)
		}
	})
}

// An origin is its own origin.
func FuzzOriginOf(f *testing.F) {
	for _, address := range []string{"https://a.test./100%", "http://[::ffff:127.0.0.1]:080", "HTTPS:\\\\bücher.test\\", "http://%6c:443", "http://127.1"} {
		f.Add(address)
	}
	f.Fuzz(func(t *testing.T, address string) {
		origin := OriginOf(address)
		if again := OriginOf(origin); again != origin {
			t.Errorf("%q has the origin %q, and that has %q", address, origin, again)
		}
	})
}
