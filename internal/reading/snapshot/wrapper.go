package snapshot

import "slices"

// withoutNewWrappers leaves out the wrappers that only one of the two snapshots has. A wrapper is a
// line without words around other lines, which has a ref because a script listens there. Scripts
// often begin to listen after the page was first read. Nothing on the page has changed then, but a
// delta would list each wrapper, and all that is inside.
func withoutNewWrappers(before, after []Line) (was, is []Line) {
	if !slices.ContainsFunc(before, isWrapper) && !slices.ContainsFunc(after, isWrapper) {
		return before, after
	}
	had, has := refsIn(before), refsIn(after)
	return withoutWrappers(before, has), withoutWrappers(after, had)
}

func isWrapper(line Line) bool { return line.wordless && line.Ref != "" }

// withoutWrappers leaves out the wrappers whose refs are not known. Mostly there are none, and then
// the lines are not copied.
func withoutWrappers(lines []Line, known map[string]bool) []Line {
	isNew := func(line Line) bool { return isWrapper(line) && !known[line.Ref] }
	if !slices.ContainsFunc(lines, isNew) {
		return lines
	}
	kept, _ := unwrap(lines, known, isNew)
	return kept
}

// unwrap returns the lines without some of those for which the function wraps returns true. They are
// left out if the other snapshot does not have them, but has a line that they contain. The parameter
// known has the refs of the other snapshot. What was inside moves up: lifted says which of the
// returned lines have. The lines are copies.
func unwrap(lines []Line, known map[string]bool, wraps func(Line) bool) (kept []Line, lifted []bool) {
	var around []int // depths of the lines around the current one that were left out
	for i, line := range lines {
		for len(around) > 0 && around[len(around)-1] >= line.Depth {
			around = around[:len(around)-1]
		}
		if wraps(line) && !known[line.Ref] && containsKnown(lines[i:], known) {
			around = append(around, line.Depth)
			continue
		}
		line.Depth -= len(around)
		kept, lifted = append(kept, line), append(lifted, len(around) > 0)
	}
	return kept, lifted
}

// containsKnown reports whether a line with one of these refs is inside the first line.
func containsKnown(lines []Line, known map[string]bool) bool {
	for _, line := range lines[1:] {
		if line.Depth <= lines[0].Depth {
			return false
		}
		if known[line.Ref] {
			return true
		}
	}
	return false
}
