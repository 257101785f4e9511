package urls

import (
	"net/url"
	"strings"
)

// SameDocument reports whether two addresses differ at most in their fragment.
func SameDocument(a, b string) bool { return withoutFragment(a) == withoutFragment(b) }

// withoutFragment returns an address as Chromium writes it, but without its fragment. The host is
// in lower case, the default port is left out, and the path is at least a slash.
func withoutFragment(address string) string {
	address, _, _ = strings.Cut(address, "#")
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return address
	}
	if u.Host = strings.ToLower(u.Host); u.Port() == map[string]string{"http": "80", "https": "443"}[u.Scheme] {
		u.Host = strings.TrimSuffix(u.Host, ":"+u.Port())
	}
	if u.Path == "" {
		u.Path = "/"
	}
	return u.String()
}
