package page

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// A ref that is written as it was read is the same, and its numbers count from 1.
func FuzzRef(f *testing.F) {
	for _, text := range []string{"e12", "f2e5", "ax7", "@e12", "ref=e12", "12", "f0e1", "e+1", "e01", "fe1", "e9223372036854775808"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, ok := ParseRef(text)
		if !ok {
			return
		}
		if again, ok := ParseRef(r.String()); !ok || again != r || r.Number < 1 || r.Frame < 0 {
			t.Errorf("%q is %+v, and that %+v, %v", text, r, again, ok)
		}
	})
}

// What a pattern of a caller fits, the pattern that Chromium is given fits, too: otherwise
// Chromium would not stop the request.
func FuzzPattern(f *testing.F) {
	const url = "http://a.test/api/users.json?page=1"
	for _, pattern := range []string{"**/*.{css,json}?*", "/api/**", `**/users.json\?*`, "{a,b", `{\}`, "users.json?", "http://a.test/**/{a,{b}}*", "**\xff"} {
		f.Add(pattern, url)
	}
	f.Fuzz(func(t *testing.T, pattern, url string) {
		if len(pattern)*len(url) > 1<<16 || strings.Contains(pattern+url, "#") || !utf8.ValidString(url) {
			return
		}
		filter := addressFilterOf(pattern)
		if filter.fits(url) && !fitsWide(filter.wide, url) && !strings.Contains(pattern, "://") {
			t.Errorf("%q fits %q, and %q does not", pattern, url, filter.wide)
		}
		urlPattern(pattern)(url)
	})
}

// fitsWide reports whether a text fits a pattern of the Fetch domain: * is any text, ? one
// character, and a backslash takes the meaning from the character behind it.
func fitsWide(pattern, text string) bool {
	fits := make([]bool, len(text)+1) // the pattern so far fits these beginnings of text
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
