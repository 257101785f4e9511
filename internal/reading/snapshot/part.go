package snapshot

import (
	"fmt"
	"strings"
)

// mainFirst returns items with those in dialogs first, then those in the main part of the page, and
// then the others. It is for a text that is cut at its end. What an act was for is mostly in a
// dialog or the main part, and not in the menus that many pages begin with.
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

// leaveOutKnown replaces parts of the page, such as menus, by the number of their lines. It does so
// if the page in the parameter known has a part that reads the same. Menus stay the same from one
// page of a site to the next.
func leaveOutKnown(items []item, known *Frame) []item {
	before := map[string]bool{}
	eachRepeated(stitch(known, false).items, func(_, _ int, reads string) { before[reads] = true })
	eachRepeated(items, func(i, n int, reads string) {
		if !before[reads] {
			return
		}
		items[i].note = fmt.Sprintf("(%d lines that read as on the page before: a snapshot shows them)", n-1)
		for j := i + 1; j < i+n; j++ {
			items[j].idle = true
		}
	})
	return keep(items, func(it *item) bool { return !it.idle })
}

// eachRepeated calls the function do for each part with one of repeatedRoles that is not inside
// another such part. It passes the index of the part's first item, how many items it has, and what
// these say.
func eachRepeated(items []item, do func(i, n int, reads string)) {
	for i := 0; i < len(items); {
		n := 1
		if repeatedRoles(items[i].role) {
			if n = length(items, i); n >= fewRepeated {
				do(i, n, reads(items[i:i+n]))
			}
		}
		i += n
	}
}

// reads returns all that items say, except their refs and where the focus is.
func reads(items []item) string {
	var b strings.Builder
	for i := range items {
		it := &items[i]
		states := strings.Replace(it.states, "active", "", 1)
		fmt.Fprintf(&b, "%d %s %q %q %q %q\n", it.depth-items[0].depth, it.role, it.name, it.text, states, it.placeholder)
	}
	return b.String()
}
