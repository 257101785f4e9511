// Package spelling finds the words that a misspelled word may have meant, for hints such as
// "did you mean". It compares with all words, so it is for lists of some hundred.
package spelling

import (
	"cmp"
	"slices"
	"strings"
)

// maxNear is how many words Nearest returns at most.
const maxNear = 3

// Nearest returns the words of a list that somebody may have meant by the given word: at most
// maxNear, the most similar first. These are the words that begin with the given one, if that has
// two bytes or more. They are also the words for which it may be a misspelling. A misspelling has
// at most one byte inserted, deleted or replaced, and one more for each six bytes of the intended
// word. Upper and lower case are the same. Equally similar words stay in the order of the list.
func Nearest(word string, words []string) []string {
	word = strings.ToLower(word)
	distances := map[string]int{}
	for _, w := range words {
		lower := strings.ToLower(w)
		d := distance(word, lower)
		if d <= 1+len(w)/6 || len(word) > 1 && strings.HasPrefix(lower, word) {
			distances[w] = d
		}
	}
	near := slices.DeleteFunc(slices.Clone(words), func(w string) bool { _, ok := distances[w]; return !ok })
	slices.SortStableFunc(near, func(a, b string) int { return cmp.Compare(distances[a], distances[b]) })
	near = slices.Compact(near)
	return near[:min(maxNear, len(near))]
}

// distance returns the Levenshtein distance in bytes: how many bytes must be inserted, deleted or
// replaced to turn a into b.
func distance(a, b string) int {
	row := make([]int, len(b)+1) // distances from the current prefix of a to each prefix of b
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
