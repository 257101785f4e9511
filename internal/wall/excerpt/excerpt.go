// Package excerpt cuts long texts, and returns how much was cut. Pages can make texts of any
// length.
//
// A text may have the value of a secret in it, and callers may choose where it is cut. A part of a
// value can be read, since the masker of package secret looks for whole ones. So every function
// here replaces the values before it cuts ([secret.Beginning]). Callers count what is missing in
// the text as it was.
package excerpt

import (
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"chela/internal/wall/secret"
)

// Of returns a text that has no more characters than the limit. A longer text is cut at the limit,
// and the number of missing characters is appended. Characters are Unicode code points, so that
// none is cut in two.
func Of(text string, limit int) string {
	if len(text) <= limit || utf8.RuneCountInString(text) <= limit {
		return text
	}
	return Beginning(text, limit, 0)
}

// Beginning cuts a text at the limit and appends the number of missing characters. The text may
// itself be only the start of a longer one: the parameter missing is how many characters follow it
// there.
func Beginning(text string, limit, missing int) string {
	first, rest := First(text, limit)
	return fmt.Sprintf("%s… (%d more characters)", first, rest+missing)
}

// Units counts the UTF-16 code units of a text, the unit in which callers give limits, because
// JavaScript counts so. An ASCII text has one for each byte, so most texts need no decoding.
func Units(text string) int {
	n := 0
	for n < len(text) && text[n] < utf8.RuneSelf {
		n++
	}
	for _, r := range text[n:] {
		n += utf16.RuneLen(r)
	}
	return n
}

// FirstUnits returns the beginning of a text, and how many UTF-16 units follow. The beginning has at
// most limit units, and no half of a character.
func FirstUnits(text string, limit int) (first string, rest int) {
	end := endOfUnits(text, limit)
	if end == len(text) {
		return text, 0
	}
	shown := secret.Beginning(text, end)
	return shown[:endOfUnits(shown, limit)], Units(text[end:])
}

// endOfUnits returns where the first UTF-16 units of a text end, in bytes.
func endOfUnits(text string, limit int) int {
	if len(text) <= limit {
		return len(text) // no character has more units than bytes
	}
	for i, r := range text {
		if limit -= utf16.RuneLen(r); limit < 0 {
			return i
		}
	}
	return len(text)
}

// Pieces splits a text into pieces of at most limit UTF-16 units, at spaces where there are some.
// Only the spaces between two pieces are lost.
func Pieces(text string, limit int) (pieces []string) {
	if endOfUnits(text, limit) == len(text) {
		return []string{text}
	}
	text = secret.Mask(text)
	for {
		end := endOfUnits(text, limit)
		if end == len(text) {
			return append(pieces, text)
		}
		if space := strings.LastIndexByte(text[:end+1], ' '); space > 0 {
			end = space
		}
		pieces = append(pieces, text[:end])
		text = strings.TrimLeft(text[end:], " ")
	}
}

// First cuts a text at the limit, in characters. It returns the first part, and how many characters
// follow.
func First(text string, limit int) (first string, rest int) {
	return upTo(text, endOf(text, limit), limit)
}

// Shorten cuts a text at the limit, in characters, and appends an ellipsis. A text that is not longer
// stays as it is.
func Shorten(text string, limit int) string {
	first, rest := First(text, limit)
	if rest == 0 {
		return text
	}
	return first + "…"
}

// upTo returns the first bytes of a text (end), and how many characters of the text follow. Marks in
// the place of secrets may be longer than these, so the first part is cut once more at the limit.
func upTo(text string, end, limit int) (first string, rest int) {
	if end == len(text) {
		return text, 0
	}
	shown := secret.Beginning(text, end)
	return shown[:endOf(shown, limit)], utf8.RuneCountInString(text[end:])
}

// endOf returns where the first characters of a text end, in bytes.
func endOf(text string, limit int) (end int) {
	if len(text) <= limit {
		return len(text) // no character has less than one byte
	}
	for n := 0; n < limit && end < len(text); n++ {
		_, width := utf8.DecodeRuneInString(text[end:])
		end += width
	}
	return end
}
