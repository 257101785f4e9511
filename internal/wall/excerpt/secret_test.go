package excerpt

import (
	"strings"
	"testing"
	"unicode/utf8"

	"chela/internal/wall/secret"
)

// Wherever a text is cut, it has no part of a secret, and no more characters than the limit.
func TestNoCutDividesASecret(t *testing.T) {
	const value = "Zq7!kP2#vR9$wT4&xY1"
	secret.Know("excerpt/password", value)
	text := "One.\n\nIt is " + value + ".\n\n```\ncode and <b>" + value + "</b>\n```\nThe end."
	for name, cut := range map[string]func(string, int) (string, int){"First": First, "FirstUnits": FirstUnits, "Paragraphs": Paragraphs, "Markdown": Markdown, "HTML": HTML} {
		for limit := range len(text) {
			first, rest := cut(text, limit)
			if strings.Contains(first, value[:2]) || utf8.RuneCountInString(first) > limit || rest == 0 {
				t.Errorf("%s, %d characters: got %q and %d more", name, limit, first, rest)
			}
		}
	}
	for limit := 1; limit < len(text); limit++ {
		pieces := Pieces(text, limit)
		for _, piece := range pieces {
			if Units(piece) > limit {
				t.Errorf("Pieces, %d units: got %q", limit, piece)
			}
		}
		got, want := strings.ReplaceAll(strings.Join(pieces, ""), " ", ""), strings.ReplaceAll(secret.Mask(text), " ", "")
		if got != want {
			t.Errorf("Pieces, %d units: got %q, want %q", limit, got, want)
		}
	}
	if got, want := Of(text, 20), "One.\n\nIt is «secret:… (66 more characters)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
