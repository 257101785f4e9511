package page

import (
	"slices"
	"strings"
	"unicode"

	"chela/internal/reading/snapshot"
)

// Renamed returns what the element was when it was last read, and what it was when it was clicked. The
// result renamed says whether these are different names. The element is the same, and a toggle changes
// its name as well, so the click goes on. Only buttons, links and the like are known by their names.
func (e *Element) Renamed() (was, is snapshot.Ref, renamed bool) {
	was, known := e.page.known(e.given)
	if !known || e.says == nil {
		return was, is, false
	}
	return was, *e.says, isOtherName(was.Name, e.says.Name)
}

// isOtherName reports whether a name has become another one: at least half of the words of the shorter
// one are not in the other. Numbers change without that, such as a count. So does one of several
// words, such as "minutes" in the name of a link. A name that was cut counts up to its end.
func isOtherName(was, is string) bool {
	before, now := wordsOf(was), wordsOf(is)
	if len(before) > len(now) {
		before, now = now, before
	}
	isIn := func(word string) bool { return strings.Contains(strings.Join(now, " "), word) }
	lost := len(slices.DeleteFunc(slices.Clone(before), isIn))
	return lost > 0 && 2*lost >= len(before)
}

// wordsOf returns the words of a name, in lower case and without numbers and signs.
func wordsOf(name string) []string {
	name, _, _ = strings.Cut(name, "…")
	return strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) })
}
