package snapshot

import (
	"strconv"
	"strings"

	"chela/internal/base/hidden"
	"chela/internal/wall/excerpt"
)

// clean removes the characters of a page's text that cannot be seen, and writes the ends of lines
// and tabs as spaces. So a model reads what a person sees. Characters of width zero, and characters
// that turn the direction of text, can hide instructions for a model from the user. The end of a
// line would begin a line of the snapshot that looks like one of chela's.
func clean(s string) string {
	if isPrintableASCII(s) {
		return s
	}
	return hidden.Shown(strings.Map(func(r rune) rune {
		switch r {
		case '\n', '\t', '\u2028', '\u2029':
			return ' '
		}
		return r
	}, s))
}

// searched returns a text in the form in which it is searched: in lower case, and without joiners,
// which few people type.
func searched(s string) string {
	if !isPrintableASCII(s) {
		s = hidden.Strip(s)
	}
	return strings.ToLower(s)
}

// restoreWhiteSpace replaces three noncharacters of a Walk by the newlines, tabs and blanks of
// preformatted text that they stand for. The page script writes noncharacters for two reasons. A
// newline and a tab separate the lines and fields of a Walk, and blanks at other places are joined
// to one. Unicode guarantees that these code points are not characters.
func restoreWhiteSpace(s string) string {
	if isPrintableASCII(s) || !strings.Contains(s, "\ufdd0") && !strings.Contains(s, "\ufdd1") && !strings.Contains(s, "\ufdd2") {
		return s
	}
	return whiteSpace.Replace(s)
}

var whiteSpace = strings.NewReplacer("\ufdd0", "\n", "\ufdd1", " ", "\ufdd2", "\t")

// isPrintableASCII reports whether s has only printable ASCII characters, as most texts do:
// these need no further work.
func isPrintableASCII(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] >= 0x7f {
			return false
		}
	}
	return true
}

// quote writes a string of the page between quotes, so that it cannot be taken for
// something that chela says.
func quote(s string) string { return `"` + escape(s) + `"` }

// escape makes s fit to stand between quotes. It breaks what looks like a ref in s, so that only
// refs written by chela read [ref=e1]. A page could otherwise show the text [ref=e5] beside other
// words, and make an agent click the element with that ref.
func escape(s string) string {
	if !strings.ContainsAny(s, "\"\\[\n\t") {
		return s
	}
	return escapes.Replace(s)
}

var escapes = strings.NewReplacer(`"`, `\"`, `\`, `\\`, "[ref=", brokenRef, "\n", `\n`, "\t", `\t`)

// WithoutRefs breaks what looks like a ref in a text that is not a snapshot, such as a message on the
// console.
func WithoutRefs(s string) string { return strings.ReplaceAll(s, "[ref=", brokenRef) }

// brokenRef replaces the beginning of a ref in a text of the page.
const brokenRef = `[ref\u003d`

// bare writes a text at the end of a line, without quotes if possible. It quotes a text that could
// be taken for something that chela says. Such a text begins like a line or a note, or has quotes
// or brackets.
func bare(s string) string {
	if strings.ContainsAny(s, "\"[]\\\n\t") || strings.HasPrefix(s, " ") || strings.HasPrefix(s, "- ") || strings.HasPrefix(s, "(") {
		return quote(s)
	}
	return s
}

// truncate cuts a text that has more UTF-16 units than the limit, and notes how many are missing.
// It never cuts within a character. It does not cut if the note would be as long as the missing
// text. The function bounded of the page script does the same.
func truncate(s string, limit int) string {
	kept, missing := excerpt.FirstUnits(s, limit)
	marker := "…(" + strconv.Itoa(missing) + " more characters)"
	if missing <= excerpt.Units(marker) {
		return s
	}
	return kept + marker
}
