// Package weburl parses URLs as browsers do. They accept many texts that package net/url refuses,
// and pages are full of them.
package weburl

import (
	"net/url"
	"strings"
)

// Resolve parses the address in a link or in a header. It may be relative to the parameter base.
// White space around it, and line breaks and tabs within it, do not count.
func Resolve(base *url.URL, address string) (*url.URL, error) {
	address = strings.TrimFunc(address, func(r rune) bool { return r <= ' ' })
	return base.Parse(Escape(strings.NewReplacer("\n", "", "\r", "", "\t", "").Replace(address)))
}

// Escape percent-encodes characters that a URL must not have, and replaces backslashes before the
// query by slashes.
func Escape(rawURL string) string {
	var b strings.Builder
	query := false
	for i := range len(rawURL) {
		c := rawURL[i]
		query = query || c == '?' || c == '#'
		switch {
		case c == '\\' && !query:
			b.WriteByte('/')
		case c == '%' && !isEscape(rawURL[i:]):
			b.WriteString("%25")
		case c <= ' ' || c == 0x7f || strings.IndexByte("\"<>`", c) >= 0:
			b.WriteString(url.PathEscape(string(c)))
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// isEscape reports whether a text begins with % and two hexadecimal digits.
func isEscape(s string) bool {
	return len(s) >= 3 && strings.Trim(s[1:3], "0123456789abcdefABCDEF") == ""
}
