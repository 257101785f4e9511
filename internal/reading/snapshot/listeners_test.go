package snapshot

import (
	"fmt"
	"strings"
	"testing"
)

// Scripts often begin to listen after the page was first read. The delta does not list these
// elements: it has their number, and what has really changed.
func TestCompareWithNewListeners(t *testing.T) {
	page := func(n int, line, status string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintln(&b, strings.ReplaceAll(line, "%d", fmt.Sprint(i)))
		}
		return b.String() + "- status: " + status
	}
	const (
		text  = "- text: Label %d value %d"
		heard = "- generic [ref=e1%d] [clickable]:\n  - generic [ref=e2%d] [clickable]: Label %d\n  - text: value %d"
		item  = "- listitem: Item %d"
		taken = "- listitem [ref=e3%d] [hoverable]: Item %d"
	)
	for _, c := range []struct{ name, before, after, want string }{
		{"texts", page(8, text, "Open"), page(8, heard, "Saved"), `
~ status: Saved (was Open)
(16 elements that read as before have refs now, because a script listens there: a snapshot shows them)`},
		{"texts that nobody listens to any more", page(8, heard, "Open"), page(8, text, "Saved"), `
~ status: Saved (was Open)
(16 elements that read as before have no refs now, because no script listens there)`},
		{"items", page(12, item, "Open"), page(12, taken, "Open"), `
(12 elements that read as before have refs now, because a script listens there: a snapshot shows them)`},
		{"one element", page(1, text, "Open"), "- generic [ref=e9] [clickable]: Label 0 value 0\n- status: Open", `
+ generic [ref=e9] [clickable]: Label 0 value 0
- text: Label 0 value 0`},
		{"others that read the same", page(12, item, "Open"), page(12, item, "Open") + "\n" + page(2, taken, "Open"), `
+ listitem [ref=e30] [hoverable]: Item 0
+ listitem [ref=e31] [hoverable]: Item 1
+ status: Open`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Compare(pageOf(c.before), pageOf(c.after), nil, 0); got.Text != strings.TrimPrefix(c.want, "\n") {
				t.Errorf("got\n%s\nwant\n%s", got.Text, c.want)
			}
		})
	}
}
