package urls

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// Matcher returns a function that reports whether an address fits a pattern. A pattern with a * or
// a { is a glob for the whole address, see globOf. Any other pattern fits every address that
// contains it.
func Matcher(pattern string) func(string) bool {
	if !isGlob(pattern) {
		return func(url string) bool { return strings.Contains(url, pattern) }
	}
	return globOf(pattern).Fits
}

func isGlob(pattern string) bool { return strings.ContainsAny(pattern, "*{") }

// HasSingleStar reports whether a pattern has a * that stands for no slash. Callers who expect it to
// stand for any characters wonder why the pattern fits nothing.
func HasSingleStar(pattern string) bool {
	return pattern != "*" && strings.Contains(strings.ReplaceAll(pattern, "**", ""), "*")
}

// A Filter says which addresses of requests match a caller's pattern.
type Filter struct {
	Fits func(url string) bool
	Wide string // a pattern of the Fetch domain that matches at least all addresses of the filter
}

// FilterOf returns the filter for the pattern of a route. The pattern is read as in Matcher, with
// these differences. A pattern with a scheme (://) is a whole address, and one that begins with a
// slash is a path, on any host. An empty pattern matches all addresses.
func FilterOf(pattern string) Filter {
	switch {
	case pattern == "":
		return Filter{func(string) bool { return true }, "*"}
	case strings.HasPrefix(pattern, "/"):
		return globOf("http*://*" + pattern)
	case isGlob(pattern):
		return globOf(pattern)
	case strings.Contains(pattern, "://"):
		return Filter{func(url string) bool { return SameDocument(url, pattern) }, Escape(withoutFragment(pattern))}
	}
	return Filter{func(url string) bool { return strings.Contains(url, pattern) }, "*" + Escape(pattern) + "*"}
}

// Escape returns a pattern of the Fetch domain that matches exactly this text.
var Escape = strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`).Replace

// globOf reads a glob as Playwright does. A * stands for any characters but a slash, and ** for any
// characters. A glob that is only a * fits every address. A group /**/ also stands for a single slash, and {a,b} for a or b. A backslash makes
// the character after it literal. Braces that are not closed are literal as well.
func globOf(glob string) Filter {
	if glob == "*" {
		glob = "**"
	}
	g := globReader{rest: strings.ToValidUTF8(glob, "\ufffd")} // package regexp needs valid UTF-8
	for g.rest != "" {
		g.read()
	}
	if g.inBraces { // all braces that could close the group were escaped
		g.exact.WriteString(")")
	}
	return Filter{regexp.MustCompile("^(?s:" + g.exact.String() + ")$").MatchString, g.wide.String()}
}

// A globReader converts a glob into a regular expression and a pattern of the Fetch domain, part by
// part. In the pattern, a choice in braces becomes *, which matches any text.
type globReader struct {
	rest        string // the part of the glob that is not read yet
	exact, wide strings.Builder
	inBraces    bool // a { was read, and its } was not
	afterSlash  bool // the part that was read last ends with a slash
}

func (g *globReader) read() {
	afterSlash := g.afterSlash
	g.afterSlash = g.rest[0] == '/'
	switch {
	case afterSlash && strings.HasPrefix(g.rest, "**/"):
		g.add(3, `(?:.+/)?`, "*")
		g.afterSlash = true
	case strings.HasPrefix(g.rest, "**"):
		g.add(2, `.*`, "*")
	case g.rest[0] == '*':
		g.add(1, `[^/]*`, "*")
	case g.rest[0] == '{' && !g.inBraces && strings.Contains(g.rest, "}"):
		g.add(1, `(?:`, "*")
		g.inBraces = true
	case g.rest[0] == ',' && g.inBraces:
		g.add(1, `|`, "")
	case g.rest[0] == '}' && g.inBraces:
		g.inBraces = false
		g.add(1, `)`, "")
	default:
		g.readCharacter()
	}
}

// readCharacter reads a character without a special meaning.
func (g *globReader) readCharacter() {
	if g.rest[0] == '\\' && len(g.rest) > 1 {
		g.rest = g.rest[1:]
	}
	_, size := utf8.DecodeRuneInString(g.rest)
	c := g.rest[:size]
	g.add(size, regexp.QuoteMeta(c), Escape(c))
}

func (g *globReader) add(length int, exact, wide string) {
	g.rest = g.rest[length:]
	g.exact.WriteString(exact)
	if !g.inBraces {
		g.wide.WriteString(wide)
	}
}
