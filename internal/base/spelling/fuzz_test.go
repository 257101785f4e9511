package spelling

import (
	"slices"
	"strings"
	"testing"
)

// A proposal is one of the known words. If the word itself is known, it comes first.
func FuzzNearest(f *testing.F) {
	f.Add("clikc", "click doubleClick clock")
	f.Add("é", "e é")
	f.Fuzz(func(t *testing.T, word, list string) {
		if len(word)*len(list) > 1<<16 {
			return
		}
		words := strings.Fields(list)
		near := Nearest(word, words)
		if len(near) > maxNear {
			t.Errorf("%d are proposed", len(near))
		}
		for _, each := range near {
			if !slices.Contains(words, each) {
				t.Errorf("%q is none of %q", each, words)
			}
		}
		lower := strings.ToLower(word) // some words that EqualFold finds equal differ in lower case
		if slices.Contains(words, word) && !strings.EqualFold(near[0], word) && strings.ToLower(near[0]) != lower {
			t.Errorf("%q is in %q, and %q is proposed", word, words, near)
		}
		if there, back := distance(word, list), distance(list, word); there != back {
			t.Errorf("%q and %q: %d there, %d back", word, list, there, back)
		}
	})
}
