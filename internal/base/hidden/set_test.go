package hidden

import (
	"testing"
	"unicode"
)

// A set has the characters of its tables, except those of the first table.
func TestSet(t *testing.T) {
	s := newSet(unicode.Prepended_Concatenation_Mark, unicode.Cf, tags, unicode.Co)
	for r := rune(0); r <= unicode.MaxRune; r++ {
		want := unicode.In(r, unicode.Cf, tags, unicode.Co) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r)
		if s.has(r) != want {
			t.Fatalf("%U: got %v", r, !want)
		}
	}
}
