package snapshot

import (
	"slices"
	"strings"
)

// rowLines is the maximum number of lines of a row or card.
const rowLines = 20

// A mark is a place near which matches are wanted: a line, or all lines of an element.
type mark struct {
	span
	depth int // number of elements that contain the place, including its own element
}

// landmarks returns the lines that have all words of a text (near), in the order of the page. If
// some lines have the words as a phrase, it returns only these. If no line has all the words, they
// are looked for in rows and cards. So "Ada 7" is in the row with the cells Ada and 7. An
// interactive snapshot has one line for such a row, with both words.
func (f *finder) landmarks(near string) (marks []mark) {
	words := newWords(near)
	if words.phrase == "" {
		return nil
	}
	best := absent
	for i := range f.items {
		how := words.in(f.items[i].words())
		if how < best {
			best, marks = how, nil
		}
		if how == best && how != absent {
			marks = append(marks, mark{span{i, i}, f.places.all[i].depth})
		}
	}
	if best == asPhrase {
		return marks
	}
	if rows, how := f.rows(words); how < best {
		return rows
	}
	return marks
}

// rows returns the smallest elements whose lines together have all words, if these have at most
// rowLines lines. If some have the words as a phrase, it returns only those.
func (f *finder) rows(words words) (rows []mark, how fit) {
	last := make([]int, len(words.each)) // for each word, the last line that has it
	for k := range last {
		last[k] = none
	}
	how = absent
	for i := range f.items {
		if !words.note(&f.items[i], i, last) || slices.Contains(last, none) {
			continue
		}
		first := slices.Min(last)
		if i-first >= rowLines {
			continue
		}
		depth := f.places.shared(first, i)
		s, whole := f.places.inside(i, depth, rowLines)
		if depth == 0 || !whole {
			continue
		}
		switch is := f.fit(words, s); {
		case is < how:
			how, rows = is, []mark{{s, depth}}
		case is == how:
			rows = addInnermost(rows, mark{s, depth})
		}
	}
	return rows, how
}

// note stores the index i in the list last for each word that item i has. So last has the latest
// item of each word. It reports whether the item has any of the words.
func (w words) note(it *item, i int, last []int) (any bool) {
	said := it.words()
	for k, word := range w.each {
		if strings.Contains(said, word) {
			last[k], any = i, true
		}
	}
	return any
}

// fit returns asPhrase if the lines of a span contain the words as a phrase, else somehow. The
// caller knows that the lines together have all the words.
func (f *finder) fit(words words, s span) fit {
	var all []string
	for i := s.first; i <= s.last; i++ {
		all = append(all, strings.Fields(f.items[i].words())...)
	}
	if hasPhrase(strings.Join(all, " "), words.phrase) {
		return asPhrase
	}
	return somehow
}

// addInnermost adds a row to a list, unless the list has the same row or a row inside it. It
// removes rows that contain the added one.
func addInnermost(rows []mark, row mark) []mark {
	holds := func(outer, inner mark) bool { return outer.first <= inner.first && inner.last <= outer.last }
	if slices.ContainsFunc(rows, func(r mark) bool { return holds(row, r) }) {
		return rows
	}
	return append(slices.DeleteFunc(rows, func(r mark) bool { return holds(r, row) }), row)
}

// A distance says how far an item is from the closest landmark.
type distance struct {
	levels int // from the landmark up to the closest element around both
	lines  int // lines between the item and the landmark, see linesBetween
}

// distances returns, by item, how far each is from the closest landmark. The closest one shares the
// smallest element with the item, as people read "the button in the row of Ada". If two landmarks
// share an element of the same size, the one with fewer lines in between is closer. Without
// landmarks all are equally far.
func (f *finder) distances(marks []mark) []distance {
	far, shared := make([]distance, len(f.items)), make([]int, len(f.items))
	for i := range shared {
		shared[i] = none
	}
	for k, m := range marks {
		for i := m.first; i <= m.last; i++ {
			far[i], shared[i] = distance{}, m.depth
		}
		closer := func(i, both int) {
			both = min(both, f.places.all[i].depth)
			d := distance{m.depth - both, linesBetween(m.span, i)}
			if both > shared[i] || both == shared[i] && d.lines < far[i].lines {
				far[i], shared[i] = d, both
			}
		}
		next, before := len(f.items), -1
		if k+1 < len(marks) {
			next = marks[k+1].first
		}
		if k > 0 {
			before = marks[k-1].last
		}
		for i, both := m.last+1, m.depth; i < next; i++ {
			both = min(both, f.places.all[i].shared)
			closer(i, both)
		}
		for i, both := m.first-1, m.depth; i > before; i-- {
			both = min(both, f.places.all[i+1].shared)
			closer(i, both)
		}
	}
	return far
}

// linesBetween returns how far item i is from a landmark beside it. An item after the landmark
// counts as half as far as an item before it. Controls mostly stand after their label, and what a
// heading is about stands below it.
func linesBetween(m span, i int) int {
	if i < m.first {
		return 4 * (m.first - i)
	}
	return max(0, 2*(i-m.last)-1)
}
