package snapshot

import (
	"fmt"
	"slices"
	"strings"
)

// An efficient snapshot shows only the first items of a long list. A task mostly needs one item,
// which find gives, or what is after the list. Both numbers count items; a link or button that is
// an item by itself, as in a menu, takes only one line.
const (
	manyLike, firstLike   = 15, 10
	manyLinks, firstLinks = 40, 30
)

// fewFolded is how many elements that can be acted on are at least worth leaving out.
const fewFolded = 8

// longestGroup is how many siblings an item may consist of. A card without an element of its own
// may be a heading, a price and a button.
const longestGroup = 8

var (
	listItemRoles = set("row listitem article treeitem")
	cellRoles     = set("cell gridcell columnheader rowheader")
	contentRoles  = set("paragraph heading text")
	menuRoles     = set("navigation banner menu menubar tablist toolbar radiogroup listbox combobox")
	fieldRoles    = set("textbox searchbox combobox spinbutton slider switch")
)

// foldLike leaves out all but the first of many like items beside each other. These are siblings of
// the same role, or groups of siblings whose roles recur in the same order. A line says how many
// were left out, and how to get them. The fields of a form are not left out, other than those in
// rows. Items in which something is selected, or has the focus, stay.
func foldLike(items []item, selectorOf func(first, last string) string) []item {
	f := folder{items: items, ends: endsOf(items), notes: map[int]string{}, selectorOf: selectorOf}
	f.fold(0, len(items), false)
	if len(f.notes) == 0 {
		return items
	}
	kept := make([]item, 0, len(items))
	for i := range items {
		if note := f.notes[i]; note != "" {
			kept = append(kept, item{node: node{depth: items[i].depth}, note: note})
		}
		if !items[i].idle {
			kept = append(kept, items[i])
		}
	}
	return kept
}

// A folder folds the lists of a page. The slice ends has, by item, the next one that is not inside
// it.
type folder struct {
	items      []item
	ends       []int
	notes      map[int]string // by the first item that was left out
	selectorOf func(first, last string) string
}

// endsOf returns, by item, the index of the next item that is not inside it.
func endsOf(items []item) []int {
	ends := make([]int, len(items))
	var around []int
	for i := range items {
		for len(around) > 0 && items[around[len(around)-1]].depth >= items[i].depth {
			ends[around[len(around)-1]] = i
			around = around[:len(around)-1]
		}
		around = append(around, i)
	}
	for _, i := range around {
		ends[i] = len(items)
	}
	return ends
}

// fold folds the lists among the items from one index up to another, which are the contents of an
// item or the whole page. The parameter menu says whether they are in a menu or the like.
func (f *folder) fold(from, to int, menu bool) {
	var all []int
	for i := from; i < to; i = f.ends[i] {
		all = append(all, i)
	}
	if len(all) > manyLike {
		f.foldRuns(all, menu)
	}
	for _, i := range all {
		if !f.items[i].idle && f.ends[i]-i > manyLike {
			f.fold(i+1, f.ends[i], menu || menuRoles(f.items[i].role))
		}
	}
}

// foldRuns folds each run of like items among siblings. It first notes how far the roles recur, for
// each length p of a group. From sibling i on, same[p-1][i] siblings have the role of the one p
// places later.
func (f *folder) foldRuns(all []int, menu bool) {
	var same [longestGroup][]int
	for p := range same {
		same[p] = make([]int, len(all)+1)
		for i := len(all) - p - 2; i >= 0; i-- {
			if f.items[all[i]].role == f.items[all[i+p+1]].role {
				same[p][i] = same[p][i+1] + 1
			}
		}
	}
	for i := 0; i < len(all); {
		next := i + 1
		for p := 1; p <= longestGroup; p++ {
			if groups := (same[p-1][i] + p) / p; f.foldRun(all[i:min(i+groups*p, len(all))], p, menu) {
				next = i + groups*p
				break
			}
		}
		i = next
	}
}

// foldRun folds a run of groups of p siblings, if there are enough of them. It reports whether it
// did.
func (f *folder) foldRun(run []int, p int, menu bool) bool {
	role := f.items[run[0]].role
	many, first := manyLike, firstLike
	if menu || p == 1 && interactiveRoles(role) && role != "treeitem" {
		many, first = manyLinks, firstLinks
	}
	if len(run)/p <= many || p == 1 && (cellRoles(role) || contentRoles(role)) {
		return false
	}
	end := func(g int) int { return f.ends[run[(g+1)*p-1]] } // after the last item of a group
	if !listItemRoles(role) && slices.ContainsFunc(f.items[run[0]:end(len(run)/p-1)], func(it item) bool { return fieldRoles(it.role) }) {
		return false
	}
	var folded []int // groups
	elements := 0
	for g := first; g < len(run)/p; g++ {
		group := f.items[run[g*p]:end(g)]
		if slices.ContainsFunc(group, isChosen) {
			continue
		}
		folded = append(folded, g)
		elements += countRefs(group)
	}
	if elements < fewFolded {
		return false
	}
	for _, g := range folded {
		for i := run[g*p]; i < end(g); i++ {
			f.items[i].idle = true
		}
	}
	f.notes[run[folded[0]*p]] = f.note(len(folded), f.items[run[0]:end(len(run)/p-1)])
	return true
}

// isChosen reports whether an item is the one that is selected, current or has the focus.
func isChosen(it item) bool {
	return it.states != "" && (it.is("active") || it.is("selected") || strings.Contains(it.states, "current"))
}

// note returns the line about the items that were left out of a list.
func (f *folder) note(n int, list []item) string {
	with := func(it item) bool { return it.ref != "" }
	selector := ""
	if first := slices.IndexFunc(list, with); f.selectorOf != nil && first >= 0 {
		last := first
		for i := range list {
			if with(list[i]) {
				last = i
			}
		}
		selector = clean(f.selectorOf(list[first].ref, list[last].ref))
	}
	if selector == "" {
		return fmt.Sprintf("… %d more like these: find shows those with given words, a whole snapshot all", n)
	}
	return fmt.Sprintf("… %d more like these: find shows those with given words, snapshot --selector '%s' all", n, selector)
}
