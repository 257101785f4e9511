package op

import (
	"fmt"
	"strings"
)

// DidYouMean is a hint for a word that is not among those that there are: the
// one that is likely to be meant, or else all of them.
func DidYouMean(word string, words []string) string {
	for _, near := range words {
		if distance(strings.ToLower(word), strings.ToLower(near)) <= 1+len(near)/6 {
			return fmt.Sprintf("did you mean %q?", near)
		}
	}
	return "there are " + strings.Join(words, ", ")
}

// distance is the Levenshtein distance: how many characters have to be put in,
// taken out or changed to make b of a.
func distance(a, b string) int {
	row := make([]int, len(b)+1) // of the prefix of a so far, to each prefix of b
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
