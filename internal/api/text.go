package api

import (
	"strings"

	"chela/internal/base/excerpt"
	"chela/internal/op"
)

// maxShown is how many characters of an address, a title or a name are answered. A page
// can make its address 2 million characters long, which would be in each answer.
const maxShown = 4096

// shown is a text of a page that is to be short, as it is answered.
func shown(text string) op.Foreign { return op.Foreign(excerpt.Of(text, maxShown)) }

// lines joins the lines that are not empty, so that a text can be composed of parts that
// may have nothing to say.
func lines(all ...string) string {
	var b strings.Builder
	for _, line := range all {
		if line == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(line)
	}
	return b.String()
}

// prefixed returns s behind a prefix, "" if s is empty.
func prefixed(prefix, s string) string {
	if s == "" {
		return ""
	}
	return prefix + s
}

// or returns *s, and otherwise if there is none.
func or(s *string, otherwise string) string {
	if s == nil {
		return otherwise
	}
	return *s
}

// onlyIf is text if a condition holds.
func onlyIf(holds bool, text string) string {
	if holds {
		return text
	}
	return ""
}
