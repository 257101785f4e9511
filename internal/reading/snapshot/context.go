package snapshot

import (
	"cmp"
	"strings"

	"chela/internal/wall/excerpt"
)

// An efficient snapshot has lines for controls only. If each row of a table has a button Delete, it
// would not say which button is in which row. So it also shows the rows, cards and headings that
// tell equal controls apart, with the words by which a person knows them.

// contextRoles are the roles of items that are repeated on a page, with equal controls in each.
var contextRoles = set("article listitem row treeitem")

// contextLength is how many characters of the words of a row or heading are shown.
const contextLength = 60

// A kind is what an efficient snapshot shows of a control. Controls of one kind look equal.
type kind struct{ role, name string }

func (it *item) kind() kind { return kind{it.role, cmp.Or(it.name, it.title, it.description)} }

// tellApart marks the rows, cards and headings that tell equal controls apart (context), and makes
// their words their name. Words are not shown if a control with a name of its own is inside. The
// parameter refs is the result of refsOf: most pages have only few names that are there again.
func tellApart(items []item, refs map[string]Ref) {
	equal := map[kind][]int{}
	for i := range items {
		it := &items[i]
		if it.ref != "" && refs[it.ref].Nth != nil && it.role != "option" && it.kind() != (kind{role: "generic"}) {
			equal[it.kind()] = append(equal[it.kind()], i)
		}
	}
	if len(equal) == 0 {
		return
	}
	parents := parentsOf(items)
	headings := headingsBefore(items)
	for _, controls := range equal {
		if len(controls) < 2 {
			continue
		}
		contexts := map[int]int{} // context -> one of the controls in it
		for _, i := range controls {
			contexts[contextOf(items, parents, headings, i)] = i
		}
		if len(contexts) < 2 {
			continue // all are in the same row, or below the same heading
		}
		for i, control := range contexts {
			if i != none {
				items[i].context = items[i].role != "heading" || !holdsRef(items, i) // a link in a heading says what the heading says
				items[control].toldApart = len(contexts) == len(controls)
			}
		}
	}
	for i := range items {
		if it := &items[i]; it.context && it.ref == "" {
			it.name = excerpt.Shorten(contextWords(items, i, refs), contextLength)
			it.text, it.states = "", ""
		}
	}
}

// contextOf returns the closest row or card around item i that holds several items, else the heading
// before it. It returns none if there is neither.
func contextOf(items []item, parents, headings []int, i int) int {
	for p := parents[i]; p != none; p = parents[p] {
		if contextRoles(items[p].role) && (items[p].ref != "" || hasMore(items, p)) {
			return p
		}
	}
	return headings[i]
}

// hasMore reports whether item i holds words of its own or at least two items with a ref.
func hasMore(items []item, i int) bool {
	refs := 0
	for j := i + 1; j < len(items) && items[j].depth > items[i].depth && refs < 2; j++ {
		if items[j].ref != "" {
			refs++
		}
	}
	return refs > 1 || len(ownWords(items, i)) > 0
}

// contextWords returns the words by which a person knows item i. They are not needed if one of the
// controls in it has a name that no other control has.
func contextWords(items []item, i int, refs map[string]Ref) string {
	if it := &items[i]; it.role == "heading" && it.name != "" {
		return it.name
	}
	for j := i + 1; j < len(items) && items[j].depth > items[i].depth; j++ {
		if it := &items[j]; it.ref != "" && it.name != "" && refs[it.ref].Nth == nil {
			return ""
		}
	}
	return strings.Join(ownWords(items, i), " ")
}

// parentsOf returns, for each item, the index of the item around it; none at the outermost level.
func parentsOf(items []item) []int {
	parents := make([]int, len(items))
	var around []int
	for i := range items {
		for len(around) > 0 && items[around[len(around)-1]].depth >= items[i].depth {
			around = around[:len(around)-1]
		}
		parents[i] = none
		if len(around) > 0 {
			parents[i] = around[len(around)-1]
		}
		around = append(around, i)
	}
	return parents
}

// headingsBefore returns, for each item, the index of the heading before it; none if there is none. A
// heading is about what follows it in its box, so it ends with the box.
func headingsBefore(items []item) []int {
	headings := make([]int, len(items))
	last := none
	for i := range items {
		if last != none && items[i].depth < items[last].depth {
			last = none
		}
		headings[i] = last
		if items[i].role == "heading" {
			last = i
		}
	}
	return headings
}
