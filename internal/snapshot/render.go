package snapshot

import "slices"

// Render writes the page of root as text.
func Render(root *Frame, o Options) Snapshot {
	items := stitch(root)
	refs := refsOf(items) // of all, so that every format tells the same
	switch {
	case o.Interactive:
		items = keep(items, actionable)
	case o.Compact:
		items = keep(items, telling)
	}
	if o.Depth > 0 {
		items = slices.DeleteFunc(items, func(it item) bool { return it.depth >= o.Depth })
	}
	p := printer{Options: o, items: items, refs: refs}
	return p.print(empty(o, root))
}

// keep keeps the items that wanted accepts; what is below the others moves up.
func keep(items []item, wanted func(it *item) bool) []item {
	kept := items[:0]
	var dropped []int // depths of the dropped items around the current one
	for i := range items {
		it := items[i]
		for len(dropped) > 0 && dropped[len(dropped)-1] >= it.depth {
			dropped = dropped[:len(dropped)-1]
		}
		if !wanted(&it) {
			dropped = append(dropped, it.depth)
			continue
		}
		it.depth -= len(dropped)
		kept = append(kept, it)
	}
	return kept
}

// actionable accepts what can be acted on, and what a select offers.
func actionable(it *item) bool {
	return it.ref != "" || it.note != "" || it.role == "option"
}

// telling accepts all but wrappers that say nothing.
func telling(it *item) bool {
	return it.ref != "" || it.name != "" || it.text != "" || it.note != "" || !structuralRoles[it.role]
}

// refsOf returns what the refs of items stand for.
func refsOf(items []item) map[string]Ref {
	type called struct{ role, name string }
	refs := make(map[string]Ref, len(items)/4)
	seen := map[called]string{} // the first ref called so, "" when it has its nth
	next := map[called]int{}
	for i := range items {
		it := &items[i]
		if it.ref == "" {
			continue
		}
		r := Ref{Role: it.role, Name: title(items, i), Description: it.description}
		same := called{r.Role, r.Name}
		switch first, again := seen[same]; {
		case !again:
			seen[same] = it.ref
		case first != "":
			refs[first] = refs[first].at(0)
			seen[same] = ""
			fallthrough
		default:
			next[same]++
			r = r.at(next[same])
		}
		refs[it.ref] = r
	}
	return refs
}

// at returns r as the nth of its role and name.
func (r Ref) at(nth int) Ref {
	r.Nth = &nth
	return r
}

// empty returns what stands for a page without lines.
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
