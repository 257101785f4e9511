package op

import (
	"fmt"
	"strings"

	"chela/internal/base/spelling"
)

// DidYouMean returns a hint for a word that is not among words. The hint names the most similar
// word or, if none is similar, all words.
func DidYouMean(word string, words []string) string {
	if near := spelling.Nearest(word, words); len(near) > 0 {
		return fmt.Sprintf("did you mean %q?", near[0])
	}
	return "there are " + strings.Join(words, ", ")
}
