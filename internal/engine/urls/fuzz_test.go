package urls

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// An address that fits a caller's pattern also fits Filter.Wide, the pattern that Chromium gets.
// Otherwise Chromium would not pause the request.
func FuzzPattern(f *testing.F) {
	const url = "http://a.test/api/users.json?page=1"
	for _, pattern := range []string{"**/*.{css,json}?*", "/api/**", `**/users.json\?*`, "{a,b", `{\}`, "users.json?", "http://a.test/**/{a,{b}}*", "**\xff"} {
		f.Add(pattern, url)
	}
	f.Fuzz(func(t *testing.T, pattern, url string) {
		if len(pattern)*len(url) > 1<<16 || strings.Contains(pattern+url, "#") || !utf8.ValidString(url) {
			return
		}
		filter := FilterOf(pattern)
		if filter.Fits(url) && !fitsWide(filter.Wide, url) && !strings.Contains(pattern, "://") {
			t.Errorf("%q fits %q, and %q does not", pattern, url, filter.Wide)
		}
		Matcher(pattern)(url)
	})
}

// fitsWide reports whether a text fits a pattern of the Fetch domain. In it * is any text and ? one
// character. A backslash makes the character after it literal.
func fitsWide(pattern, text string) bool {
	fits := make([]bool, len(text)+1) // whether the pattern so far fits the first i bytes of text
	fits[0] = true
	for i := 0; i < len(pattern); i++ {
		next := make([]bool, len(text)+1)
		switch c := pattern[i]; {
		case c == '*':
			any := false
			for j := range fits {
				any = any || fits[j]
				next[j] = any
			}
		case c == '\\' && i+1 < len(pattern):
			i++
			fallthrough
		default:
			for j := range len(text) {
				next[j+1] = fits[j] && (text[j] == pattern[i] || pattern[i] == '?' && c == '?')
			}
		}
		fits = next
	}
	return fits[len(text)]
}
