package snapshot

import (
	"cmp"
	"fmt"
	"strings"
)

// foldLike leaves out all but the first of many similar items beside each other, see folder. A line
// says how many were left out, and how to get them.
func foldLike(items []item, selectorOf func(first, last string) string) []item {
	_, ends := nesting(items)
	f := newFolder(ends, func(i int) string { return items[i].role })
	f.closed = func(i int) bool { return items[i].role == "option" && items[i].ref == "" }
	f.stays = func(i int) bool { return items[i].isChosen() }
	f.marked = func(i int) bool { return items[i].isMarked() }
	f.worth = func(from, to int) int { return countRefs(items[from:to]) }
	f.fold(0, len(items), false)
	if len(f.folds) == 0 {
		return items
	}
	kept := make([]item, 0, len(items))
	for i := range items {
		if fold, ok := f.folds[i]; ok {
			note := fmt.Sprintf(moreLike, fold.groups, howToGet(items[fold.list.first:fold.list.last+1], selectorOf))
			kept = append(kept, item{node: node{depth: items[i].depth}, note: note})
		}
		if !f.out[i] {
			kept = append(kept, items[i])
		}
	}
	return kept
}

// moreLike is the line about items that were left out: it says how many there are, and how to get
// them.
const moreLike = "… %d more like these: find shows those with or near given words, %s"

// howToGet returns how to get all items of a list, for moreLike.
func howToGet(list []item, selectorOf func(first, last string) string) string {
	first, last := "", ""
	for i := range list {
		if last = cmp.Or(list[i].ref, last); first == "" {
			first = last
		}
	}
	if selectorOf != nil {
		if selector := clean(selectorOf(first, last)); selector != "" {
			return "snapshot --selector '" + selector + "' all"
		}
	}
	return "a whole snapshot all"
}

// isMarked reports whether a class says that an item is chosen, as in class=selected.
func (it *item) isMarked() bool { return strings.Contains(it.states, "class=") }

// isChosen reports whether an item is selected, current or has the focus.
func (it *item) isChosen() bool {
	for state := range strings.FieldsSeq(it.states) {
		switch word, _, _ := strings.Cut(state, "="); word {
		case "active", "selected", "current":
			return true
		}
	}
	return false
}
