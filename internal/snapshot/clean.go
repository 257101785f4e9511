package snapshot

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// clean removes what a reader cannot see but a model or a terminal would heed:
// control, bidirectional, zero-width, tag and private-use characters.
func clean(s string) string {
	if plain(s) {
		return s
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n', r == '\t', r == '\u2028', r == '\u2029':
			return ' '
		case invisible(r):
			return -1
		}
		return r
	}, s)
}

// preserved puts newlines, tabs and blanks in place of the noncharacters that
// stand for them in a Walk: those of preformatted text.
func preserved(s string) string {
	if plain(s) || !strings.Contains(s, "\ufdd0") && !strings.Contains(s, "\ufdd1") && !strings.Contains(s, "\ufdd2") {
		return s
	}
	return whiteSpace.Replace(s)
}

var whiteSpace = strings.NewReplacer("\ufdd0", "\n", "\ufdd1", " ", "\ufdd2", "\t")

func plain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] >= 0x7f {
			return false
		}
	}
	return true
}

func invisible(r rune) bool {
	for _, span := range [...]struct{ from, to rune }{
		{0, 0x1f}, {0x7f, 0x9f}, // control
		{0xad, 0xad}, {0x34f, 0x34f}, {0x115f, 0x1160}, {0x17b4, 0x17b5}, {0x180b, 0x180f}, {0x3164, 0x3164}, {0xffa0, 0xffa0}, // blank
		{0x61c, 0x61c}, {0x200b, 0x200f}, {0x202a, 0x202e}, {0x2060, 0x206f}, {0xfeff, 0xfeff}, {0xfff0, 0xfffb}, // direction and joining
		{0xe000, 0xf8ff}, {0xf0000, 0x10ffff}, // private use: icon fonts
		{0xfe00, 0xfe0f}, {0xe0000, 0xe0fff}, // variation selectors and tags
	} {
		if span.from <= r && r <= span.to {
			return true
		}
	}
	return false
}

// quote writes a string of the page between quotes.
func quote(s string) string { return `"` + escape(s) + `"` }

// escape makes s fit to stand between quotes. What looks like a ref inside is
// broken, so that only our own refs read [ref=e1].
func escape(s string) string {
	if !strings.ContainsAny(s, "\"\\[\n\t") {
		return s
	}
	return escapes.Replace(s)
}

var escapes = strings.NewReplacer(`"`, `\"`, `\`, `\\`, "[ref=", `[ref\u003d`, "\n", `\n`, "\t", `\t`)

// bare writes a text that ends its line: plainly, or quoted when it could be
// taken for something of ours.
func bare(s string) string {
	if strings.ContainsAny(s, "\"[]\\\n\t") || strings.HasPrefix(s, " ") || strings.HasPrefix(s, "- ") || strings.HasPrefix(s, "(") {
		return quote(s)
	}
	return s
}

// units counts the UTF-16 units of s, as JavaScript does.
func units(s string) int {
	n := 0
	for n < len(s) && s[n] < utf8.RuneSelf {
		n++
	}
	for _, r := range s[n:] {
		n++
		if r > 0xffff {
			n++
		}
	}
	return n
}

// bounded cuts s after most UTF-16 units and says how many are missing, unless
// that would take as long as what is missing. The page script has its like.
func bounded(s string, most int) string {
	if len(s) <= most {
		return s // no character has more units than bytes
	}
	kept, used := len(s), 0
	for i, r := range s {
		used++
		if r > 0xffff {
			used++
		}
		if used > most {
			kept = i
			break
		}
	}
	marker := "…(" + strconv.Itoa(units(s[kept:])) + " more characters)"
	if units(s[kept:]) <= units(marker) {
		return s
	}
	return s[:kept] + marker
}
