package snapshot

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"chela/internal/excerpt"
)

// A Query describes the lines of a page that are looked for, by the page's words: its
// names, texts, values, placeholders and descriptions. The words of chela in a line,
// such as roles, states and refs, do not count.
type Query struct {
	Text string // all of these words are in it
	Role string // it is of this role
	Near string // those close to a line with all of these words come first
}

// Match is a line that fits a query.
type Match struct {
	Ref  string
	Is   Ref
	Line string
}

// Find returns the lines that fit a query, the best first, at most limit and as
// many as have at most maxChars UTF-16 units together (0: no limit), and how
// many there are. Each has a ref if the walks gave refs to all lines.
//
// Those closest to the landmark come first; then those that have the words as a
// phrase; then those that can be acted on; then those higher up on the page. limit is
// a number of lines. Lines that a snapshot leaves out as wrappers or repetitions are
// searched, too.
func Find(root *Frame, q Query, limit, maxChars int) (matches []Match, total int) {
	f := finder{items: stitch(root, true).items}
	f.nest()
	text := newWords(q.Text)
	marks := f.landmarks(q.Near)
	var found []hit
	for i := range f.items {
		it := &f.items[i]
		if it.note != "" || q.Role != "" && it.role != strings.ToLower(q.Role) {
			continue
		}
		if how := text.in(it); how != absent {
			found = append(found, hit{i, f.distance(marks, i), how, it.node.ref == 0})
		}
	}
	slices.SortFunc(found, hit.compare)
	return f.print(found[:min(limit, len(found))], maxChars), len(found)
}

// A finder is the lines of a page as a tree.
type finder struct {
	items   []item
	parents []int // by item; -1 at the left edge
	ends    []int // by item; the first item after it that is not inside it
}

// nest fills in the tree that the depths of the items make. Lines are in page order,
// so what is inside an item follows it directly, up to its end.
func (f *finder) nest() {
	f.parents, f.ends = make([]int, len(f.items)), make([]int, len(f.items))
	var around []int
	for i := range f.items {
		for len(around) > 0 && f.items[around[len(around)-1]].depth >= f.items[i].depth {
			f.ends[around[len(around)-1]] = i
			around = around[:len(around)-1]
		}
		f.parents[i] = -1
		if len(around) > 0 {
			f.parents[i] = around[len(around)-1]
		}
		around = append(around, i)
	}
	for _, i := range around {
		f.ends[i] = len(f.items)
	}
}

// A hit is an item that fits.
type hit struct {
	item  int
	far   distance
	how   fit
	inert bool // it cannot be acted on, as far as one can see
}

// The last key, the place on the page, makes the order certain.
func (a hit) compare(b hit) int {
	return cmp.Or(cmp.Compare(a.far.levels, b.far.levels), cmp.Compare(a.far.lines, b.far.lines),
		cmp.Compare(a.how, b.how), compareBool(a.inert, b.inert), cmp.Compare(a.item, b.item))
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// landmarks are the items that matches are to be near, in the order of the page:
// if some have the words as a phrase, only those.
func (f *finder) landmarks(near string) (marks []int) {
	if near == "" {
		return nil
	}
	words := newWords(near)
	best := absent
	for i := range f.items {
		how := words.in(&f.items[i])
		if how < best {
			best, marks = how, nil
		}
		if how == best && how != absent {
			marks = append(marks, i)
		}
	}
	return marks
}

// A distance says how far an item is from the closest landmark: in the row of a
// table that has the landmark in it, the button at the end of this row is closer
// than that of the row below.
type distance struct {
	levels int // from the landmark up to what both are in
	lines  int // between them; what comes after the landmark is closer than what comes before
}

// distance goes from item i to what is around it, level by level, until a landmark is
// inside: what contains both is then as small as possible, which is how people read
// "the button in the row of Ada". Without landmarks, all are equally far.
func (f *finder) distance(marks []int, i int) distance {
	if len(marks) == 0 {
		return distance{}
	}
	for around := i; ; around = f.parents[around] {
		from, to, depth := 0, len(f.items), -1
		if around >= 0 {
			from, to, depth = around, f.ends[around], f.items[around].depth
		}
		if mark := closest(marks, from, to, i); mark >= 0 {
			return distance{f.items[mark].depth - depth, linesBetween(mark, i)}
		}
	}
}

// closest returns which of the sorted marks within [from, to) is closest to i,
// -1 if there is none.
func closest(marks []int, from, to, i int) int {
	at, _ := slices.BinarySearch(marks, i)
	best := -1
	for _, n := range []int{at - 1, at} {
		if n < 0 || n >= len(marks) || marks[n] < from || marks[n] >= to {
			continue
		}
		if best < 0 || linesBetween(marks[n], i) < linesBetween(best, i) {
			best = marks[n]
		}
	}
	return best
}

// linesBetween returns twice the number of lines from mark to i, less one when i
// comes after it: so what follows a landmark at the same distance is closer, as
// controls mostly stand behind their label.
func linesBetween(mark, i int) int {
	if i < mark {
		return 2 * (mark - i)
	}
	return max(0, 2*(i-mark)-1)
}

// print writes the lines of hits, as many as fit. Each is written alone, at the left
// edge and with all its marks, as nothing around it would say what it is.
func (f *finder) print(hits []hit, maxChars int) (matches []Match) {
	room := maxChars
	for _, h := range hits {
		it, is := f.items[h.item], title(f.items, h.item)
		it.depth = 0
		if it.name == "" && it.text == "" {
			it.text = is // what is inside it, which has no line here
		}
		p := printer{items: []item{it}}
		p.marks = marker{}.shown(p.items, false)
		p.line(0)
		room -= excerpt.Units(p.String()) + 1
		if maxChars > 0 && room < 0 {
			break
		}
		matches = append(matches, Match{it.ref, Ref{Role: it.role, Name: is, Description: it.description}, p.String()})
	}
	return matches
}

// A fit is how an item has the words that are looked for, the best first.
type fit int

const (
	asPhrase fit = iota // as they stand, not within longer words
	somehow
	absent
)

// words are what is looked for, in lower case.
type words struct {
	phrase string
	each   []string
}

func newWords(s string) words {
	each := strings.Fields(strings.ToLower(clean(s)))
	return words{strings.Join(each, " "), each}
}

// in returns how an item has the words. None at all are in every item.
func (w words) in(it *item) fit {
	if len(w.each) == 0 {
		return asPhrase
	}
	said := strings.ToLower(strings.Join([]string{it.name, it.text, it.placeholder, it.description}, "\n"))
	for _, word := range w.each {
		if !strings.Contains(said, word) {
			return absent
		}
	}
	if hasPhrase(strings.Join(strings.Fields(said), " "), w.phrase) {
		return asPhrase
	}
	return somehow
}

// hasPhrase reports whether a phrase is in s and no letter or digit is beside it. So
// "art" is in "art museum", and not in "start". The search goes on one character
// further, since occurrences may overlap.
func hasPhrase(s, phrase string) bool {
	for from := 0; ; {
		at := strings.Index(s[from:], phrase)
		if at < 0 {
			return false
		}
		at += from
		before, _ := utf8.DecodeLastRuneInString(s[:at])
		after, size := utf8.DecodeRuneInString(s[at+len(phrase):])
		if !isWord(before) && !isWord(after) {
			return true
		}
		if size == 0 {
			return false
		}
		_, step := utf8.DecodeRuneInString(s[at:])
		from = at + step
	}
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
