package snapshot

import "testing"

func TestMatching(t *testing.T) {
	s := Snapshot{
		Text: "- form:\n  - button \"Submit order\" [ref=e1]\n  - button \"Cancel\" [ref=e2]\n  - text: Order now",
		Refs: map[string]Ref{"e1": {Role: "button"}, "e2": {Role: "button"}},
	}
	for _, test := range []struct {
		query, want string
		count, refs int
	}{
		{"ORDER button", "  - button \"Submit order\" [ref=e1]", 1, 1},
		{"order", "  - button \"Submit order\" [ref=e1]\n  - text: Order now", 2, 1},
		{"zzz", "", 0, 0},
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
