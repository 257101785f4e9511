package snapshot

import (
	"cmp"
	"maps"
	"slices"
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

// fewCards is how many texts must be there to tell equal controls apart. Two links of the same name
// are mostly in a menu and a footer, and lead to the same page.
const fewCards = 3

// tellApart marks the lines that tell equal controls apart (context), and makes their words their
// name. Words are not shown if a control with a name of its own is inside. The parameter refs is the
// result of refsOf.
func tellApart(items []item, refs map[string]Ref) {
	equal := equalControls(items, refs)
	if len(equal) == 0 {
		return // as on most pages
	}
	parents, _ := nesting(items)
	rows, texts := rowsAround(items, parents), textsBefore(items)
	for _, controls := range equal {
		controls = slices.DeleteFunc(controls, func(i int) bool { return isInSentence(items, parents, i) })
		contexts := contextsThatDiffer(controls, rows, texts)
		for i, control := range contexts {
			if i != none {
				items[i].context = items[i].role != "heading" || !holdsRef(items, i) // a link in a heading says what the heading says
				items[control].toldApart = len(contexts) == len(controls)
			}
		}
	}
	for i := range items {
		if it := &items[i]; it.context && it.ref == "" {
			nameContext(items, i, refs)
		}
	}
}

// equalControls returns the controls that look equal to others, by what they look like.
func equalControls(items []item, refs map[string]Ref) map[kind][]int {
	equal := map[kind][]int{}
	for i := range items {
		it := &items[i]
		if it.ref != "" && refs[it.ref].Nth != nil && it.role != "option" && it.kind() != (kind{role: "generic"}) {
			equal[it.kind()] = append(equal[it.kind()], i)
		}
	}
	maps.DeleteFunc(equal, func(_ kind, controls []int) bool { return len(controls) < 2 })
	return equal
}

// isInSentence reports whether item i is a link that has text before and after it in a paragraph. An
// article may have many such links of one name. They are no controls of rows or cards, and most lead
// to the same page.
func isInSentence(items []item, parents []int, i int) bool {
	depth, next := items[i].depth, i+1
	if items[i].role != "link" || parents[i] == none || items[parents[i]].role != "paragraph" || !isTextAt(items, i-1, depth) {
		return false
	}
	for next < len(items) && items[next].depth > depth {
		next++
	}
	return isTextAt(items, next, depth)
}

// isTextAt reports whether item i is a text at this depth.
func isTextAt(items []item, i, depth int) bool {
	return i < len(items) && items[i].role == "text" && items[i].depth == depth
}

// contextsThatDiffer returns the contexts that tell equal controls apart; nil if nothing does. The
// contexts are rows, cards and headings. On many pages cards have no role. So if the texts before the
// controls distinguish more of them, the contexts are these texts.
func contextsThatDiffer(controls, rows, texts []int) map[int]int {
	contexts, near := contextsOf(controls, rows), contextsOf(controls, texts)
	if len(near) > len(contexts) && len(near) >= fewCards {
		contexts = near
	}
	if len(contexts) < 2 {
		return nil
	}
	return contexts
}

// contextsOf returns the different contexts of some controls. With each comes the last of the controls
// that have it. The parameter of has the context of each item.
func contextsOf(controls, of []int) map[int]int {
	contexts := map[int]int{}
	for _, i := range controls {
		contexts[of[i]] = i
	}
	return contexts
}

// rowsAround returns what is around each item with a ref. It is the closest control with a name, or
// row or card that holds several items. Without these it is the heading before the item, or none.
// The parents come from nesting.
func rowsAround(items []item, parents []int) []int {
	rows := headingsBefore(items)
	for i := range items {
		if items[i].ref == "" {
			continue
		}
		for p := parents[i]; p != none; p = parents[p] {
			it := &items[p]
			named := it.ref != "" && it.kind().name != ""
			if named || contextRoles(it.role) && (it.ref != "" || hasMore(items, p)) {
				rows[i] = p
				break
			}
		}
	}
	return rows
}

// textsBefore returns the first text before each control. The texts before a control come after the
// control before it. Controls that follow each other without a text have the same. An item that has
// a ref and a title, and holds controls, counts as the text of these. So does a heading if no text
// follows.
func textsBefore(items []item) []int {
	texts := make([]int, len(items))
	first, begins := none, true // begins: the next text is the first after a control
	for i := 0; i < len(items); i++ {
		texts[i] = first
		switch it := &items[i]; {
		case it.title != "" && holdsRef(items, i):
			first, begins = i, false
		case actionable(it):
			begins = true
			i += wordsOfControl(items, i)
		case it.role == "heading":
			first, begins = i, true
		case begins && len(it.said()) > 0:
			first, begins = i, false
		}
	}
	return texts
}

// wordsOfControl returns how many of the items after item i are words in it, if it is a control. They
// are its name, and not a text before the controls that follow.
func wordsOfControl(items []item, i int) int {
	end := i + 1
	for interactiveRoles(items[i].role) && end < len(items) && items[end].depth > items[i].depth && !actionable(&items[end]) {
		end++
	}
	return end - i - 1
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

// nameContext makes the words by which a person knows item i its name or text. A row needs none if
// one of the controls in it has a name that no other control has.
func nameContext(items []item, i int, refs map[string]Ref) {
	it := &items[i]
	words := it.said()
	switch {
	case contextRoles(it.role) && holdsUnique(items, i, refs):
		words = nil
	case contextRoles(it.role) || it.role == "heading" && it.name == "":
		words = ownWords(items, i)
	case it.role != "heading":
		for j := i + 1; j < len(items) && !actionable(&items[j]); j++ {
			words = append(words, items[j].said()...)
		}
		it.role = "text"
	}
	it.name, it.text, it.states = excerpt.Shorten(strings.Join(words, " "), contextLength), "", ""
	if it.role == "text" {
		it.name, it.text = "", it.name
	}
}

// holdsUnique reports whether a control with a name that no other control has is in item i.
func holdsUnique(items []item, i int, refs map[string]Ref) bool {
	for j := i + 1; j < len(items) && items[j].depth > items[i].depth; j++ {
		if it := &items[j]; it.ref != "" && it.name != "" && refs[it.ref].Nth == nil {
			return true
		}
	}
	return false
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
