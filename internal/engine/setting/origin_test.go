package setting

import "testing"

func TestOrigin(t *testing.T) {
	for _, s := range []struct {
		origin  Origin
		pattern string
		address string
		covered bool
	}{
		{"http://a.test", "http://a.test/*", "http://A.test:80/path?q", true},
		{"http://a.test", "http://a.test/*", "https://a.test/", false},
		{"http://a.test:8080", "http://a.test:8080/*", "http://a.test:8080/", true},
		{"http://a.test:8080", "http://a.test:8080/*", "http://a.test/", false},
		{"http://[::1]", "http://[::1]/*", "http://[::1]:80/x", true},
		{AnyOrigin, "http*", "https://a.test", true},
		{AnyOrigin, "http*", "about:blank", false},
		{FirstOrigin(""), "", "https://first/", false},
		{FirstOrigin("https://a.test"), "", "https://a.test/", false},
	} {
		pattern := ""
		if p := s.origin.patterns(); len(p) > 0 {
			pattern = p[0].URLPattern
		}
		if got := s.origin.covers(s.address); got != s.covered || pattern != s.pattern {
			t.Errorf("%s and %s: got %v, %s", s.origin, s.address, got, pattern)
		}
	}
}
