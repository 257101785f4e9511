package snapshot

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"chela/internal/wall/excerpt"
)

// A Query describes the lines of a page that are looked for, by the page's words: its
// names, texts, values, placeholders and descriptions. The words of chela in a line,
// such as roles, states and refs, do not count.
type Query struct {
	Text string // words that must all be in the line
	Role string // role that the line must have
	Near string // matches close to a line, row or card with all of these words come first
}

// Match is a line that fits a query.
type Match struct {
	Ref  string
	Is   Ref
	Line string
	In   string // what the match is in, if other matches read the same, if Near was given, or if it is beside a line that fits. See also ownerOfText.
}

// Found has the results of a query.
type Found struct {
	Matches  []Match
	Total    int    // how many lines fit, or are beside those
	Unplaced bool   // nothing on the page has the words of Near
	Unread   string // the note about a part of the page that was not read; if nothing was found, also about a frame that has not loaded
}

// Find returns the lines that fit a query, the best first. It returns at most limit lines, with at
// most maxChars UTF-16 units together (0: no limit). Each has a ref if the walks gave refs to all
// lines.
//
// The lines closest to the landmark come first. Then come better fits, lines that can be acted on,
// lines that say just the words, and lines higher up on the page. Lines that a snapshot leaves out as
// wrappers or repetitions are also searched. If a role is given, the words may be in what is inside a
// line of that role, such as the cells of a row. Of several such lines inside each other, the
// innermost counts. If no line that fits can be acted on, the controls beside them follow.
func Find(root *Frame, q Query, limit, maxChars int) Found {
	f := newFinder(root)
	text := newWords(q.Text)
	marks := f.landmarks(q.Near)
	far := f.distances(marks)
	hits := f.hits(text, q.Role, far)
	own := len(hits)
	hits = append(hits, f.beside(hits, text, q.Role, far)...)
	found := Found{Total: len(hits), Unplaced: q.Near != "" && len(marks) == 0, Unread: unread(f.items)}
	if len(hits) == 0 {
		found.Unread = cmp.Or(found.Unread, unloaded(root, f.items))
	}
	found.Matches = f.print(hits[:min(limit, len(hits))], maxChars)
	f.tellApart(found.Matches, hits, len(marks) > 0)
	for k := own; k < len(found.Matches); k++ {
		found.Matches[k].In = excerpt.Shorten(strings.Join(f.othersIn(hits[k].row, hits[k].item), " "), longLabel)
	}
	for k := range found.Matches {
		found.Matches[k].In = cmp.Or(found.Matches[k].In, f.ownerOfText(hits[k].item))
	}
	return found
}

// ownerOfText returns words about the element that has the ref of a text. It returns "" if the element
// holds nothing else that can be acted on. A click on that ref goes to the middle of the element.
func (f *finder) ownerOfText(i int) string {
	if f.items[i].role != "text" {
		return ""
	}
	owner, first, last := "element with more in it", i, i
	for j := range f.items {
		switch it := &f.items[j]; {
		case it.ref != f.items[i].ref:
		case it.role != "text":
			owner, first, last = it.role, j, f.ends[j]-1
		default:
			first, last = min(first, j), max(last, j)
		}
	}
	for _, it := range f.items[first : last+1] {
		if it.node.ref != 0 && it.ref != f.items[i].ref {
			return owner + ", which has this ref"
		}
	}
	return ""
}

// hits returns the items that have the words and the role, the best first. If a line has a number by
// itself, lines that have it in longer numbers do not count: 8 is no part of 18. The parameter far
// comes from distances.
func (f *finder) hits(text words, role string, far []distance) (hits []hit) {
	for i := range f.items {
		it := &f.items[i]
		if it.note != "" && it.node.ref == 0 || !it.hasRole(role) {
			continue
		}
		how := text.of(it)
		if how == absent && role != "" && text.in(f.wordsInside(i)) != absent {
			how = inside
		}
		if how == absent {
			continue
		}
		for len(hits) > 0 && hits[len(hits)-1].how == inside && f.within(i, hits[len(hits)-1].item) {
			hits = hits[:len(hits)-1]
		}
		hits = append(hits, hit{item: i, far: far[i], how: how, inert: it.node.ref == 0 || f.off[i], exact: text.are(it)})
	}
	if isNumber(text.phrase) && slices.ContainsFunc(hits, hit.asPhrase) {
		hits = slices.DeleteFunc(hits, func(h hit) bool { return !h.asPhrase() })
	}
	slices.SortFunc(hits, hit.compare)
	return hits
}

// fewBeside is up to how many lines that fit, and how many controls in the row of each, the controls
// are also found.
const fewBeside = 5

// beside returns the controls of a role in the rows of the hits, if no hit can be acted on. A person
// who looks for "Item 25" may want its button Delete. If nothing has both the words and the role, the
// rows of lines that have the words are taken. Only the lines that fit best count: "Item 2" is no
// part of "Item 25".
func (f *finder) beside(hits []hit, text words, role string, far []distance) (controls []hit) {
	if text.phrase == "" || slices.ContainsFunc(hits, func(h hit) bool { return f.items[h.item].node.ref != 0 }) {
		return nil
	}
	if len(hits) == 0 && role != "" {
		hits = f.hits(text, "", far)
	}
	best := 0
	for best < len(hits) && hits[best].how == hits[0].how && hits[best].exact == hits[0].exact {
		best++
	}
	if best > fewBeside {
		return nil
	}
	known := map[int]bool{}
	for _, h := range hits[:best] {
		var inRow []hit
		row := f.rowOf(h.item)
		for i := row.first; i <= row.last; i++ {
			if it := &f.items[i]; it.node.ref != 0 && it.hasRole(role) && i != h.item && !f.within(h.item, i) && !known[i] {
				inRow = append(inRow, hit{item: i, row: row})
				known[i] = true
			}
		}
		if len(inRow) <= fewBeside {
			controls = append(controls, inRow...)
		}
	}
	return controls
}

// rowOf returns the row or card around an item: the closest one with such a role. Without one, it is
// the smallest element that holds a control beside the item. If that has more lines than a row, or is
// the whole page, rowOf returns the item alone.
func (f *finder) rowOf(i int) span {
	alone := span{i, i}
	for p := i; p != none; p = f.parents[p] {
		if contextRoles(f.items[p].role) {
			if f.ends[p]-p > rowLines {
				return alone
			}
			return span{p, f.ends[p] - 1}
		}
	}
	for depth := f.places.all[i].depth; depth > 0; depth-- {
		row, whole := f.places.inside(i, depth, rowLines)
		if !whole || row == (span{0, len(f.items) - 1}) {
			break
		}
		for j := row.first; j <= row.last; j++ {
			if f.items[j].node.ref != 0 && !f.within(i, j) {
				return row
			}
		}
	}
	return alone
}

// A finder holds the lines of a page, with the places of their elements.
type finder struct {
	items   []item
	places  *places
	parents []int // see nesting
	ends    []int
	off     []bool // see offTheScreen
}

func newFinder(root *Frame) finder {
	s := stitch(root, true)
	f := finder{items: s.items, places: &s.places}
	f.parents, f.ends = nesting(f.items)
	f.off = offTheScreen(f.items)
	return f
}

// within reports whether an item is inside another.
func (f *finder) within(i, outer int) bool { return i > outer && i < f.ends[outer] }

// wordsInside returns all that an item and the items inside it say, in lower case.
func (f *finder) wordsInside(i int) string {
	var all []string
	for j := i; j < f.ends[i]; j++ {
		all = append(all, f.items[j].words())
	}
	return strings.Join(all, "\n")
}

// hasRole reports whether an item has the role that a query asks for, or the query asks for none. An
// editor without a role is a textbox. The role that a line shows as a mark, such as [role=option],
// counts as well.
func (it *item) hasRole(role string) bool {
	role = strings.ToLower(role)
	if role == "" || it.role == role {
		return true
	}
	hints := strings.Split(it.hints, ", ")
	return slices.Contains(hints, "role:"+role) || role == "textbox" && slices.Contains(hints, "contenteditable")
}

// A hit is an item that fits.
type hit struct {
	item  int
	far   distance
	how   fit
	inert bool // the element seems to accept no input, or is off the screen
	exact bool // its name, text or placeholder is just the words
	row   span // of a control beside a line that fits: the row of both
}

func (h hit) asPhrase() bool { return h.how == asPhrase }

// isNumber reports whether a text consists of digits.
func isNumber(s string) bool {
	return s != "" && strings.IndexFunc(s, func(r rune) bool { return !unicode.IsDigit(r) }) < 0
}

// compare orders hits, the best first. The last key, the place on the page, makes the order
// unambiguous.
func (a hit) compare(b hit) int {
	return cmp.Or(cmp.Compare(a.far.levels, b.far.levels), cmp.Compare(a.far.lines, b.far.lines),
		cmp.Compare(a.how, b.how), compareBool(a.inert, b.inert), compareBool(b.exact, a.exact), cmp.Compare(a.item, b.item))
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

// print writes the lines of hits, as many as fit. Each line is written alone, at the left edge and
// with all its marks, because nothing around it would say what it is.
func (f *finder) print(hits []hit, maxChars int) (matches []Match) {
	room := maxChars
	for _, h := range hits {
		it, is := f.items[h.item], title(f.items, h.item)
		it.depth = 0
		if f.off[h.item] && it.hints == "" {
			it.hints = offScreen
		}
		if it.name == "" && it.text == "" {
			it.text = is // the text inside the item, which has a line of its own in a snapshot, but not in a match
		}
		p := printer{items: []item{it}}
		p.marks = marker{}.visibleMarks(p.items, false)
		p.line(0)
		room -= excerpt.Units(p.String()) + 1
		if maxChars > 0 && room < 0 {
			break
		}
		matches = append(matches, Match{it.ref, Ref{Role: it.role, Name: is, Description: it.description}, p.String(), ""})
	}
	return matches
}

// A fit says how an item contains the words of a search. A lower value is a better fit.
type fit int

const (
	asPhrase  fit = iota // the words follow each other as in the search, and are not parts of longer words
	somehow              // all words are there, in any order
	described            // a word is only in the description, which says more about what the item says
	inside               // all words are there or in the items inside
	absent               // a word is missing
)

// words are the words to look for, in lower case.
type words struct {
	phrase string
	each   []string
}

func newWords(s string) words {
	each := strings.Fields(searched(clean(s)))
	return words{strings.Join(each, " "), each}
}

// in returns how what an item says contains the words. If there are no words, every item contains
// them.
func (w words) in(said string) fit {
	if len(w.each) == 0 {
		return asPhrase
	}
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

// of returns how an item contains the words. If an item has nothing but a description, such as the
// class of its icon, that counts like a name.
func (w words) of(it *item) fit {
	how := w.in(it.words())
	if own := it.own(); how != absent && it.description != "" && strings.TrimSpace(own) != "" {
		return min(w.in(own), described)
	}
	return how
}

// are reports whether the words are all of the name, text or placeholder of an item.
func (w words) are(it *item) bool {
	return w.phrase != "" && slices.ContainsFunc([]string{it.name, it.text, it.placeholder}, func(s string) bool {
		return strings.Join(strings.Fields(searched(s)), " ") == w.phrase
	})
}

// words returns all that an item says, in lower case.
func (it *item) words() string { return it.own() + "\n" + searched(it.description) }

// own returns what an item says, without its description, in lower case.
func (it *item) own() string {
	return searched(it.name) + "\n" + searched(it.text) + "\n" + searched(it.placeholder)
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
