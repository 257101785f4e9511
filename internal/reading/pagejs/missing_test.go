package pagejs

import (
	"regexp"
	"slices"
	"testing"
)

// The script has each word as a literal in the value of a property "missing". The walk has a
// property of that name that is true or false, without literals.
func TestMissingListsWhatTheScriptAnswers(t *testing.T) {
	value := regexp.MustCompile(`\bmissing: [^,}\n]*`)
	literal := regexp.MustCompile(`'([^']*)'`)
	inScript := map[Missing]bool{}
	for _, property := range value.FindAllString(Source(), -1) {
		for _, word := range literal.FindAllStringSubmatch(property, -1) {
			inScript[Missing(word[1])] = true
		}
	}
	for word := range inScript {
		if !slices.Contains(AllMissing, word) {
			t.Errorf("the script answers %q, which AllMissing does not list", word)
		}
	}
	for _, word := range AllMissing {
		if !inScript[word] {
			t.Errorf("AllMissing lists %q, which the script never answers", word)
		}
	}
}
