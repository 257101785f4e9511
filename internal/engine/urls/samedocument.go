package urls

import (
	"net/url"
	"strings"

	"chela/internal/base/lazyregexp"
)

// SameDocument reports whether two addresses differ at most in their fragment.
func SameDocument(a, b string) bool { return withoutFragment(a) == withoutFragment(b) }

// withoutFragment returns an address as Chromium writes it, but without its fragment. The host is
// in lower case, the default port is left out, the path is at least a slash, and the query is ASCII.
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
	u.RawQuery = notInQueries().ReplaceAllStringFunc(u.RawQuery, url.PathEscape)
	return u.String()
}

// notInQueries finds the characters that Chromium escapes in a query.
var notInQueries = lazyregexp.New(`[^!#-&(-;=?-~]`)
