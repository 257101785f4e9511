// Package hidden lists the characters that a text can hold without its reader seeing them. A
// terminal would obey some of them, and a model reads all of them.
package hidden

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Deceives reports whether a character has an effect that its reader does not see. Such a character
// controls a terminal, ends a line, changes the direction of the text beside it, or is invisible.
// With characters that show nothing, such as the 256 variation selectors, a page can write any
// bytes, and a model reads them. Newlines and tabs do not count, because a text of several lines
// needs them.
//
// Code that shows a text to people or models escapes or removes these, except those for which
// [Joins] is true.
func Deceives(r rune) bool {
	if r < 0x7f {
		return r < ' ' && r != '\n' && r != '\t'
	}
	return deceiving().has(r)
}

// deceiving has the characters of Unicode's property Default_Ignorable_Code_Point: the format
// characters, the variation selectors and Other_Default_Ignorable_Code_Point. The last are fillers,
// joiners and reserved code points. Control characters, separators of lines and blanks are added. Marks
// that enclose the digits after them are left out: they are format characters, but are drawn.
var deceiving = sync.OnceValue(func() *set {
	return newSet(unicode.Prepended_Concatenation_Mark, unicode.Cc, unicode.Zl, unicode.Zp, unicode.Cf,
		unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point, tags, blanks)
})

// Unseen reports whether a character deceives, or is one of the private characters that icon fonts
// use for their pictures.
func Unseen(r rune) bool {
	return Deceives(r) || r >= 0x7f && private().has(r)
}

var private = sync.OnceValue(func() *set { return newSet(nil, unicode.Co) })

// Shown returns what a text shows: it has no characters that are [Unseen], except those for which
// [Joins] is true. A model then reads what a person sees.
func Shown(text string) string {
	return Replace(text, Unseen, func(rune) string { return "" })
}

// Replace returns a text in which other words stand for some characters: those for which bad is true
// and [Joins] is not.
func Replace(text string, bad func(rune) bool, words func(rune) string) string {
	first := strings.IndexFunc(text, bad)
	if first < 0 {
		return text
	}
	var b strings.Builder
	b.WriteString(text[:first])
	before, _ := utf8.DecodeLastRuneInString(text[:first])
	for i, r := range text[first:] {
		isBad := bad(r)
		if isBad {
			after, _ := utf8.DecodeRuneInString(text[first+i+utf8.RuneLen(r):])
			isBad = !Joins(before, r, after)
		}
		if isBad {
			b.WriteString(words(r))
		} else {
			b.WriteRune(r)
		}
		before = r
	}
	return b.String()
}

// Strip returns a text without all characters that are [Unseen], for comparing it with another one.
func Strip(text string) string {
	return strings.Map(func(r rune) rune {
		if Unseen(r) {
			return -1
		}
		return r
	}, text)
}

// Joins reports whether an invisible character belongs to the emoji or the letters around it, or to
// braille. In an emoji it is the variation selector that makes a sign a picture, or the joiner between
// two pictures. Between Arabic letters, which may have vowel signs, and beside a virama, a joiner or
// non-joiner changes the forms of the letters. In braille it is the space, beside a pattern with dots.
// Each is accepted only beside a visible character, so a page cannot hide a text in them.
func Joins(before, r, after rune) bool {
	switch r {
	case emojiSelector:
		return unicode.Is(pictures, before) || after == keycap && unicode.Is(keys, before)
	case joiner:
		return unicode.Is(pictures, after) && (before == emojiSelector || unicode.Is(pictures, before)) || formsLetters(before, after)
	case nonJoiner:
		return formsLetters(before, after)
	case brailleSpace:
		return unicode.Is(braille, before) || unicode.Is(braille, after)
	}
	return false
}

// formsLetters reports whether a joiner or non-joiner between two characters changes how they look.
// For both rules see RFC 5892, appendix A.
func formsLetters(before, after rune) bool {
	if unicode.In(before, unicode.Arabic, unicode.Syriac, vowelSigns) {
		return (unicode.IsLetter(before) || unicode.IsMark(before)) && unicode.IsLetter(after) && unicode.In(after, unicode.Arabic, unicode.Syriac)
	}
	return unicode.Is(viramas, before) || unicode.Is(viramas, after) && unicode.IsLetter(before)
}

const (
	nonJoiner     = '\u200c'
	joiner        = '\u200d'
	emojiSelector = '\ufe0f'
	keycap        = '\u20e3'
	brailleSpace  = '\u2800'
)

var (
	// The tag characters, with which one can write sentences that no font draws, and other
	// characters of their block.
	tags = &unicode.RangeTable{R32: []unicode.Range32{{Lo: 0xe0000, Hi: 0xe0fff, Stride: 1}}}

	// Symbols that are drawn as nothing: the braille pattern without dots, the stand-in for an
	// object, and the empty head of a note.
	blanks = &unicode.RangeTable{
		R16: []unicode.Range16{{Lo: 0x2800, Hi: 0x2800, Stride: 1}, {Lo: 0xfffc, Hi: 0xfffc, Stride: 1}},
		R32: []unicode.Range32{{Lo: 0x1d159, Hi: 0x1d159, Stride: 1}},
	}

	// The braille patterns with dots.
	braille = &unicode.RangeTable{R16: []unicode.Range16{{Lo: brailleSpace + 1, Hi: 0x28ff, Stride: 1}}}

	// The vowel signs on Arabic letters that Unicode does not count to the Arabic script.
	vowelSigns = &unicode.RangeTable{R16: []unicode.Range16{{Lo: 0x64b, Hi: 0x655, Stride: 1}, {Lo: 0x670, Hi: 0x670, Stride: 1}}}

	// The signs that join the consonants of Devanagari, Bengali, Gurmukhi, Gujarati, Oriya, Tamil, Telugu, Kannada,
	// Malayalam, Sinhala, Myanmar and Khmer.
	viramas = &unicode.RangeTable{R16: []unicode.Range16{
		{Lo: 0x94d, Hi: 0xd4d, Stride: 0x80}, {Lo: 0xdca, Hi: 0xdca, Stride: 1}, {Lo: 0x1039, Hi: 0x1039, Stride: 1}, {Lo: 0x17d2, Hi: 0x17d2, Stride: 1},
	}}

	// The blocks that contain all emoji except keycaps, such as a digit in a box.
	pictures = &unicode.RangeTable{
		R16: []unicode.Range16{
			{Lo: 0xa9, Hi: 0xae, Stride: 5}, {Lo: 0x203c, Hi: 0x2049, Stride: 13}, {Lo: 0x2122, Hi: 0x2139, Stride: 23},
			{Lo: 0x2190, Hi: 0x21ff, Stride: 1}, {Lo: 0x2300, Hi: 0x23ff, Stride: 1}, {Lo: 0x24c2, Hi: 0x24c2, Stride: 1},
			{Lo: 0x25a0, Hi: 0x27bf, Stride: 1}, {Lo: 0x2900, Hi: 0x297f, Stride: 1}, {Lo: 0x2b00, Hi: 0x2bff, Stride: 1},
			{Lo: 0x3030, Hi: 0x303d, Stride: 13}, {Lo: 0x3297, Hi: 0x3299, Stride: 2},
		},
		R32:         []unicode.Range32{{Lo: 0x1f000, Hi: 0x1faff, Stride: 1}},
		LatinOffset: 1,
	}
	keys = &unicode.RangeTable{R16: []unicode.Range16{{Lo: '#', Hi: '*', Stride: '*' - '#'}, {Lo: '0', Hi: '9', Stride: 1}}, LatinOffset: 2}
)
