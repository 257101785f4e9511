package snapshot

import (
	"fmt"
	"slices"
	"strings"
)

// fewListeners is the number of elements with new listeners up to which a delta lists them one by
// one.
const fewListeners = 10

// withoutNewListeners replaces elements that have a ref in only one of the snapshots, because a script
// listens there, and else read the same. They get the lines of the other snapshot. Scripts often
// begin to listen after the page was first read. A delta would list all these elements as new, and
// their texts as gone. It returns notes for the delta instead. There are none if there are only few such
// elements: then nothing is replaced.
func withoutNewListeners(before, after []Line) (was, is []Line, notes []string) {
	was, had := unheard(before, after)
	is, has := unheard(after, before)
	if had+has <= fewListeners {
		return before, after, nil
	}
	if has > 0 {
		notes = append(notes, fmt.Sprintf("(%d elements that read as before have refs now, because a script listens there: a snapshot shows them)", has))
	}
	if had > 0 {
		notes = append(notes, fmt.Sprintf("(%d elements that read as before have no refs now, because no script listens there)", had))
	}
	return was, is, notes
}

// unheard returns the lines without refs for elements that have none in the other snapshot, and the
// number of these refs. It takes only lines that the other snapshot has more often.
func unheard(lines, other []Line) (plain []Line, n int) {
	known := refsIn(other)
	isNew := func(line Line) bool { return line.Ref != "" && !known[line.Ref] && silent(line) != "" }
	if !slices.ContainsFunc(lines, isNew) {
		return lines, 0
	}
	spare := map[string]int{} // how many more lines without a ref read so in the other snapshot
	count := func(all []Line, by int) {
		for _, line := range all {
			if line.Ref == "" {
				spare[bareLine(line.Text)] += by
			}
		}
	}
	count(other, 1)
	count(lines, -1)
	for i := 0; i < len(lines); {
		text, end, refs := silentAll(lines, i, isNew)
		if refs == 0 || spare[text] <= 0 {
			plain = append(plain, lines[i])
			i++
			continue
		}
		spare[text]--
		plain, n = append(plain, Line{Depth: lines[i].Depth, Text: "- " + text}), n+refs
		i = end
	}
	return plain, n
}

// silentAll returns how the element of line i would read if no script listened there, and the line
// after the element. The texts in an element without a role are then one text. The number of refs in
// the element is 0 if it has others than those for which isNew is true.
func silentAll(lines []Line, i int, isNew func(Line) bool) (text string, end, refs int) {
	if !isNew(lines[i]) {
		return "", i + 1, 0
	}
	text, end, refs = silent(lines[i]), i+1, 1
	if role(text) != "text" {
		return text, end, refs
	}
	words := strings.Fields(pageWordsOf(text))
	for ; end < len(lines) && lines[end].Depth > lines[i].Depth; end++ {
		inside := bareLine(lines[end].Text)
		if isNew(lines[end]) {
			inside = silent(lines[end])
			refs++
		}
		if role(inside) != "text" {
			return "", end, 0
		}
		words = append(words, strings.Fields(pageWordsOf(inside))...)
	}
	return "text: " + strings.Join(words, " "), end, refs
}

// silent returns how a line would read without its ref and the marks for listeners, "" if it has no
// such mark.
func silent(line Line) string {
	text := bareLine(withoutNewMark(line))
	quiet := withoutMarks(text)
	if quiet == text {
		return ""
	}
	quiet = strings.Replace(quiet, " [ref="+line.Ref+"]", "", 1)
	if words, is := strings.CutPrefix(quiet+" ", "generic: "); is {
		return "text: " + strings.TrimSpace(words)
	}
	return quiet
}
