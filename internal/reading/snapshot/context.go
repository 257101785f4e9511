package snapshot

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"chela/internal/wall/excerpt"
)

// An efficient snapshot has lines for controls only. If each row of a table has a button Delete, it
// would not say which button is in which row. So it also shows the rows, cards, groups and headings
// that tell equal controls apart, with the words by which a person knows them.

// contextRoles are the roles of items that are repeated on a page, with equal controls in each.
var contextRoles = set("article listitem row treeitem")

// groupRoles are the roles of boxes whose name says what the controls in them are about.
var groupRoles = set("alertdialog dialog figure form grid group list radiogroup region search table tabpanel toolbar")

// contextLength is how many characters of the words of a row or heading are shown.
const contextLength = 60

// A kind is what an efficient snapshot shows of a control. Controls of one kind look equal.
type kind struct{ role, name string }

func (it *item) kind() kind { return kind{it.role, cmp.Or(it.name, it.title, it.description)} }

// fewCards is how many texts must be there to tell equal controls apart, unless these are buttons or fields.
// Two links of the same name are mostly in a menu and a footer, and lead to the same page.
const fewCards = 3

// tellApart marks the lines that tell equal controls apart (context), and makes their words their
// name. The parameter refs is the result of refsOf.
func tellApart(items []item, refs map[string]Ref) {
	equal := equalControls(items, refs)
	if len(equal) == 0 {
		return // as on most pages
	}
	parents, _ := nesting(items)
	rows, groups, texts := rowsAround(items, parents), groupsAround(items, parents), textsBefore(items)
	for looks, controls := range equal {
		controls = slices.DeleteFunc(controls, func(i int) bool { return isInSentence(items, parents, i) })
		few := fewCards
		if pressedRoles(looks.role) || fieldRoles(looks.role) {
			few = 2
		}
		for _, contexts := range contextsThatDiffer(controls, rows, groups, texts, few) {
			for i, control := range contexts {
				if i != none {
					items[i].context = items[i].role != "heading" || !holdsRef(items, i) // a link in a heading says what the heading says
					items[control].toldApart = items[control].toldApart || len(contexts) == len(controls)
				}
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

// contextsThatDiffer returns the contexts that tell equal controls apart; nil if nothing does. These
// are rows, cards and headings. If groups with a name distinguish more controls, they are added. On
// many pages cards have no role. So if the texts before the controls distinguish still more, and are
// not too few, the contexts are these texts alone. Fewer than fewCards must also be close.
func contextsThatDiffer(controls, rows, groups, texts []int, few int) (differ []map[int]int) {
	most := 1
	for _, of := range [][]int{rows, groups} {
		if contexts := contextsOf(controls, of); len(contexts) > most {
			differ, most = append(differ, contexts), len(contexts)
		}
	}
	isFar := func(i int) bool { return texts[i] == none || i-texts[i] > labelItems }
	if near := contextsOf(controls, texts); len(near) > most && len(near) >= few && (len(near) >= fewCards || !slices.ContainsFunc(controls, isFar)) {
		return []map[int]int{near}
	}
	return differ
}

// labelItems is how many items before a control a text begins that is its label.
const labelItems = 4

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

// groupsAround returns the closest group with a name that is around each item with a ref, or none.
func groupsAround(items []item, parents []int) []int {
	groups := make([]int, len(items))
	for i := range items {
		groups[i] = none
		for p := parents[i]; items[i].ref != "" && p != none && groups[i] == none; p = parents[p] {
			if groupRoles(items[p].role) && items[p].name != "" {
				groups[i] = p
			}
		}
	}
	return groups
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

// nameContext makes the words by which a person knows item i its name or text. If a control in a row
// has a name that no other control has, only the words before it may be needed.
func nameContext(items []item, i int, refs map[string]Ref) {
	it := &items[i]
	words := it.said()
	switch {
	case contextRoles(it.role):
		end, unique := firstUnique(items, i, refs)
		if words = append(spanningWords(items, i), ownWords(items[:end], i)...); unique && !hasLetter(strings.Join(words, "")) {
			words = nil
		}
	case groupRoles(it.role):
	case it.role == "heading" && it.name == "":
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

// spanningWords returns the words of the cells that reach into row i from the rows above it.
func spanningWords(items []item, i int) (words []string) {
	for j, rows := i-1, 1; j >= 0 && rows < longestSpan && items[j].depth >= items[i].depth; j-- {
		switch it := &items[j]; {
		case it.depth == items[i].depth:
			rows++
		case it.depth == items[i].depth+1 && it.spans() > rows && it.name != "":
			words = append([]string{it.name}, words...)
		case it.depth == items[i].depth+1 && it.spans() > rows:
			words = append(ownWords(items, j), words...)
		}
	}
	return words
}

// longestSpan is how many rows are searched for cells that reach into a row.
const longestSpan = 50

// spans returns the number of rows that a cell reaches into, 0 if that is one.
func (it *item) spans() int {
	_, after, _ := strings.Cut(it.states, "rowspan=")
	number, _, _ := strings.Cut(after, " ")
	rows, _ := strconv.Atoi(number)
	return rows
}

// firstUnique returns the first control in item i that has a name which no other control has, and
// whether there is one. A heading or the like that begins with the control has the same words, so it is
// returned in its place. Without such a control it returns where the item ends. A number or price is no
// such name.
func firstUnique(items []item, i int, refs map[string]Ref) (at int, found bool) {
	for at = i + 1; at < len(items) && items[at].depth > items[i].depth; at++ {
		if it := &items[at]; it.ref != "" && hasLetter(it.name) && refs[it.ref].Nth == nil {
			for at-1 > i && items[at-1].depth < items[at].depth && items[at-1].ref == "" {
				at--
			}
			return at, true
		}
	}
	return at, false
}

func hasLetter(s string) bool { return strings.ContainsFunc(s, unicode.IsLetter) }

// showDialogs keeps the lines of dialogs, with the words in them. A dialog asks what its buttons answer.
func showDialogs(items []item) {
	for i := range items {
		it := &items[i]
		if !dialogRoles(it.role) {
			continue
		}
		words := slices.DeleteFunc(ownWords(items, i), func(word string) bool { return word == it.name })
		if it.title == "" {
			it.text = excerpt.Shorten(strings.Join(words, " "), titleLength)
		}
		it.context = it.says() || holdsRef(items, i)
	}
}

var dialogRoles = set("alertdialog dialog")

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
