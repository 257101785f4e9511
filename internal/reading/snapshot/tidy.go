package snapshot

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// tidy leaves out lines that say nothing beside those around them. These are wrappers that only
// have listeners, the layers that an editor draws behind its text, and handles to resize columns.
// Of many similar lines, only the first ones stay. No line that has words is removed. The lines
// that were left out can still be read: a snapshot with refs of all lines shows them, and Find
// finds them.
//
// First tidy marks items as idle. Then it removes them, and what was inside them moves up a level.
func (m marker) tidy(items []item) []item {
	m.markIdle(items)
	m.noteHandles(items)
	dontRepeatNames(items)
	items = withoutIdle(items)
	return gather(items)
}

// markIdle marks as idle (to be left out) the wrappers and handles that say nothing.
func (m marker) markIdle(items []item) {
	m.leaveOutWrappers(items)
	m.leaveOutHandles(items)
}

// withoutFocused leaves out the wrappers that have a line only while they have the focus. If the
// focus goes there and back, nothing on the page has changed.
func withoutFocused(items []item) []item {
	for i := range items {
		it := &items[i]
		wraps := i+1 < len(items) && items[i+1].depth > it.depth
		it.idle = wraps && it.hints == onlyFocused && it.role == "generic" && it.isWordless()
	}
	return withoutIdle(items)
}

// leaveOutWrappers marks as idle (to be left out) the wrappers: items whose only use is to contain
// other items, which have refs. A click goes to the innermost element and bubbles up. So a click on
// an item in a wrapper also runs the listeners of the wrapper. The line of the wrapper adds nothing
// to act on. There are two kinds of wrappers:
//
//   - An item that cannot be clicked.
//   - An item that is clickable in the same way as the item around it, so that a click on either
//     does the same. It must be the only item in the one around it, or have only one item in it. A
//     column of a board is clickable, as the board is, but beside other columns it is no wrapper.
//
// Some items that are hidden from screen readers (aria-hidden) are left out as well. Examples are the
// layers in which an editor draws text, selection and cursor; the text field is another element.
//
// Items are looked at in page order. So the arrays below, with an entry for each depth, hold what is
// true of the items around the current one.
func (m marker) leaveOutWrappers(items []item) {
	var clicks, hidden [deepest + 1]bool // for each depth, whether this holds for the current line at that depth, or for a line around it
	var inside []int                     // clickable items that are inside other clickable items
	for i := range items {
		it := &items[i]
		clicked, concealed := false, false
		if it.depth > 0 {
			clicked, concealed = clicks[it.depth-1], hidden[it.depth-1]
		}
		marks := m.of(it)
		clicks[it.depth] = clicked || slices.Contains(marks, clickable)
		hidden[it.depth] = concealed || it.states == "aria-hidden"
		if it.role != "generic" || it.says() {
			continue
		}
		switch {
		case len(marks) == 0:
			it.idle = concealed // the item and one around it are both hidden from screen readers
		case len(marks) > 1:
		case marks[0] == "canvas":
			it.idle = hidden[it.depth]
		case marks[0] == touchable:
			it.idle = true
		case isWeak(marks[0]):
			it.idle = holdsRef(items, i)
		case marks[0] == clickable && clicked:
			inside = append(inside, i)
		}
	}
	for _, i := range slices.Backward(inside) { // inner ones first, because the outer ones depend on them
		items[i].idle = holdsRef(items, i) && (isOnlyChild(items, i) || onlyChild(items, i) != nil)
	}
}

// boxRoles are the roles of lines that only say in what box other lines are.
var boxRoles = set("cell columnheader generic gridcell listitem rowheader")

// pressedRoles are the roles of controls for which it does not matter where they are clicked, and
// that do not lead elsewhere as links do. On a slider the place matters.
var pressedRoles = set("button checkbox combobox radio searchbox spinbutton switch textbox")

// markBoxes marks as idle (to be left out) the boxes that add nothing to what is in them. Most are
// around a single line: a cell with one button, or the header of a column with a link of the same
// name. Boxes that are only hovered are marked if they hold any ref, and groups of rows in any case.
func (m marker) markBoxes(items []item) {
	for i := range slices.Backward(items) { // inner ones first, because the outer ones depend on them
		it := &items[i]
		if it.role == "rowgroup" && it.ref == "" && !it.says() {
			it.idle = true
		}
		if it.idle || it.context || !boxRoles(it.role) || it.title != "" || it.description != "" {
			continue
		}
		child := onlyChild(items, i)
		if it.says() && (child == nil || !it.saysOnly(child.name)) {
			continue
		}
		it.idle = child != nil && (it.ref == "" || m.onlyPassesOn(it, child)) || !it.says() && m.isWeak(it) && holdsRef(items, i)
	}
}

// saysOnly reports whether a name is all that there is to read in an item.
func (it *item) saysOnly(name string) bool {
	return it.name == name && it.text == "" && it.note == "" && it.placeholder == "" && it.states == ""
}

// isWeak reports whether all marks of an item are weak, and it has some.
func (m marker) isWeak(it *item) bool {
	marks := m.of(it)
	return len(marks) > 0 && isWeak(marks[0])
}

// onlyPassesOn reports whether a box with a ref adds nothing to act on beside the only item in it. A
// click on that item bubbles up to the box. So a cell or list item adds nothing to a control, such as
// a day of a calendar. Another box may be a card, whose link leads elsewhere. But it adds nothing to
// a field or button.
func (m marker) onlyPassesOn(box, child *item) bool {
	if slices.ContainsFunc(m.of(box), func(mark string) bool { return mark != clickable && !isWeak(mark) }) {
		return false
	}
	return box.role != "generic" && interactiveRoles(child.role) || pressedRoles(child.role)
}

// withoutBoxes leaves out the boxes that markBoxes marks.
func (m marker) withoutBoxes(items []item) []item {
	m.markBoxes(items)
	return withoutIdle(items)
}

// repeatable is the minimum length, in bytes, of a name that is shortened in the name of its row.
const repeatable = 20

// namedByContent are roles that may contain controls and are named by all of their content.
var namedByContent = set("cell gridcell columnheader rowheader row treeitem")

// dontRepeatNames shortens the name of a row or cell. It writes … for the names of the controls in
// it, which follow in lines of their own. ARIA computes the name of such an element from all that
// it contains, so a row would repeat each of its links. Short names are left, because the name of the
// row is easier to read with them.
func dontRepeatNames(items []item) {
	for i := range items {
		it := &items[i]
		if len(it.name) < repeatable || !namedByContent(it.role) {
			continue
		}
		for j := i + 1; j < len(items) && items[j].depth > it.depth; j++ {
			if inside := &items[j]; inside.ref != "" && len(inside.name) >= repeatable {
				it.name = strings.Replace(it.name, inside.name, "…", 1)
			}
		}
	}
}

// leaveOutPositions removes the positions of rows and cells that follow from the line before. Grids
// that have only some of their rows in the page give each its position (rowindex=8). After a row at
// 7 this says nothing new. So among rows that follow each other, only the first shows its position.
// The next one that shows it comes after a gap, where the page has left rows out.
func leaveOutPositions(items []item) {
	// Index: depth of a line. Value: the position (rowindex=8) of the last line at this depth that
	// has one.
	var last [deepest + 1]string
	for i := range items {
		it := &items[i]
		if !strings.Contains(it.states, "index=") {
			continue
		}
		states := strings.Fields(it.states)
		for at, state := range states {
			key, number, _ := strings.Cut(state, "=")
			n, err := strconv.Atoi(number)
			if err != nil || key != "rowindex" && key != "colindex" {
				continue
			}
			if last[it.depth] == key+"="+strconv.Itoa(n-1) {
				states = slices.Delete(slices.Clone(states), at, at+1)
			}
			last[it.depth] = state
			break // an item has only one position: rows have a rowindex, cells a colindex
		}
		it.states = strings.Join(states, " ")
	}
}

// says reports whether an item has anything to read, other than a description of its looks.
func (it *item) says() bool {
	return it.name != "" || it.text != "" || it.note != "" || it.placeholder != "" || it.states != "" && it.states != "aria-hidden"
}

// isWordless reports whether an item has neither words nor states. That it has the focus (the state
// active) does not count.
func (it *item) isWordless() bool {
	return it.states == "active" && it.name == "" && it.text == "" && it.note == "" && it.placeholder == "" || !it.says()
}

// holdsRef reports whether an item with a ref is inside item i.
func holdsRef(items []item, i int) bool {
	for j := i + 1; j < len(items) && items[j].depth > items[i].depth; j++ {
		if items[j].ref != "" && !items[j].idle {
			return true
		}
	}
	return false
}

// isOnlyChild reports whether the item around item i contains no other item at its
// depth.
func isOnlyChild(items []item, i int) bool {
	depth := items[i].depth
	if i == 0 || items[i-1].depth >= depth {
		return false
	}
	for i++; i < len(items) && items[i].depth > depth; i++ {
	}
	return i == len(items) || items[i].depth < depth
}

// onlyChild returns the item that item i will contain directly when the idle ones are left out. It
// returns nil if there are several or none.
func onlyChild(items []item, i int) *item {
	var child *item
	after := false // whether all that is inside child has been passed
	for j := i + 1; j < len(items) && items[j].depth > items[i].depth; j++ {
		after = after || child != nil && items[j].depth <= child.depth
		switch {
		case items[j].idle: // what is inside it moves up
		case child == nil:
			child = &items[j]
		case after:
			return nil
		}
	}
	return child
}

// Limits for items that look the same. Items beyond a limit are counted and not shown.
const (
	manyAlike   = 10 // number of equal items beside each other, such as the stars of a rating
	manyHandles = 2  // handles for resizing, wherever they are
)

// moreAlike is the line about items that were left out because they look like the one before.
const moreAlike = "… %d more like this"

// looks is all that a line without words shows, except its ref. A reader cannot distinguish items
// that are equal in this, whatever their refs.
type looks struct{ role, states, hints, description string }

// leaveOutHandles marks as idle (to be left out) the handles that resize something, if there are
// many that nothing distinguishes. Tables have one in each column, some in each cell, and a dialog
// has one at each edge. A snapshot with refs of all lines still has them.
func (m marker) leaveOutHandles(items []item) {
	handles := map[looks][]int{}
	for i := range items {
		if !m.isHandle(items, i) {
			continue
		}
		look := items[i].looks()
		if m.isHandleBeside(items, i, i-1) || m.isHandleBeside(items, i, i+1) {
			look.description = "" // the edge of the box that the handle is at
		}
		handles[look] = append(handles[look], i)
	}
	for _, all := range handles {
		if len(all) > manyHandles {
			for _, i := range all {
				items[i].idle = true
			}
		}
	}
}

// isHandle reports whether item i is a handle that resizes something, and has no words.
func (m marker) isHandle(items []item, i int) bool {
	return slices.Contains(m.of(&items[i]), resizes) && isSign(items, i)
}

// isHandleBeside reports whether item j is a handle beside item i, in the same element.
func (m marker) isHandleBeside(items []item, i, j int) bool {
	return j >= 0 && j < len(items) && items[j].depth == items[i].depth && m.isHandle(items, j)
}

// noteHandles puts a line with the number of the handles that are left out in place of the first one.
func (m marker) noteHandles(items []item) {
	var left []int
	for i := range items {
		if items[i].idle && m.isHandle(items, i) {
			left = append(left, i)
		}
	}
	if len(left) > 0 {
		first := &items[left[0]]
		*first = item{node: node{depth: first.depth}, note: fmt.Sprintf("… %d resize handles: refs=all shows them", len(left))}
	}
}

// gather shortens runs of many items that nothing distinguishes. The first one stays and shows what
// they are. The others become a line with their number. An agent that needs another one finds it by
// Find or a snapshot with all refs.
func gather(items []item) []item {
	more := map[int]int{} // for each item, how many similar items are left out
	for i := 0; i < len(items); {
		n := alike(items, i)
		if n > manyAlike {
			more[i] = n - 1
			for j := i + 1; j < i+n; j++ {
				items[j].idle = true
			}
		}
		i += max(n, 1)
	}
	if len(more) == 0 {
		return items
	}
	return withNotes(items, more, moreAlike)
}

// alike returns how many items from i on are beside each other and look the same; 0 if item i has
// words or holds others.
func alike(items []item, i int) (n int) {
	first := &items[i]
	for i < len(items) && items[i].depth == first.depth && items[i].looks() == first.looks() && isSign(items, i) {
		n, i = n+1, i+1
	}
	return n
}

// If a drop-down has more options than manyOptions, an efficient snapshot lists only the first ones
// and the selected ones. A delta does so with new options.
const (
	manyOptions  = 12
	firstOptions = 8
)

// moreOptions is the line about options that were left out.
const moreOptions = "… %d more options: find shows those with given words"

// foldOptions leaves out most options of long drop-downs: a list of all countries would
// fill the snapshot before the button below it.
func foldOptions(items []item) []item {
	more := map[int]int{} // for each item, how many options are left out after it
	for i := range items {
		if items[i].role != "combobox" {
			continue
		}
		var options []int
		for j := i + 1; j < i+length(items, i); j++ {
			if items[j].role == "option" && items[j].ref == "" {
				options = append(options, j)
			}
		}
		left := surplus(options, func(j int) bool { return items[j].is("selected") })
		for _, j := range left {
			items[j].idle = true
		}
		if len(left) > 0 {
			more[options[firstOptions-1]] = len(left)
		}
	}
	if len(more) == 0 {
		return items
	}
	return withNotes(items, more, moreOptions)
}

// surplus returns the options of a drop-down that are left out.
func surplus(options []int, isSelected func(i int) bool) (left []int) {
	if len(options) <= manyOptions {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(options[firstOptions:]), isSelected)
}

// isSign reports whether item i has a ref, says nothing and holds no others.
func isSign(items []item, i int) bool {
	if items[i].ref == "" || items[i].says() {
		return false
	}
	return i+1 == len(items) || items[i+1].depth <= items[i].depth
}

func (it *item) looks() looks { return looks{it.role, it.states, it.hints, it.description} }

// withNotes returns the items without those that are marked as idle. The map more has the items
// after which others were left out, and how many. After each such item it adds a line with the
// number, made with the format in the parameter note.
func withNotes(items []item, more map[int]int, note string) []item {
	kept := make([]item, 0, len(items))
	for i := range items {
		if items[i].idle {
			continue
		}
		kept = append(kept, items[i])
		if n := more[i]; n > 0 {
			kept = append(kept, item{node: node{depth: items[i].depth}, note: fmt.Sprintf(note, n)})
		}
	}
	return kept
}
