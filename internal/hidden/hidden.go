// Package hidden lists the characters that a text can hold without its reader
// seeing them: a terminal would obey some of them, a model reads all of them.
package hidden

import (
	"sync"
	"unicode"
)

// Deceives reports whether a character does something else than look like
// itself: it controls a terminal, ends a line, turns the direction of what
// stands beside it, joins or separates it, or tags it. A text of several lines
// has newlines and tabs for what they are, so those do not count.
//
// What shows a text to people escapes or removes these. It leaves the others
// of [Unseen], which some scripts and emoji need to be drawn right.
func Deceives(r rune) bool {
	if r < 0x7f {
		return r < ' ' && r != '\n' && r != '\t'
	}
	return deceiving().has(r)
}

var deceiving = sync.OnceValue(func() *set {
	// Marks that enclose the digits behind them are format characters that are drawn.
	return newSet(unicode.Prepended_Concatenation_Mark, unicode.Cc, unicode.Zl, unicode.Zp, unicode.Cf, unassignedFormat, tags)
})

// Unseen reports whether a character deceives or shows nothing: blanks that are
// no spaces, variation selectors, and the private characters by which icon fonts
// name their pictures.
//
// A snapshot of a page leaves all of these out: two names that look alike are
// then equal, and a model reads what a person sees.
func Unseen(r rune) bool {
	return Deceives(r) || r >= 0x7f && undrawn().has(r)
}

var undrawn = sync.OnceValue(func() *set { return newSet(nil, blanks, variationSelectors, privateUse) })

var (
	// Format characters (Cf) to be: Unicode reserves them to be ignored.
	unassignedFormat = table(0x2065, 0x2065, 0xfff0, 0xfff8)

	// Tags, and the variation selectors among the characters reserved for them.
	// They write whole sentences that no font draws.
	tags = &unicode.RangeTable{R32: []unicode.Range32{{Lo: 0xe0000, Hi: 0xe0fff, Stride: 1}}}

	// The combining grapheme joiner, Hangul fillers, and vowels of Khmer and
	// separators of Mongolian that are never drawn.
	blanks = table(0x34f, 0x34f, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x180b, 0x180f, 0x3164, 0x3164, 0xffa0, 0xffa0)

	variationSelectors = table(0xfe00, 0xfe0f)

	privateUse = &unicode.RangeTable{
		R16: []unicode.Range16{{Lo: 0xe000, Hi: 0xf8ff, Stride: 1}},
		R32: []unicode.Range32{{Lo: 0xf0000, Hi: 0x10ffff, Stride: 1}},
	}
)

// table returns the table of the ranges from each first to the second of two bounds.
func table(bounds ...uint16) *unicode.RangeTable {
	t := &unicode.RangeTable{}
	for i := 0; i < len(bounds); i += 2 {
		t.R16 = append(t.R16, unicode.Range16{Lo: bounds[i], Hi: bounds[i+1], Stride: 1})
	}
	return t
}
