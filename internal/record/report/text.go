package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"chela/internal/base/hidden"
	"chela/internal/wall/excerpt"
)

// The limits of texts, in characters. Longer texts are cut, and marked as cut.
const (
	maxShort = 200  // names and codes
	maxTitle = 400  // titles of calls and names of elements
	maxLong  = 4000 // arguments, addresses, messages
)

// shown returns a text as the report shows it. Characters that are invisible, or that change the
// direction of the text beside them, are written as escapes such as \u202e. Without the escapes, a
// page could make a line of the report look like another text.
func shown(text string, limit int) string {
	text = excerpt.Of(strings.ToValidUTF8(text, "\ufffd"), limit)
	return hidden.Replace(text, hidden.Deceives, func(r rune) string { return fmt.Sprintf(`\u%04x`, r) })
}

// argsOf returns the arguments of a call, sorted by name. An argument that is a text is shown
// without its quotes.
func argsOf(args map[string]json.RawMessage) (list []arg) {
	for _, name := range slices.Sorted(maps.Keys(args)) {
		var text string
		if json.Unmarshal(args[name], &text) != nil {
			var compact bytes.Buffer
			if json.Compact(&compact, args[name]) != nil {
				continue // not JSON
			}
			text = compact.String()
		}
		list = append(list, arg{shown(name, maxShort), shown(text, maxLong)})
	}
	return list
}
