package snapshot

import (
	"fmt"
	"slices"
	"strings"
)

// While a modal dialog or menu is open, pages bar what is behind it, by aria-hidden, inert or
// pointer-events: none. Then all lines of the page have other marks, or are inside a new line that
// has only such a mark. A delta would list the whole page, and the dialog among it. So if many
// lines were barred, or no longer are, the delta only has their number.

// fewBarred is the number of lines up to which the delta lists them one by one: a page may also bar
// single controls.
const fewBarred = 10

var bars = []string{" [aria-hidden]", " [inert]", ignoresMouse}

const ignoresMouse = " [pointer-events=none]"

// withoutBars removes the marks of barred lines from two snapshots, if the number of such lines is
// very different. It returns a note for the delta, "" if it has removed nothing.
func withoutBars(before, after []Line) (was, is []Line, note string) {
	if !slices.ContainsFunc(before, Line.isBarred) && !slices.ContainsFunc(after, Line.isBarred) {
		return before, after, ""
	}
	was, had := unbar(before, refsIn(after))
	is, has := unbar(after, refsIn(before))
	switch {
	case has > had+fewBarred:
		note = fmt.Sprintf("(%d lines are [aria-hidden], [inert] or [pointer-events=none] now, as behind an open dialog or menu)", has-had)
	case had > has+fewBarred:
		note = fmt.Sprintf("(%d lines are no longer [aria-hidden], [inert] or [pointer-events=none])", had-has)
	default:
		return before, after, ""
	}
	return was, is, note
}

// leaveOutUnusable leaves out of an efficient snapshot what cannot be used now. That is what is inert,
// as behind an open dialog, or off the screen, as in a menu that slides in. It adds the number of
// these elements. If there are only a few, they stay and are marked. Without the mark they would
// read as if they could be used, since the line around them that says inert is left out.
func leaveOutUnusable(items []item) []item {
	inert, unusable := make([]bool, len(items)), offTheScreen(items)
	var around []int // depths of the inert items around the current one
	for i := range items {
		it := &items[i]
		for len(around) > 0 && around[len(around)-1] >= it.depth {
			around = around[:len(around)-1]
		}
		if it.is("inert") {
			around = append(around, it.depth)
		}
		inert[i] = len(around) > 0
		unusable[i] = unusable[i] || inert[i]
	}
	kept, many := leaveOut(items, unusable, "[inert] or [off-screen]")
	if many {
		return kept
	}
	for i := range items {
		if it := &items[i]; inert[i] && it.ref != "" && !it.is("inert") {
			it.states = strings.TrimSpace(it.states + " inert")
		}
	}
	return items
}

// leaveOutOffScreen leaves out what is off the screen, such as a closed picker.
func leaveOutOffScreen(items []item) []item {
	items, _ = leaveOut(items, offTheScreen(items), "[off-screen]")
	return items
}

// leaveOut leaves out unusable items, and boxes that hold nothing else. It adds a line with the number of
// elements, and with the marks that they have. If they are only a few, or all, it leaves out nothing.
func leaveOut(items []item, unusable []bool, marks string) (kept []item, many bool) {
	n, usable := 0, 0
	for i := range items {
		switch {
		case items[i].ref == "":
		case unusable[i]:
			n++
		default:
			usable++
		}
	}
	if n <= fewBarred || usable == 0 {
		return items, false
	}
	isBox := func(i int) bool { return items[i].ref == "" }
	for i, goes := range withEmptied(unusable, func(i int) int { return items[i].depth }, isBox) {
		items[i].idle = goes
	}
	note := fmt.Sprintf("(%d elements that are %s cannot be used now, and are left out: find or a whole snapshot shows them)", n, marks)
	return append(withoutIdle(items), item{note: note}), true
}

// withEmptied returns which lines are left out if those of the parameter out are. These are also the
// boxes that hold nothing else.
func withEmptied(out []bool, depth func(i int) int, isBox func(i int) bool) []bool {
	all := slices.Clone(out)
	below := 0 // depth of the line below that stays
	for i := range slices.Backward(all) {
		holds := i+1 < len(all) && depth(i+1) > depth(i)
		all[i] = all[i] || holds && isBox(i) && below <= depth(i)
		if !all[i] {
			below = depth(i)
		}
	}
	return all
}

// offScreen is the hint of an element that is where no scrolling leads. It is the last of the hints.
const offScreen = "off-screen"

// offTheScreen says of each item whether it is off the screen. An item whose element was not measured
// is where the item around it is.
func offTheScreen(items []item) []bool {
	off := make([]bool, len(items))
	isOff := func(it item) bool { return strings.HasSuffix(it.hints, offScreen) }
	if !slices.ContainsFunc(items, isOff) {
		return off
	}
	parents, _ := nesting(items)
	for i := range items {
		switch it := &items[i]; {
		case it.node.ref != 0 || it.hints != "":
			off[i] = isOff(*it)
		case parents[i] != none:
			off[i] = off[parents[i]]
		}
	}
	return off
}

// withoutOffScreen returns the lines without what is off the screen, and without lists that hold
// nothing else. So a delta shows a menu as new when it comes onto the page, with its words, and as
// gone when it leaves.
func withoutOffScreen(lines []Line) []Line {
	if !slices.ContainsFunc(lines, func(l Line) bool { return l.offScreen }) {
		return lines
	}
	off := make([]bool, len(lines))
	for i, line := range lines {
		off[i] = line.offScreen
	}
	kept := make([]Line, 0, len(lines))
	for i, goes := range withEmptied(off, func(i int) int { return lines[i].Depth }, func(i int) bool { return lines[i].Ref == "" }) {
		if !goes {
			kept = append(kept, lines[i])
		}
	}
	return kept
}

func (l Line) isBarred() bool { return withoutBarMarks(l.Text) != l.Text }

func refsIn(lines []Line) map[string]bool {
	refs := make(map[string]bool, len(lines))
	for _, line := range lines {
		if line.Ref != "" {
			refs[line.Ref] = true
		}
	}
	return refs
}

// unbar returns the lines without the marks of those that are barred, and the number of these. The
// words for what a line can be used for are removed as well, since a line that ignores the mouse has
// none. Lines whose ref is not in known keep their marks: the other snapshot does not have them. If
// such a line has no words either, and ignores the mouse, it is left out. So are lines around barred
// ones that have nothing but a mark.
func unbar(lines []Line, known map[string]bool) (free []Line, barred int) {
	all, lifted := unwrap(lines, known, onlyBars)
	for i, line := range all {
		isBarred, holds := line.isBarred(), i+1 < len(all) && all[i+1].Depth > line.Depth
		if line.Ref != "" && !known[line.Ref] {
			if line.wordless && !holds && strings.Contains(line.Text, ignoresMouse) {
				barred++
			} else {
				free = append(free, line)
			}
			continue
		}
		if lifted[i] || isBarred {
			barred++
		}
		line.Text = withoutMarks(withoutBarMarks(line.Text))
		if isBarred && line.Ref == "" {
			line.Text = asText(line.Text)
		}
		free = append(free, line)
	}
	return free, barred
}

// asText returns the line of an element that has nothing but text as the line of that text. An
// element of its own, without a role, has a line only while it has a mark.
func asText(line string) string {
	if words, is := strings.CutPrefix(bareLine(line), "generic: "); is {
		return strings.TrimSuffix(line, bareLine(line)) + "text: " + words
	}
	return line
}

// onlyBars reports whether a line has no words, and bars the lines inside.
func onlyBars(line Line) bool {
	text := bareLine(line.Text)
	return role(text) == "generic" && pageWordsOf(text) == "" && (strings.Contains(text, bars[0]) || strings.Contains(text, bars[1]))
}

func withoutBarMarks(text string) string {
	for _, mark := range bars {
		text = strings.Replace(text, mark, "", 1)
	}
	return text
}
