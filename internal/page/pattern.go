package page

import (
	"regexp"
	"strings"
)

// urlPattern returns a function that reports whether an address fits a pattern. A
// pattern with a * is a glob for the whole address, in which * stands for any
// characters but a slash, and ** for any characters. Any other is a part of the address.
func urlPattern(pattern string) func(string) bool {
	if !strings.Contains(pattern, "*") {
		return func(url string) bool { return strings.Contains(url, pattern) }
	}
	var b strings.Builder
	for rest := pattern; rest != ""; {
		switch {
		case strings.HasPrefix(rest, "**"):
			b.WriteString(".*")
			rest = rest[2:]
		case rest[0] == '*':
			b.WriteString("[^/]*")
			rest = rest[1:]
		default:
			next := strings.IndexByte(rest, '*')
			if next < 0 {
				next = len(rest)
			}
			b.WriteString(regexp.QuoteMeta(rest[:next]))
			rest = rest[next:]
		}
	}
	return regexp.MustCompile("^" + b.String() + "$").MatchString
}
