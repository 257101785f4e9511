package sitedata

import "testing"

func TestDomainsOfCookies(t *testing.T) {
	for _, test := range []struct{ domain, address, want string }{
		{"example.com", "", ""},
		{".example.com", "https://a.example.com/", ""},
		{"localhost", "http://localhost:8080/", ""},
		{"intranet", "", ""},
		{"127.0.0.1", "http://127.0.0.1/", ""},
		{"[::1]", "http://[::1]:80/", ""},
		{"github.io", "", ""},
		{".github.io", "", "must not be github.io, which is a public suffix"},
		{"com", "", "must not be com, which is a public suffix"},
		{".co.uk", "https://a.co.uk/", "must not be co.uk, which is a public suffix"},
		{"other.test", "https://a.test/", "must be a.test, the host of the url, or a host above it"},
		{"test", "https://a.test/", ""},
		{"xn--bcher-kva.test", "https://bücher.test/100%", ""},
		{"b.a.test", "https://a.test/", "must be a.test, the host of the url, or a host above it"},
		{"xa.test", "https://a.test/", "must be a.test, the host of the url, or a host above it"},
		{"", "", "must be a host, such as example.com"},
		{".", "", "must be a host, such as example.com"},
		{"a b", "", "must be a host, such as example.com"},
		{"a.test/b", "", "must be a host, such as example.com"},
		{"a.test:80", "", "must be a host, such as example.com"},
		{"u@a.test", "", "must be a host, such as example.com"},
	} {
		err := Cookie{Domain: test.domain}.CheckDomain(test.address)
		if got := text(err); got != test.want {
			t.Errorf("%q for %q: got %q, want %q", test.domain, test.address, got, test.want)
		}
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
