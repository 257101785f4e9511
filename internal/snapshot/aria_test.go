package snapshot

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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
	nodes, truncated := Aria(outer, 0)
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
		t.Error("a node is told to be in another frame than its own")
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
		nodes, truncated := Aria(wide, limit)
		if len(nodes) != want || !truncated {
			t.Errorf("limit %d: %d nodes, truncated %v, want %d and true", limit, len(nodes), truncated, want)
		}
	}
}
