package snapshot

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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
		{"texts outside of other elements", "- text: Total\n" + open, "- generic [inert]: Total\n- generic [inert]:\n" + page("  ", " [clickable]") + dialog, `
+ dialog "Sure?":
+   img [aria-hidden] [ref=e91] [clickable]
+   button "Yes" [ref=e90]
(41 lines are [aria-hidden], [inert] or [pointer-events=none] now, as behind an open dialog or menu)`},
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

// New lines behind the dialog that have no words are not listed either: an editor may draw its
// scroll bars just then.
func TestCompareBehindADialogWithoutWords(t *testing.T) {
	page := func(hints, more string) []Line {
		var b strings.Builder
		for i := range 20 {
			fmt.Fprintf(&b, "0|generic|%d||Item %[1]d||%s\n", 100+i, hints)
		}
		return rendered(t, b.String()+more, Options{KeepRepeats: true}).Lines
	}
	after := page("pointer-events:none", "0|generic|1||||pointer-events:none|||div.bar\n0|dialog||Sure?\n1|button|2|Yes")
	const want = "+ dialog \"Sure?\":\n+   button \"Yes\" [ref=e2]\n" +
		"(21 lines are [aria-hidden], [inert] or [pointer-events=none] now, as behind an open dialog or menu)"
	if got := Compare(page("onclick", ""), after, nil, 0).Text; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A delta shows a menu that comes onto the page, although its elements were there before.
func TestCompareOffTheScreen(t *testing.T) {
	menu := func(hints string) []Line {
		const page = "0|generic|1|File|||onclick\n0|list\n1|generic|2||||%s\n2|img||Plus\n2|text|||Add\n0|button|3|Help"
		return rendered(t, fmt.Sprintf(page, hints), Options{KeepRepeats: true}).Lines
	}
	here, off := menu("onclick"), menu("onclick, "+offScreen)
	const (
		came = "+ list:\n+   generic [ref=e2] [clickable]:\n+     img \"Plus\"\n+     text: Add"
		left = "- list: Plus Add (… 3 lines)"
	)
	for _, c := range []struct {
		before, after []Line
		want          string
	}{{off, here, came}, {here, off, left}, {off, off, ""}} {
		if got := Compare(c.before, c.after, nil, 0); got.Text != c.want {
			t.Errorf("got\n%s\nwant\n%s", got.Text, c.want)
		}
	}
}

// The words of a menu off the screen are no words of what it is in.
func TestTitleWithoutWhatIsOffTheScreen(t *testing.T) {
	page := "0|generic|1||||ondrop\n1|text|||Board\n1|list"
	for i := range 2 * fewBarred {
		page += fmt.Sprintf("\n2|generic|%d||||onclick, off-screen\n3|img||Menu", 10+i)
	}
	got := rendered(t, page, Options{Interactive: true, Compact: true, Role: true}).Text
	if first, _, _ := strings.Cut(got, "\n"); first != `- generic "Board" [ref=e1] [droppable]` {
		t.Errorf("got %s", first)
	}
}

// An efficient snapshot shows what can be used: what is behind an open dialog is counted.
func TestLeaveOutUnusable(t *testing.T) {
	behind := func(n int) string {
		page := "0|main||||inert\n1|heading||News"
		for i := range n {
			page += fmt.Sprintf("\n1|link|%d|Story %d", 10+i, i)
		}
		return page
	}
	offScreenMenu := func(n int) string {
		var page []string
		for i := range n {
			page = append(page, fmt.Sprintf("0|link|%d|Story %d|||off-screen", 20+i, i))
		}
		return strings.Join(page, "\n")
	}
	const dialog = "\n0|dialog\n1|button|1|Accept"
	for _, c := range []struct{ name, page, want string }{
		{"many", behind(30) + dialog, "- dialog\n  - button \"Accept\" [ref=e1]\n(30 elements that are [inert] or [off-screen] cannot be used now, " +
			"and are left out: find or a whole snapshot shows them)"},
		{"few", behind(2) + dialog, "- link \"Story 0\" [ref=e10] [inert]\n- link \"Story 1\" [ref=e11] [inert]\n- dialog\n  - button \"Accept\" [ref=e1]"},
		{"a menu that slides in", "0|link|1|Home\n" + offScreenMenu(11), "- link \"Home\" [ref=e1]\n" +
			"(11 elements that are [inert] or [off-screen] cannot be used now, and are left out: find or a whole snapshot shows them)"},
		{"a small one", "0|link|1|Home\n" + offScreenMenu(1), "- link \"Home\" [ref=e1]\n- link \"Story 0\" [ref=e20] [off-screen]"},
		{"all", behind(1), "- link \"Story 0\" [ref=e10] [inert]"},
		{"one of its own", "0|link|1|Story||inert\n0|link|2|Other", "- link \"Story\" [ref=e1] [inert]\n- link \"Other\" [ref=e2]"},
	} {
		if diff := cmp.Diff(c.want, rendered(t, c.page, Options{Interactive: true, Compact: true, Role: true}).Text); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}
