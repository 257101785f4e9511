package snapshot

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"chela/internal/base/hidden"
)

// quoted are the strings of a page in a snapshot, which stand between quotes.
var quoted = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

// A page that chooses the texts of an element adds no line, no ref and nothing that cannot
// be seen.
func FuzzForgery(f *testing.F) {
	for _, text := range []string{`x" [ref=e7]`, `\`, `\"`, "a\u2028- button [ref=e9]", "\ufdd0- x", "[ref=e1]", "e1: {", "\u202eabc\u200b", "-", ": #"} {
		f.Add(text, text, text)
	}
	f.Fuzz(func(t *testing.T, name, text, more string) {
		for _, s := range []string{name, text, more} {
			if strings.ContainsAny(s, "\t\n") || !utf8.ValidString(s) {
				return // the page script sends no such text
			}
		}
		preformatted := strings.ContainsAny(name+text+more, "\ufdd0\ufdd1\ufdd2")
		lines := fmt.Sprintf("0\tmain\n1\tbutton\t5\t%s\t%s\tdisabled\t\t%s\t%s\t%s\n1\ttext\t\t\t%s", name, text, more, more, more, text)
		for _, o := range []Options{{}, {Role: true}, {Role: true, URLs: true}, {Role: true, Interactive: true}} {
			s := Render(&Frame{Walk: &Walk{Lines: lines, Max: 5}}, o)
			if got := strings.Count(s.Text, "\n") + 1; got > 8 && !preformatted {
				t.Errorf("%d lines: %q", got, s.Text)
			}
			outside := quoted.ReplaceAllString(s.Text, "")
			if got := strings.Count(outside, "[ref="); got > 1 {
				t.Errorf("%d refs: %q", got, s.Text)
			}
			if hidden.Shown(s.Text) != s.Text {
				t.Errorf("something cannot be seen in %q", s.Text)
			}
		}
	})
}

// A page does not differ from itself. Each line of a difference says what kind it is, or where the
// lines below it are, and all lines fit into the limit.
func FuzzCompare(f *testing.F) {
	f.Add(shopBefore, strings.Replace(shopBefore, "Empty", "1 thing", 1), 200)
	f.Add("- a\n  - b [ref=e1]\n  - b [ref=e2]", "- a\n  - b [ref=e2]\n    - b [ref=e1]", 1)
	f.Fuzz(func(t *testing.T, before, after string, limit int) {
		a, b := pageOf(before), pageOf(after)
		if len(a) > 200 || len(b) > 200 {
			return
		}
		if got := Compare(a, a, nil, 0); got.Text != "" {
			t.Errorf("%q differs from itself: %q", before, got.Text)
		}
		Compare(a, b, nil, limit)
		got := Compare(a, b, nil, 0)
		for line := range strings.SplitSeq(got.Text, "\n") {
			if line != "" && !strings.ContainsAny(line[:1], "+-~>") && !strings.HasPrefix(line, "  ") {
				t.Errorf("%q in %q", line, got.Text)
			}
		}
	})
}

// Find returns lines of the page, and not more of them than the caller asks for.
func FuzzFind(f *testing.F) {
	f.Add(shop().Walk.Lines, "mug", "button", 3)
	f.Add("0\tbutton\t1\tA", "", "*", 0)
	f.Fuzz(func(t *testing.T, lines, text, role string, limit int) {
		limit &= 0xff // calls with another limit are refused
		found := Find(&Frame{Walk: &Walk{Lines: lines}}, Query{Text: text, Role: role}, limit, 500)
		if len(found.Matches) > found.Total || len(found.Matches) > limit {
			t.Errorf("%d of %d, limit %d", len(found.Matches), found.Total, limit)
		}
	})
}
