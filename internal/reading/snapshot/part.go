package snapshot

import (
	"fmt"
	"slices"
	"strings"
)

// mainFirst returns items with those in dialogs first, then those in the main part of the page, and
// then the others. This order is for a text that is cut at its end. The result of an act is mostly
// in a dialog or the main part, and not in the menus that many pages begin with.
func mainFirst(items []item) []item {
	var parts [elsewhere + 1][]item
	for i := 0; i < len(items); {
		rank, n := rankOf(items[i].role), 1
		if rank < elsewhere {
			n = length(items, i)
		}
		for _, it := range items[i : i+n] {
			if rank < elsewhere {
				it.depth -= items[i].depth
			}
			parts[rank] = append(parts[rank], it)
		}
		i += n
	}
	all := make([]item, 0, len(items))
	for _, part := range parts {
		all = append(all, part...)
	}
	return all
}

// length returns the number of items from i on that are item i or inside it.
func length(items []item, i int) int {
	n := 1
	for i+n < len(items) && items[i+n].depth > items[i].depth {
		n++
	}
	return n
}

// repeatedRoles are the roles of the parts that all pages of a site have.
var repeatedRoles = set("banner complementary contentinfo navigation search")

// fewRepeated is the minimum number of lines of a part that is worth leaving out.
const fewRepeated = 4

// leaveOutKnown replaces parts of the page, such as menus, by the number of their lines. A part is
// replaced if the previous page (known) has a part that reads the same. Menus stay the same from
// one page of a site to the next.
func leaveOutKnown(items []item, known *Frame) []item {
	before := map[string]bool{}
	eachRepeated(stitch(known, false).items, func(_, _ int, reads string) bool {
		before[reads] = true
		return false
	})
	eachRepeated(items, func(i, n int, reads string) bool {
		if !before[reads] {
			return false
		}
		items[i].note = fmt.Sprintf("(… %d lines as before: find or a snapshot shows them)", n-1)
		for j := i + 1; j < i+n; j++ {
			items[j].idle = true
		}
		return true
	})
	return withoutIdle(items)
}

// eachRepeated calls the function known for each part with one of repeatedRoles. It passes the
// index of the part's first item, how many items the part has, and what these items say. If known
// returns true, the parts inside are left out.
func eachRepeated(items []item, known func(i, n int, reads string) bool) {
	for i := 0; i < len(items); i++ {
		if !repeatedRoles(items[i].role) {
			continue
		}
		if n := length(items, i); n >= fewRepeated && known(i, n, reads(items[i:i+n])) {
			i += n - 1
		}
	}
}

// reads returns all that items say, except their refs, where the focus is, and which link of a menu
// leads to the page itself.
func reads(items []item) string {
	var b strings.Builder
	for i := range items {
		it := &items[i]
		states := it.states
		if strings.Contains(states, "active") || strings.Contains(states, "current") {
			states = strings.Join(slices.DeleteFunc(strings.Fields(states), func(state string) bool {
				return state == "active" || strings.HasPrefix(state, "current")
			}), " ")
		}
		fmt.Fprintf(&b, "%d %s %q %q %q %q %q\n", it.depth-items[0].depth, it.role, it.name, it.text, states, it.placeholder, it.description)
	}
	return b.String()
}
