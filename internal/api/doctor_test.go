package api

import (
	"strings"
	"testing"
)

func TestWithoutRef(t *testing.T) {
	const text = "- link \"one\" [ref=e1]\n- text: two\n- button \"three\" [ref=e2]\n- generic [ref=e3]: four"
	if got := strings.Join(withoutRef(text, []string{"one", "two", "three", "four", "five"}), " "); got != "two five" {
		t.Errorf("without a ref: %s", got)
	}
}
