package snapshot

import (
	"slices"
	"strings"
)

// Marks say in a word why an element that is no control by its role can be acted
// on. The walker names each listener and attribute that says so, its hints; of
// those that say the same, a line has one mark.
const (
	clickable   = "clickable"
	draggable   = "draggable"
	droppable   = "droppable"
	hoverable   = "hoverable"
	focusable   = "focusable"
	contextMenu = "contextmenu"
	takesKeys   = "keys"
	touchable   = "touchable" // a mouse does nothing there
	resizes     = "resize"
)

// markOf says which mark a hint comes under. Hints that are not here, such as
// contenteditable, are marks as they stand.
var markOf = byWord(map[string]string{
	clickable:   "cursor:pointer onclick ondblclick onmousedown onmouseup onpointerdown onpointerup",
	touchable:   "ontouchstart ontouchmove ontouchend",
	droppable:   "ondrop ondragover ondragenter ondragleave",
	hoverable:   "onmouseover onmouseenter onmousemove onmouseout onmouseleave onpointerover onpointerenter onpointermove onpointerout onpointerleave",
	focusable:   "tabindex",
	contextMenu: "oncontextmenu",
	takesKeys:   "onkeydown onkeyup onkeypress",
})

// byWord turns a map of words, apart by spaces, around.
func byWord(words map[string]string) map[string]string {
	m := map[string]string{}
	for meaning, all := range words {
		for word := range strings.FieldsSeq(all) {
			m[word] = meaning
		}
	}
	return m
}

// weak are marks that a line has only when it has no other, the first that it
// has: what can be clicked need not say that it can be hovered, too.
var weak = []string{hoverable, focusable, contextMenu, takesKeys, touchable}

// widgetRoles say by themselves that what has them may be clicked, hovered or
// have the focus, as ARIA's widgets may; rows, which most tables only show, not
// that they may be clicked.
var widgetRoles = set("row gridcell columnheader rowheader grid treegrid tree listbox menu menubar radiogroup tablist")

// A marker finds the marks of hints. Many lines of a page have the same.
type marker map[string][]string

// of returns the marks that the hints of an item come to.
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

func marksOf(hints string) (marks []string) {
	has := map[string]bool{}
	for hint := range strings.SplitSeq(hints, ", ") {
		mark := markOf[hint]
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

// strongest returns the marks without those that go without saying: all weak
// ones but the first, or all when there are others, and clickable of a handle.
func strongest(marks []string, has map[string]bool) []string {
	var strong []string
	for _, m := range marks {
		if !isWeak(m) && !(m == clickable && has[resizes]) {
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

// implies reports whether the role of an item says what a mark does.
func (it *item) implies(mark string) bool {
	return widgetRoles[it.role] && (mark == clickable && it.role != "row" || isWeak(mark))
}

// shown returns, by item, the marks that its line shows: those that neither its
// role nor, if tidy, a mark of the lines around it says. Few items have any, so
// they are not kept in the items, whose size counts on a large page.
func (m marker) shown(items []item, tidy bool) map[int][]string {
	shown := map[int][]string{}
	var clicks [deepest + 1]bool // by depth, whether the current line there, or one around it, is clickable
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
