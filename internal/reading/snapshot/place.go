package snapshot

// A place says where the element of a line is in the tree of the document. The tree has more levels
// than the lines: rows that are plain <div> have no line.
type place struct {
	shared int // number of elements that contain both this line and the line before it
	depth  int // number of elements that contain the line, including its own element
}

// places has the places of consecutive lines, in the order of the page. Lines follow each other as
// a walk meets them. So an element that contains two lines also contains all lines between them.
type places struct {
	all []place
	gap bool // lines were left out after the last place in the list all
	low int  // the smallest number of elements that contain both a left-out line and the last line that was kept
}

// place returns the place of the i-th line of w. A walk without steps, as tests have,
// has no more elements than lines, so the depth of the line says where it is.
func (w *Walk) place(i int, line string) place {
	if 2*i+1 < len(w.Steps) {
		return place{w.Steps[2*i], w.Steps[2*i+1]}
	}
	f := fields(line)
	depth := f.number()
	return place{depth, depth + 1}
}

// add adds the place of a line in a frame. The parameter elements is how many elements of other
// frames are around the line. If kept is false, the line gets no place. But it still limits how
// many elements the lines before and after it share.
func (ps *places) add(p place, elements int, kept bool) {
	p.shared = max(p.shared, 0) + elements
	p.depth = max(p.depth+elements, p.shared)
	if ps.gap {
		p.shared = min(p.shared, ps.low)
	}
	ps.gap, ps.low = !kept, p.shared
	if kept {
		ps.all = append(ps.all, p)
	}
}

// leaveOut removes the places with index from or higher for which the function goes returns true.
func (ps *places) leaveOut(from int, goes func(i int) bool) {
	all := ps.all[from:]
	ps.all = ps.all[:from]
	for i, p := range all {
		ps.add(p, 0, !goes(from+i))
	}
}

// A span is a range of consecutive lines. The last line belongs to it.
type span struct{ first, last int }

// inside returns the lines of an element around line i. The depth of the element counts its
// ancestors and itself. inside returns at most limit lines, and reports whether these are all.
func (ps *places) inside(i, depth, limit int) (s span, whole bool) {
	s = span{i, i}
	for s.first > 0 && ps.all[s.first].shared >= depth {
		if s.first--; s.last-s.first >= limit {
			return s, false
		}
	}
	for s.last+1 < len(ps.all) && ps.all[s.last+1].shared >= depth {
		if s.last++; s.last-s.first >= limit {
			return s, false
		}
	}
	return s, true
}

// shared returns how many elements are around both of two lines; i comes first.
func (ps *places) shared(i, j int) int {
	both := min(ps.all[i].depth, ps.all[j].depth)
	for k := i + 1; k <= j; k++ {
		both = min(both, ps.all[k].shared)
	}
	return both
}
