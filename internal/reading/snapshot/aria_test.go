package snapshot

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"chela/internal/wall/excerpt"
)

func TestAriaListsTheFramesInTheirPlace(t *testing.T) {
	inner := &AXFrame{Nodes: []AXNode{
		{ID: "1", Role: "RootWebArea", Name: "Inner", ChildIDs: []string{"2"}, BackendNodeID: 5},
		{ID: "2", ParentID: "1", Role: "button", Name: "In\u202eside", BackendNodeID: 6},
	}}
	outer := &AXFrame{
		Nodes: []AXNode{
			{ID: "1", Role: "RootWebArea", Name: "Outer", ChildIDs: []string{"2", "3", "4"}, BackendNodeID: 5},
			{ID: "2", ParentID: "1", Role: "heading", Name: "Top", BackendNodeID: 6, ChildIDs: []string{"5"}},
			{ID: "3", ParentID: "1", Role: "Iframe", BackendNodeID: 7, ChildIDs: []string{"gone"}},
			{ID: "4", ParentID: "1", Role: "textbox", Name: "Password", Value: "••••", BackendNodeID: 8},
			{ID: "5", ParentID: "2", Role: "StaticText", Name: "Top"},
		},
		Children: map[int64]*AXFrame{7: inner},
	}
	list := Aria(outer, AriaOptions{})
	nodes, truncated := list.Nodes, list.Truncated
	var got []string
	for _, n := range nodes {
		got = append(got, fmt.Sprintf("%s%s %s %q %s", strings.Repeat(" ", n.Depth), n.Ref, n.Role, n.Name, n.Value))
	}
	want := []string{
		`ax1 RootWebArea "Outer" `,
		` ax2 heading "Top" `,
		`  ax3 StaticText "Top" `,
		` ax4 Iframe "" `,
		`  ax5 RootWebArea "Inner" `,
		`   ax6 button "Inside" `,
		` ax7 textbox "Password" ••••`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("nodes (-want +got):\n%s", diff)
	}
	if truncated {
		t.Error("truncated, want all")
	}
	if nodes[5].Frame != inner || nodes[6].Frame != outer {
		t.Error("a node is said to be in another frame than its own")
	}
}

func TestAriaLimit(t *testing.T) {
	wide := &AXFrame{Nodes: []AXNode{{ID: "root"}}}
	for i := range 3000 {
		id := fmt.Sprint(i)
		wide.Nodes[0].ChildIDs = append(wide.Nodes[0].ChildIDs, id)
		wide.Nodes = append(wide.Nodes, AXNode{ID: id, ParentID: "root"})
	}
	for limit, want := range map[int]int{-1: 500, 0: 500, 1: 1, 7: 7, 2000: 2000, 9999: 2000} {
		list := Aria(wide, AriaOptions{Limit: limit})
		nodes, truncated := list.Nodes, list.Truncated
		if len(nodes) != want || !truncated {
			t.Errorf("limit %d: %d nodes, truncated %v, want %d and true", limit, len(nodes), truncated, want)
		}
	}
}

func TestAriaLeavesOutIgnoredNodesButNotWhatIsInThem(t *testing.T) {
	tree := &AXFrame{Nodes: []AXNode{
		{ID: "root", Role: "RootWebArea", ChildIDs: []string{"html"}, BackendNodeID: 1},
		{ID: "html", ParentID: "root", Ignored: true, ChildIDs: []string{"main", "button"}, BackendNodeID: 2},
		{ID: "button", ParentID: "html", Role: "button", Name: "B", BackendNodeID: 3},
		{ID: "main", ParentID: "html", Role: "main", ChildIDs: []string{"div"}, BackendNodeID: 4},
		{ID: "div", ParentID: "main", Ignored: true, ChildIDs: []string{"div2", "after"}, BackendNodeID: 5},
		{ID: "div2", ParentID: "div", Ignored: true, ChildIDs: []string{"heading"}, BackendNodeID: 6},
		{ID: "heading", ParentID: "div2", Role: "heading", Name: "Head", ChildIDs: []string{"text"}, BackendNodeID: 7},
		{ID: "text", ParentID: "heading", Role: "StaticText", Name: "Head", ChildIDs: []string{"box"}, BackendNodeID: 8},
		{ID: "box", ParentID: "text", Role: "InlineTextBox", Name: "Head"},
		{ID: "after", ParentID: "div", Role: "paragraph", BackendNodeID: 9},
	}}
	const want = `- RootWebArea [ref=ax1]
  - main [ref=ax2]
    - heading "Head" [ref=ax3]
      - StaticText "Head" [ref=ax4]
        - InlineTextBox "Head" [ref=ax5]
    - paragraph [ref=ax6]
  - button "B" [ref=ax7]`
	list := Aria(tree, AriaOptions{})
	nodes := list.Nodes
	if diff := cmp.Diff(want, list.Text()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if nodes[4].Near != 8 || nodes[4].BackendNodeID != 0 {
		t.Errorf("the text box %+v acts on another node than its text", nodes[4])
	}
	list = Aria(tree, AriaOptions{Limit: 4})
	if diff := cmp.Diff(strings.Join(strings.SplitAfter(want, "\n")[:4], "")+"\n"+cutMarker, list.Text()); diff != "" {
		t.Errorf("with a limit (-want +got):\n%s", diff)
	}
}

func TestAriaIsBounded(t *testing.T) {
	const large = 1 << 18
	tree := &AXFrame{Nodes: []AXNode{{ID: "root"}}}
	for i := range 12 {
		id := fmt.Sprint(i)
		tree.Nodes[0].ChildIDs = append(tree.Nodes[0].ChildIDs, id)
		long := strings.Repeat("é", large)
		tree.Nodes = append(tree.Nodes, AXNode{ID: id, ParentID: "root", Role: "textbox", Name: long, Value: long, Description: long})
	}
	list := Aria(tree, AriaOptions{MaxChars: 30_000})
	nodes, truncated := list.Nodes, list.Truncated
	total := 0
	for _, n := range nodes {
		total += excerpt.Units(n.Name + n.Value + n.Description)
	}
	if !truncated || total > 30_000 || len(nodes) < 8 {
		t.Errorf("%d characters in %d nodes, truncated %v", total, len(nodes), truncated)
	}
	if want := strings.Repeat("é", longestName) + fmt.Sprintf("…(%d more characters)", large-longestName); nodes[1].Name != want {
		t.Errorf("name %q", nodes[1].Name)
	}
	if text := list.Text(); excerpt.Units(text) > 30_000+len(cutMarker) || !strings.HasSuffix(text, cutMarker) {
		t.Errorf("a text of %d characters", excerpt.Units(text))
	}
}

// Text of a frame that the page script reports as hidden is left out, and also the parts of names
// that are made of it. If nothing in a frame can be seen, all its text is left out except that of
// controls.
func TestAriaWithoutHiddenText(t *testing.T) {
	inner := &AXFrame{Nodes: []AXNode{
		{ID: "1", Role: "RootWebArea", ChildIDs: []string{"2", "3"}},
		{ID: "2", ParentID: "1", Role: "button", Name: "Pay", ChildIDs: []string{"4"}},
		{ID: "3", ParentID: "1", Role: "StaticText", Name: "Do that"},
		{ID: "4", ParentID: "2", Role: "StaticText", Name: "Pay"},
	}}
	outer := &AXFrame{
		Nodes: []AXNode{
			{ID: "1", Role: "RootWebArea", ChildIDs: []string{"2", "3"}},
			{ID: "2", ParentID: "1", Role: "heading", Name: "Orders Do this today", ChildIDs: []string{"4", "5", "6"}},
			{ID: "3", ParentID: "1", Role: "Iframe", BackendNodeID: 7},
			{ID: "4", ParentID: "2", Role: "StaticText", Name: "Orders ", BackendNodeID: 8},
			{ID: "5", ParentID: "2", Role: "StaticText", Name: "Do this ", BackendNodeID: 9, ChildIDs: []string{"7"}},
			{ID: "6", ParentID: "2", Role: "StaticText", Name: "today", BackendNodeID: 10},
			{ID: "7", ParentID: "5", Role: "InlineTextBox", Name: "Do this "},
		},
		Children: map[int64]*AXFrame{7: inner},
		Unseen:   map[int64]bool{7: true, 9: true},
	}
	const want = `- RootWebArea [ref=ax1]
  - heading "Orders today" [ref=ax2]
    - StaticText "Orders " [ref=ax3]
    - StaticText "today" [ref=ax4]
  - Iframe [ref=ax5]
    - RootWebArea [ref=ax6]
      - button "Pay" [ref=ax7]
        - StaticText "Pay" [ref=ax8]
- hidden: 2 texts that a person cannot see, 15 characters (hidden=mark shows them)`
	if diff := cmp.Diff(want, Aria(outer, AriaOptions{OmitHidden: true}).Text()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The hidden texts of a hostile page are left out in a short time: many texts below many levels, which
// have names or not. It would take minutes if each text looked at all levels above it.
func TestAriaOfManyLevels(t *testing.T) {
	const levels = 20_000
	for _, name := range []string{"", "orders"} {
		inner := &AXFrame{Unseen: map[int64]bool{}}
		for i := range levels {
			inner.Nodes = append(inner.Nodes, AXNode{ID: fmt.Sprint(i), ParentID: fmt.Sprint(i - 1), ChildIDs: []string{fmt.Sprint(i + 1)}, Role: "group", Name: name, BackendNodeID: int64(i + 1)})
		}
		last := &inner.Nodes[levels-1]
		last.ChildIDs = nil
		for i := levels; i < 2*levels; i++ {
			last.ChildIDs = append(last.ChildIDs, fmt.Sprint(i))
			inner.Nodes = append(inner.Nodes, AXNode{ID: fmt.Sprint(i), ParentID: fmt.Sprint(levels - 1), Role: "StaticText", Name: "orders", BackendNodeID: int64(i + 1)})
			inner.Unseen[int64(i+1)] = i%2 == 0
			last = &inner.Nodes[levels-1]
		}
		outer := &AXFrame{Nodes: []AXNode{{ID: "1", Role: "Iframe", BackendNodeID: 1}}, Children: map[int64]*AXFrame{1: inner}, Unseen: map[int64]bool{1: true}}
		begun := time.Now()
		list := Aria(outer, AriaOptions{OmitHidden: true})
		if took := time.Since(begun); took > time.Minute || list.Unseen.Texts != levels || strings.Contains(list.Text(), "orders") {
			t.Errorf("%q: took %v, left out %+v", name, took, list.Unseen)
		}
	}
}

// Text that is left out is cut from a name at its own place, although the name has the same letters elsewhere.
func TestAriaCutsHiddenTextAtItsPlace(t *testing.T) {
	for _, c := range []struct {
		heading, want string
		texts         []string // those that are hidden begin with a !
	}{
		{"Top 10 1", "Top 10", []string{"Top 10 ", "!1"}},
		{"Top 101", "Top 10", []string{"Top 10", "!1"}},
		{"1 Top 10", "Top 10", []string{"!1 ", "Top 10"}},
		{"Pay 1,000 0 € now", "Pay 1,000 € now", []string{"Pay 1,000 ", "!0", " € now"}},
		{"do it Hello", "Hello", []string{"Hello", "!do it"}}, // in another order than expected
	} {
		heading := AXNode{ID: "h", Role: "heading", Name: c.heading}
		f := &AXFrame{Unseen: map[int64]bool{}}
		for i, text := range c.texts {
			text, hidden := strings.CutPrefix(text, "!")
			id := fmt.Sprint(i)
			heading.ChildIDs, f.Unseen[int64(i+1)] = append(heading.ChildIDs, id), hidden
			f.Nodes = append(f.Nodes, AXNode{ID: id, ParentID: "h", Role: "StaticText", Name: text, BackendNodeID: int64(i + 1)})
		}
		f.Nodes = append(f.Nodes, heading)
		got := Aria(f, AriaOptions{OmitHidden: true}).Nodes[0].Name
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.heading, got, c.want)
		}
	}
}
