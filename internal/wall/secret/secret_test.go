package secret_test

import (
	"testing"

	"chela/internal/wall/secret"
)

func TestNames(t *testing.T) {
	for text, want := range map[string]string{
		"secret:github/password": "github/password", "secret:a": "a", "secret:a-b/c/d9": "a-b/c/d9",
		"secret:": "", "secret:A": "", "secret:a/": "", "secret:/a": "", "secret:a b": "", "secret:a\n": "",
		" secret:a": "", "Secret:a": "", `\secret:a`: "", "x": "",
	} {
		if name, ok := secret.NameIn(text); ok != (want != "") || ok && name != want {
			t.Errorf("%q: got %q, %t", text, name, ok)
		}
	}
	for text, want := range map[string]string{`\secret:a`: "secret:a", `\secret:A`: `\secret:A`, `\\secret:a`: `\\secret:a`, "x": "x"} {
		if got := secret.Literal(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestPlaces(t *testing.T) {
	for text, want := range map[string]secret.Place{
		"https://github.com": "https://github.com", "github.com": "https://github.com", "https://GitHub.com:443/login?a": "https://github.com",
		"https://a.b:8443": "https://a.b:8443", "https://*.example.com": "https://*.example.com", "http://localhost:3000": "http://localhost:3000",
		"http://127.0.0.1:80": "http://127.0.0.1", "http://[::1]:8080/x": "http://[::1]:8080", "http://app.localhost": "http://app.localhost",
		"https://bücher.test/x": "https://xn--bcher-kva.test", "*.Bücher.test": "https://*.xn--bcher-kva.test", "https://[0:0::1]:44": "https://[::1]:44",
		"http://github.com": "", "http://10.0.0.1": "", "*": "", "https://*": "", "https://*.com": "", "https://a.*.com": "", "ftp://a.b": "", "https://u:p@a.b": "", "": "", "data:x": "", "https://github.com/100%": "https://github.com", "https://a.test.": "https://a.test.",
		"github.com,gist.github.com": "", "https://a b.test": "", "https://a$.test": "", "https://*.127.0.0.1": "", "https://u@a.b": "", "https://@a.b": "https://a.b", "http://localhost.evil.com": "",
	} {
		got, err := secret.ParsePlace(text)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q: got %q, %v", text, got, err)
		}
	}
	for _, s := range []struct {
		place  secret.Place
		origin string
		want   bool
	}{
		{"https://github.com", "https://github.com", true}, {"https://github.com", "http://github.com", false},
		{"https://github.com", "https://github.com:8443", false}, {"https://github.com", "https://a.github.com", false},
		{"https://*.example.com", "https://a.example.com", true}, {"https://*.example.com", "https://a.b.example.com", true},
		{"https://*.example.com", "https://example.com", false}, {"https://*.example.com", "https://evilexample.com", false},
		{"https://*.example.com", "https://a.example.com:8443", false}, {"https://*.example.com:8443", "https://a.example.com:8443", true},
		{"https://*.example.com", "http://a.example.com", false}, {"https://*.example.com", "https://a.example.com.evil.com", false},
		{"https://*.example.com", "null", false}, {"", "", false},
	} {
		if got := s.place.Covers(s.origin); got != s.want {
			t.Errorf("%s covers %s: got %t", s.place, s.origin, got)
		}
	}
}

func TestHostOfPlace(t *testing.T) {
	for place, want := range map[secret.Place]string{"https://a.test": "a.test", "https://*.a.test:8443": "a.test", "http://[::1]:80": "::1", "": ""} {
		if got := place.Host(); got != want {
			t.Errorf("%s: got %s", place, got)
		}
	}
}
