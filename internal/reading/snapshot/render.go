package snapshot

import (
	"fmt"
	"slices"
	"strings"

	"chela/internal/wall/excerpt"
)

// Render writes the page of root as text, in these steps:
//
//  1. The lines of all frames are joined into one list of items (stitch).
//  2. What each ref stands for is noted, before anything is left out: so a ref has the
//     same name and number in every format.
//  3. Items that say nothing beside those around them are left out (tidy).
//  4. Items that the options do not ask for are left out. What is inside them moves up.
//  5. The rest is printed, and cut at Options.MaxChars.
//
// It changes nothing in root, and needs no more than a few passes over the items: a
// page of 10,000 elements takes about 3 ms.
func Render(root *Frame, o Options) Snapshot {
	s := stitch(root, o.AllRefs)
	items := s.items
	refs := refsOf(items) // the refs of all items, so that refs mean the same in every format
	tidy := !o.KeepRepeats && !o.AllRefs
	if o.Known != nil && o.Known.Walk != nil {
		items = leaveOutKnown(items, o.Known)
	}
	m := marker{}
	switch {
	case !s.hinted:
	case tidy:
		items = m.tidy(items)
	case o.KeepRepeats:
		items = withoutFocused(items)
		if !o.AllRefs {
			m.markIdle(items)
		}
	}
	if o.KeepRepeats && !o.AllRefs {
		m.markBoxes(items)
	}
	all, folded := 0, false
	if o.Interactive && o.Compact {
		all = size(items) // size with all items, to be compared below with the size after items were left out
	}
	switch {
	case o.Interactive:
		isEfficient := o.Compact && tidy
		if isEfficient {
			items = leaveOutUnusable(items)
		}
		giveTitles(items)
		if o.Fold && !o.Searched {
			whole := len(items)
			items = foldLike(items, o.SelectorOf)
			folded = len(items) < whole
		}
		if isEfficient {
			tellApart(items, refs)
			items = m.withoutBoxes(items)
		}
		showDialogs(items)
		items = keep(items, actionable)
		if o.Compact && !o.Searched {
			items = foldOptions(items)
		}
	case o.Compact:
		items = keep(items, meaningful)
	case o.Known != nil && tidy:
		items = m.withoutBoxes(leaveOutOffScreen(items))
	}
	if o.Depth > 0 {
		items = leaveOutDeeper(items, o.Depth)
	}
	if tidy && s.counted {
		leaveOutPositions(items)
	}
	if note := s.unseen.Note(); note != "" {
		items = append(items, item{note: note})
	}
	write := func(items []item) Snapshot {
		p := printer{Options: o, items: items, refs: refs, unseen: s.unseen}
		if s.hinted {
			p.marks = m.visibleMarks(items, tidy)
			if o.KeepRepeats {
				p.off = offTheScreen(items)
			}
		}
		// The efficient snapshot is never longer than the ordinary one. The role format has parts
		// that the ai format lacks. If these need more characters than the left-out items have
		// saved, they are not written.
		p.terse = o.Interactive && o.Compact && p.extra() > all-size(items)
		if tidy {
			p.described = map[string]bool{}
		}
		return p.print(empty(o, root))
	}
	text := write(items)
	if o.MainFirst && text.Truncated {
		text = write(mainFirst(items))
	}
	text.Folded = folded
	text.Missing = root.Walk != nil && root.Walk.Missing
	return text
}

// leaveOutDeeper leaves out items below a number of levels. A line at the end says how many there are.
func leaveOutDeeper(items []item, levels int) []item {
	kept := slices.DeleteFunc(items, func(it item) bool { return it.depth >= levels })
	if n := len(items) - len(kept); n > 0 {
		kept = append(kept, item{note: fmt.Sprintf("(… %d deeper %s: find, depth or selector shows more)", n, plural("line", n))})
	}
	return kept
}

// size returns how many characters of the lines do not come from the page: indents, dashes, roles.
func size(items []item) (n int) {
	for i := range items {
		n += 2*items[i].depth + len("- \n") + len(items[i].role)
	}
	return n
}

// giveTitles gives a title to items that can be acted on and have no name. The title is text inside
// them. An interactive snapshot has no lines for plain texts, so a clickable card would be a line
// without a word. Texts inside another actionable item belong to that item.
func giveTitles(items []item) {
	for i := range items {
		it := &items[i]
		if it.ref == "" || it.name != "" || interactiveRoles(it.role) || it.role == "iframe" {
			continue
		}
		it.title = excerpt.Shorten(strings.Join(ownWords(items, i), " "), titleLength)
	}
}

// ownWords returns the texts in item i, at most titleWords, without those in other items that can be
// acted on.
func ownWords(items []item, i int) []string {
	words := ownText(&items[i])
	for j := i + 1; j < len(items) && items[j].depth > items[i].depth && len(words) < titleWords; j++ {
		inside := &items[j]
		if actionable(inside) {
			for j+1 < len(items) && items[j+1].depth > inside.depth {
				j++
			}
			continue
		}
		words = append(words, inside.said()...)
	}
	return words
}

// keep keeps the items for which the function wanted returns true. What is inside the others moves
// up. It works within the slice items, which must not be used afterwards. An item moves up by as
// many levels as there are dropped items around it.
func keep(items []item, wanted func(it *item) bool) []item {
	kept := items[:0]
	var dropped []int // depths of the dropped items around the current one
	for i := range items {
		it := &items[i]
		for len(dropped) > 0 && dropped[len(dropped)-1] >= it.depth {
			dropped = dropped[:len(dropped)-1]
		}
		if !wanted(it) {
			dropped = append(dropped, it.depth)
			continue
		}
		it.depth -= len(dropped)
		if len(kept) < i {
			items[len(kept)] = *it
		}
		kept = items[:len(kept)+1]
	}
	return kept
}

// withoutIdle leaves out the items that are marked as idle.
func withoutIdle(items []item) []item { return keep(items, func(it *item) bool { return !it.idle }) }

// actionable accepts items that can be acted on, the options of a select, and lines that tell equal
// controls apart.
func actionable(it *item) bool {
	return it.ref != "" || it.note != "" || it.role == "option" || it.context
}

// meaningful reports whether an item says something, or has a role that does more than group other
// items.
func meaningful(it *item) bool {
	return it.ref != "" || it.name != "" || it.text != "" || it.note != "" || !structuralRoles(it.role)
}

// refsOf returns the elements of items by their refs.
//
// Two buttons with the name Delete are distinguished by nth, from 0 in page order. The first of
// them gets its 0 only when the second one is found, so that names that are there once have no
// number.
func refsOf(items []item) map[string]Ref {
	type called struct{ role, name string }
	type those struct {
		first string // ref of the first of these lines
		count int
	}
	n := countRefs(items)
	refs := make(map[string]Ref, n)
	known := make(map[called]those, n)
	for i := range items {
		it := &items[i]
		if it.ref == "" {
			continue
		}
		if _, again := refs[it.ref]; again {
			continue // a text of an element with several texts, which all have the ref of the element
		}
		r := Ref{Role: it.role, Name: title(items, i), Description: it.description}
		same := known[called{r.Role, r.Name}]
		switch same.count {
		case 0:
			same.first = it.ref
		case 1:
			refs[same.first] = refs[same.first].at(0)
			fallthrough
		default:
			r = r.at(same.count)
		}
		same.count++
		known[called{r.Role, r.Name}] = same
		refs[it.ref] = r
	}
	return refs
}

func countRefs(items []item) (n int) {
	for i := range items {
		if items[i].ref != "" {
			n++
		}
	}
	return n
}

// at returns r as number nth among the refs of its role and name.
func (r Ref) at(nth int) Ref {
	r.Nth = &nth
	return r
}

// empty returns the text that stands for a page without lines.
func empty(o Options, root *Frame) string {
	switch {
	case root.Walk != nil && root.Walk.Missing:
		return "(empty)"
	case o.Interactive:
		return "(no interactive elements)"
	case o.Scoped:
		return "(empty)"
	}
	return "(empty page)"
}
