package snapshot

import (
	"slices"
	"strings"
	"sync"
)

// A mark says in a word why an element that is not a control by its role can be acted on. The page
// script lists the listeners, attributes and styles that are reasons. These are called hints. Hints
// that mean the same become one mark.
const (
	clickable   = "clickable"
	doubleClick = "doubleclickable" // the element listens for double clicks, and not for single ones
	draggable   = "draggable"
	droppable   = "droppable"
	hoverable   = "hoverable"
	focusable   = "focusable"
	contextMenu = "contextmenu"
	takesKeys   = "keys"
	touchable   = "touchable" // the element listens for touches, and not for the mouse
	resizes     = "resize"
)

// onlyFocused is the hint of an element that can be acted on only while it has the focus. A script
// has put the focus there, as on a dialog that opens.
const onlyFocused = "focused"

// markOf is the mark of each hint. Hints that are not here, such as contenteditable,
// are marks themselves.
var markOf = sync.OnceValue(func() map[string]string {
	return byWord(map[string]string{
		clickable:   "cursor:pointer onclick onmousedown onmouseup onpointerdown onpointerup aria-expanded aria-haspopup aria-sort",
		doubleClick: "ondblclick",
		touchable:   "ontouchstart ontouchmove ontouchend",
		droppable:   "ondrop ondragover ondragenter ondragleave",
		hoverable: "onmouseover onmouseenter onmousemove onmouseout onmouseleave " +
			"onpointerover onpointerenter onpointermove onpointerout onpointerleave",
		focusable:   "tabindex " + onlyFocused,
		contextMenu: "oncontextmenu",
		takesKeys:   "onkeydown onkeyup onkeypress",
	})
})

// byWord returns a map from each word to its meaning. It is given the words of each meaning,
// separated by spaces.
func byWord(words map[string]string) map[string]string {
	m := map[string]string{}
	for meaning, all := range words {
		for word := range strings.FieldsSeq(all) {
			m[word] = meaning
		}
	}
	return m
}

// weak are the marks that a line has only when it has no other, and then only the first of them.
// What can be clicked can mostly be hovered, so a mark for that would say little.
var weak = []string{hoverable, focusable, contextMenu, takesKeys, touchable}

// widgetRoles are the roles of ARIA's widgets. Such a role already says that the element can be
// clicked, hovered or focused. A row is among them, but most rows cannot be clicked.
var widgetRoles = set("row gridcell columnheader rowheader grid treegrid tree listbox menu menubar radiogroup tablist")

// A marker caches the marks for each text of hints. A framework adds the same listeners to
// thousands of elements, whose hints are then the same text, so their marks are computed once. A
// marker is not for concurrent use: each rendering makes its own.
type marker map[string][]string

// of returns the marks of an item, such as clickable. They are made from its hints: the signs by
// which the page script knows that an element can be acted on, such as onclick.
func (m marker) of(it *item) []string {
	if it.hints == "" {
		return nil
	}
	marks, known := m[it.hints]
	if !known {
		marks = marksOf(it.hints)
		m[it.hints] = marks
	}
	return marks
}

// marksOf returns the marks for a list of hints that is separated by ", ". They are in the order of
// the hints, each once. A hint of the form key:value that has no mark becomes key=value.
func marksOf(hints string) (marks []string) {
	has := map[string]bool{}
	for hint := range strings.SplitSeq(hints, ", ") {
		mark := markOf()[hint]
		if mark == "" {
			mark = strings.Replace(hint, ":", "=", 1)
		}
		if !has[mark] {
			has[mark] = true
			marks = append(marks, mark)
		}
	}
	return strongest(marks, has)
}

// strongest returns the marks without the superfluous ones. Weak marks are superfluous. On a handle
// to resize something, the marks clickable and draggable are so as well. So is doubleClick beside
// clickable. If all marks are weak, it returns only the first of them, in the order of weak.
func strongest(marks []string, has map[string]bool) []string {
	var strong []string
	for _, m := range marks {
		if !isWeak(m) && !(has[resizes] && (m == clickable || m == draggable)) && !(has[clickable] && m == doubleClick) {
			strong = append(strong, m)
		}
	}
	for _, m := range weak {
		if strong == nil && has[m] {
			strong = []string{m}
		}
	}
	return strong
}

func isWeak(mark string) bool { return slices.Contains(weak, mark) }

// implies reports whether the role of an item means what a mark does. A row implies the weak marks
// only. In most tables rows cannot be clicked, so rows that can be clicked have the mark.
func (it *item) implies(mark string) bool {
	return widgetRoles(it.role) && ((mark == clickable || mark == doubleClick) && it.role != "row" || isWeak(mark))
}

// visibleMarks returns, by the index of the item, the marks that its line shows. A mark is left out
// if the item's role implies it. If the parameter tidy is true, it is also left out if a line
// around the item has it. Few items have marks, so they are not a field of the items, whose size
// matters on a large page.
func (m marker) visibleMarks(items []item, tidy bool) map[int][]string {
	shown := map[int][]string{}
	var clicks [deepest + 1]bool // for each depth, whether the current line there, or one around it, is clickable
	for i := range items {
		it := &items[i]
		inside := it.depth > 0 && clicks[it.depth-1]
		clicks[it.depth] = inside
		if it.hints == "" {
			continue
		}
		for _, mark := range m.of(it) {
			if mark == clickable {
				clicks[it.depth] = true
			}
			if !it.implies(mark) && !(tidy && inside && mark == clickable) {
				shown[i] = append(shown[i], mark)
			}
		}
	}
	return shown
}
