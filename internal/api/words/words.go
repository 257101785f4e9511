// Package words composes the texts that people and models read of a result. A result is JSON; its
// text is made of parts, and many of these may have nothing to say.
package words

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"chela/internal/op"
	"chela/internal/wall/excerpt"
)

// MaxShown is how many characters of an address, a title or a name are answered. A page can make
// its address 2 million characters long, and each answer would contain it.
const MaxShown = 4096

// Shown returns a text of a page, cut to MaxShown characters, for an answer.
func Shown(text string) op.PageText { return op.PageText(excerpt.Of(text, MaxShown)) }

// Question says what a dialog of a page asks: its kind, its message, and what a prompt suggests.
func Question(kind, message, suggested string) string {
	text := fmt.Sprintf("%s %q", kind, message)
	if suggested != "" {
		text += fmt.Sprintf(" [%s]", suggested)
	}
	return text
}

// JSON returns a value as JSON that a person reads, with a line feed at its end. Characters such as <
// and & are not escaped: encoding/json would write them as \u003c, for JSON within HTML.
func JSON(v any, indent string) (string, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	err := enc.Encode(v)
	return b.String(), err
}

// Lines joins the lines that are not empty, so that a text can be composed of parts that
// may have nothing to say.
func Lines(all ...string) string {
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

// Prefixed returns s with a prefix in front, or "" if s is empty.
func Prefixed(prefix, s string) string {
	if s == "" {
		return ""
	}
	return prefix + s
}

// Or returns the text that s points to; if s is nil, it returns the second argument.
func Or(s *string, otherwise string) string {
	if s == nil {
		return otherwise
	}
	return *s
}

// If returns text if a condition holds, else "".
func If(holds bool, text string) string {
	if holds {
		return text
	}
	return ""
}
