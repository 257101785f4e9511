package snapshot

import (
	"fmt"
	"strings"
	"testing"
)

// When a dialog opens, pages hide all else from screen readers or take its clicks away. The delta
// shows the dialog, and only says how much was barred. When the dialog closes, it is the other way
// round.
func TestCompareBehindADialog(t *testing.T) {
	const dialog = "- dialog \"Sure?\":\n  - img [aria-hidden] [ref=e91] [clickable]\n  - button \"Yes\" [ref=e90]"
	page := func(indent, marks string) string {
		var b strings.Builder
		for i := range 20 {
			fmt.Fprintf(&b, "%s- listitem:\n%[1]s  - generic [ref=e%d]%s: Item %[2]d\n", indent, i, marks)
		}
		return b.String()
	}
	open := page("", " [clickable]")
	for _, c := range []struct{ name, before, after, want string }{
		{"hidden as a whole", open, "- generic [aria-hidden]:\n" + page("  ", " [clickable]") + dialog, `
+ dialog "Sure?":
+   img [aria-hidden] [ref=e91] [clickable]
+   button "Yes" [ref=e90]
(40 lines are [aria-hidden], [inert] or [pointer-events=none] now, as behind an open dialog or menu)`},
		{"inert, and clicked through", open, "- generic [inert] [ref=e50] [clickable]:\n" + page("  ", " [pointer-events=none]") + dialog, `
+ dialog "Sure?":
+   img [aria-hidden] [ref=e91] [clickable]
+   button "Yes" [ref=e90]
(40 lines are [aria-hidden], [inert] or [pointer-events=none] now, as behind an open dialog or menu)`},
		{"free again", page("", " [pointer-events=none]") + dialog, open, `
- dialog "Sure?" (… 2 lines)
(20 lines are no longer [aria-hidden], [inert] or [pointer-events=none])`},
		{"single controls", open, strings.Replace(open, "[clickable]: Item 3", "[pointer-events=none]: Item 3", 1), `
  listitem: Item 3
~   generic [ref=e3] [pointer-events=none]: Item 3`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Compare(pageOf(c.before), pageOf(c.after), nil, 0); got.Text != strings.TrimPrefix(c.want, "\n") {
				t.Errorf("got\n%s\nwant\n%s", got.Text, c.want)
			}
		})
	}
}
