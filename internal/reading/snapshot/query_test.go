package snapshot

import (
	"strings"
	"testing"
)

// A query finds what an efficient snapshot leaves out of long lists and drop-downs.
func TestMatchingInLongLists(t *testing.T) {
	page := "0|combobox|999|Country\n" + strings.TrimSpace(strings.Repeat("1|option||Land\n", 20)) + "\n1|option||Zimbabwe\n0|list\n" + times(40, "1|listitem\n2|link|%1|Item %1")
	o := efficient
	o.Searched = true
	for _, query := range []string{"zimbabwe", "item 79"} {
		if _, n := rendered(t, page, o).Matching(query); n != 1 {
			t.Errorf("%s: %d lines match, want 1", query, n)
		}
	}
}

func TestMatching(t *testing.T) {
	s := Render(&Frame{
		Walk:     &Walk{Lines: lines("0|form\n1|button|1|Submit order\n1|button|2|Cancel\n1|text|||Order now\n0|iframe|3"), Unseen: Unseen{1, 9}},
		Children: map[int]*Frame{3: {Walk: &Walk{Cut: "the page has more"}}},
	}, Options{Seen: map[string]bool{"e1": true}})
	for _, test := range []struct {
		query, want string
		count, refs int
	}{
		{"ORDER button", "  - button \"Submit order\" [ref=e1]", 1, 1},
		{"order", "  - button \"Submit order\" [ref=e1]\n  - text: Order now", 2, 1},
		{"zzz", "", 0, 0},
		{"new", "", 0, 0}, // chela's own words: a number of new elements, and marks of these
		{"person", "", 0, 0},
		{"page", "", 0, 0},
	} {
		got, n := s.Matching(test.query)
		if got.Text != test.want || n != test.count || len(got.Refs) != test.refs || got.Stats.Lines != n || got.Stats.Interactive != test.refs {
			t.Errorf("%s: got %d lines %q, %+v", test.query, n, got.Text, got.Stats)
		}
	}
	list, n := AriaList{Nodes: []AriaNode{{Ref: "ax1", Role: "button", Name: "Submit"}, {Ref: "ax2", Role: "link"}}}.Matching("Button submit")
	if n != 1 || list.Nodes[0].Ref != "ax1" {
		t.Errorf("got %+v", list)
	}
}
