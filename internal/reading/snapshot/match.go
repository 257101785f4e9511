package snapshot

import (
	"hash/maphash"
	"slices"
	"strings"
)

// A tree holds the lines of a snapshot, with what each contains. Node 0 is not a line, and contains
// the whole page. Node i is line i-1.
type tree struct {
	lines []Line
	refs  bool // the comparison of lines includes their refs
	nodes []extent
}

// An extent is what a line contains.
type extent struct {
	parent int
	before int    // the line before in the same parent, or 0
	size   int    // number of lines, from this one to the last that it contains
	height int    // levels of lines below this line
	hash   uint64 // hash of the texts of all these lines
	own    uint64 // hash of this line's text alone
}

var seed = maphash.MakeSeed()

// treeOf builds the tree that the depths of the lines describe: a line is inside the
// last line before it that has a smaller depth.
func treeOf(lines []Line, refs bool) tree {
	t := tree{lines, refs, make([]extent, len(lines)+1)}
	last := make([]int, len(t.nodes)) // for each node, the last line so far that is directly in it
	above := make([]int, 1, deepest+2)
	for i := 1; i < len(t.nodes); i++ {
		for len(above) > 1 && t.line(above[len(above)-1]).Depth >= t.line(i).Depth {
			above = above[:len(above)-1]
		}
		up := above[len(above)-1]
		t.nodes[i] = extent{parent: up, before: last[up], own: maphash.String(seed, t.text(i))}
		last[up] = i
		above = append(above, i)
	}
	t.sum()
	return t
}

// sum adds up sizes, heights and hashes, from the last line to the first: a line comes before all
// that it contains.
//
// The hash of a line depends on the order of its contents. The factor 31 and the odd constant (2^64
// divided by the golden ratio) mix the bits. So equal lines in another order or at another depth
// give another hash. Equal hashes are taken for equal contents: with 64 bits, a chance collision
// does not happen in practice.
func (t *tree) sum() {
	for i := len(t.nodes) - 1; i >= 0; i-- {
		n := &t.nodes[i]
		n.size++
		n.hash = (n.hash ^ n.own) * 0x9e3779b97f4a7c15
		if i > 0 {
			up := &t.nodes[n.parent]
			up.size += n.size
			up.height = max(up.height, n.height+1)
			up.hash = up.hash*31 + n.hash
		}
	}
}

// line returns the line of node i. Node 0 has none.
func (t *tree) line(i int) *Line { return &t.lines[i-1] }

// refOfParent returns the ref of the line that contains line i; "" if it has none.
func (t *tree) refOfParent(i int) string {
	if up := t.nodes[i].parent; up > 0 {
		return t.line(up).Ref
	}
	return ""
}

// deltaText returns the text of a line as it is printed in a delta.
func (t *tree) deltaText(i int) string { return bareLine(withoutNewMark(*t.line(i))) }

// text returns the text of a line as it is compared. Marks that do not come from the page are left
// out. So is the ref, unless refs are compared.
func (t *tree) text(i int) string {
	text := strings.TrimSuffix(t.deltaText(i), ":") // the colon says that the line contains others
	if ref := t.line(i).Ref; ref != "" && !t.refs {
		text = strings.Replace(text, " [ref="+ref+"]", "", 1)
	}
	return text
}

// pageWords returns what a line has of the page's words, see pageWordsOf.
func (t *tree) pageWords(i int) string { return pageWordsOf(t.text(i)) }

// words returns the hash of a line's text without its ref, by which a line that was made again is
// recognized. Most lines have a match by their refs, and need none.
func (t *tree) words(i int) uint64 {
	ref := t.line(i).Ref
	if ref == "" || !t.refs {
		return t.nodes[i].own
	}
	var h maphash.Hash
	h.SetSeed(seed)
	before, after, _ := strings.Cut(t.text(i), " [ref="+ref+"]")
	h.WriteString(before)
	h.WriteString(after)
	return h.Sum64()
}

// children returns the lines that line i contains directly.
func (t *tree) children(i int) (list []int) {
	t.eachChild(i, func(c int) { list = append(list, c) })
	return list
}

// eachChild calls the function do for the lines that line i contains directly, its children.
func (t *tree) eachChild(i int, do func(int)) {
	for c := i + 1; c < i+t.nodes[i].size; c += t.nodes[c].size {
		do(c)
	}
}

// A matching joins lines of an earlier snapshot with lines of a later one that are the same line of
// the page. Lines with the same ref are the same element. Otherwise it is a line in the same place
// with about the same contents. As GumTree and virtual DOMs do, it works from the top down, in
// about linear time:
//
//  1. Usually a page has changed in one place only. The matching then descends to that place, and
//     joins all that is before and after it (trim).
//  2. Lines with the same ref are joined.
//  3. For each other line it guesses the one that contains most of the same (guess).
//  4. Below joined lines, it joins the children (align). First come children with the same
//     contents, then guesses, then those of the same name, then those without anything to go by.
//  5. What is left over in different parents has moved, if nothing else on the page is
//     like it (joinMoved).
//  6. A few lines left over in the same place between joined lines have changed their
//     words (joinInPlace).
type matching struct {
	a, b     tree
	to, from []int // for each line of one snapshot, the matching line of the other snapshot, or none
	guesses  []guess
	queue    []int // lines of a that were joined and whose children were not aligned yet
}

const none = -1

// match returns the matching of two snapshots. It joins the two pages (node 0) first, and goes on
// downwards from there. Lines that have moved (step 5 of [matching]) are looked for only after all
// children were aligned. Most lines stay in their parent, and a line that alignment joins must not
// be taken for one that has moved.
func match(before, after []Line, refs bool) *matching {
	m := &matching{a: treeOf(before, refs), b: treeOf(after, refs)}
	m.to, m.from = noMatches(len(m.a.nodes)), noMatches(len(m.b.nodes))
	m.join(0, 0)
	m.trim(0, 0)
	if refs {
		m.joinRefs()
	}
	m.guess()
	m.alignQueued()
	m.joinMoved()
	m.alignQueued()
	m.joinInPlace()
	return m
}

// noMatches returns a list of n entries that are none.
func noMatches(n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = none
	}
	return s
}

// join notes that x and y are the same line; their children are aligned later.
func (m *matching) join(x, y int) {
	m.to[x], m.from[y] = y, x
	m.queue = append(m.queue, x)
}

// joinAll joins two lines that contain the same, and all that they contain. Their trees are equal,
// so the k-th line of one is the k-th of the other. Lines inside that have been joined already, by
// their refs, keep their match.
func (m *matching) joinAll(x, y int) {
	for k := range m.a.nodes[x].size {
		if m.to[x+k] == none && m.from[y+k] == none {
			m.to[x+k], m.from[y+k] = y+k, x+k
		}
	}
}

// joinRefs joins the lines of the same element, wherever they are: the page script
// gives an element the same ref as long as it exists. If all lines have refs, the texts
// directly in an element have its ref as well. Only the first line with a ref is the element's.
func (m *matching) joinRefs() {
	byRef := map[string]int{}
	for x := len(m.a.nodes) - 1; x > 0; x-- {
		if ref := m.a.line(x).Ref; ref != "" {
			byRef[ref] = x
		}
	}
	for y := 1; y < len(m.b.nodes); y++ {
		ref := m.b.line(y).Ref
		x, known := byRef[ref]
		delete(byRef, ref)
		if known && m.to[x] == none && m.from[y] == none {
			m.join(x, y)
		}
	}
}

// alignQueued aligns the children of all lines that were joined. Joining children adds them to the
// queue, so the work goes down the page level by level.
func (m *matching) alignQueued() {
	for len(m.queue) > 0 {
		x := m.queue[0]
		m.queue = m.queue[1:]
		m.align(x, m.to[x])
	}
}

// trim joins equal children of two joined lines, from both ends on. If one child of each line is
// left, it goes on with these two.
//
// After most actions, one part of a page has changed. Comparing the ends costs one
// comparison of hashes for each child, and leaves little for the other steps, which
// need maps of all lines.
func (m *matching) trim(x, y int) {
	for {
		old, now := m.trimEnds(x, y)
		if len(old) != 1 || len(now) != 1 || !m.mostlySame(old[0], now[0]) {
			return
		}
		x, y = old[0], now[0]
		m.join(x, y)
	}
}

// trimEnds joins equal children of two lines, from the first on and from the last on. It returns
// the children in between. It looks only at children without a match.
func (m *matching) trimEnds(x, y int) (old, now []int) {
	old, now = unmatchedChildren(&m.a, m.to, x), unmatchedChildren(&m.b, m.from, y)
	first, last := ends(&m.a, &m.b, old, now)
	for i := range first {
		m.joinAll(old[i], now[i])
	}
	for i := range last {
		m.joinAll(old[len(old)-1-i], now[len(now)-1-i])
	}
	return old[first : len(old)-last], now[first : len(now)-last]
}

// ends compares two lists of lines. It returns how many lines are equal at the beginning of both,
// and how many at the end.
func ends(a, b *tree, old, now []int) (first, last int) {
	same := func(i, j int) bool { return a.nodes[old[i]].hash == b.nodes[now[j]].hash }
	for first < len(old) && first < len(now) && same(first, first) {
		first++
	}
	for last < min(len(old), len(now))-first && same(len(old)-1-last, len(now)-1-last) {
		last++
	}
	return first, last
}

// mostlySame reports whether two lines are the same element, or have the same text and mostly the
// same contents. The contents are compared from both ends; if one child of each is left, these two
// may be mostly the same inside.
//
// It decides whether trim may go further down without having seen the rest of the page. A wrong
// join there could not be corrected by a later step. So more lines must be equal than a card has
// (fewLines), and more than half of the lines in the smaller one. If refs are compared and one of
// the lines has a ref, only the refs decide.
func (m *matching) mostlySame(x, y int) bool {
	if ref := m.a.line(x).Ref; m.a.refs && (ref != "" || m.b.line(y).Ref != "") {
		return ref == m.b.line(y).Ref
	}
	if m.a.nodes[x].own != m.b.nodes[y].own {
		return false
	}
	old, now := unmatchedChildren(&m.a, m.to, x), unmatchedChildren(&m.b, m.from, y)
	first, last := ends(&m.a, &m.b, old, now)
	size := 0
	for _, c := range slices.Concat(old[:first], old[len(old)-last:]) {
		size += m.a.nodes[c].size
	}
	if size > fewLines && 2*size > min(m.a.nodes[x].size, m.b.nodes[y].size) {
		return true
	}
	old, now = old[first:len(old)-last], now[first:len(now)-last]
	return len(old) == 1 && len(now) == 1 && m.mostlySame(old[0], now[0])
}

// align joins the children of two joined lines.
//
// The steps are in the order of their certainty, and each works with the lines that the steps
// before have left. The steps join by equal contents, a guess that is a child of the same parent,
// the same role and name, and the same place.
func (m *matching) align(x, y int) {
	old, now := m.trimEnds(x, y)
	if len(old) == 0 || len(now) == 0 {
		return
	}
	m.joinEqual(old, now)
	for _, c := range old {
		if g := m.guesses[c]; m.to[c] == none && g.line > 0 && m.from[g.line] == none && m.b.nodes[g.line].parent == y {
			m.join(c, g.line)
		}
	}
	m.joinNamed(x, y, old, now)
	m.joinPlain(old, now)
}

// unmatchedChildren returns the children of a line that have no match yet.
func unmatchedChildren(t *tree, match []int, i int) (list []int) {
	t.eachChild(i, func(c int) {
		if match[c] == none {
			list = append(list, c)
		}
	})
	return list
}

// joinEqual joins children with the same contents, in their order as far as possible.
func (m *matching) joinEqual(old, now []int) {
	byHash := make(map[uint64][]int, len(old))
	for _, x := range old {
		byHash[m.a.nodes[x].hash] = append(byHash[m.a.nodes[x].hash], x)
	}
	for _, y := range now {
		if equal := byHash[m.b.nodes[y].hash]; len(equal) > 0 {
			m.joinAll(equal[0], y)
			byHash[m.b.nodes[y].hash] = equal[1:]
		}
	}
}

// joinNamed joins children of x and y that are still without a match if they have the same role and
// name. Their states or contents have changed, or the element is another. Examples are a checkbox
// that is now checked, and a list item with other buttons in it.
//
// Several children may have the same role and name, such as the buttons Pick of a long list. Nothing
// shows which of them has moved where. So these are joined, in their order, only if they follow the
// same joined child.
func (m *matching) joinNamed(x, y int, old, now []int) {
	was, is := m.a.byName(m.to, old, nil), m.b.byName(m.from, now, nil)
	several := false
	for name, alike := range was {
		several = several || len(is[name]) > 0 && len(alike)+len(is[name]) > 2
	}
	for _, c := range old {
		if name := m.a.named(c); m.to[c] == none && len(was[name]) == 1 && len(is[name]) == 1 {
			m.join(c, is[name][0])
		}
	}
	if !several {
		return
	}
	followsOld, followsNow := m.follows(x, y)
	was = m.a.byName(m.to, old, followsOld)
	for _, c := range now {
		name := m.b.named(c)
		name.after = followsNow[c]
		if alike := was[name]; m.from[c] == none && len(alike) > 0 {
			m.join(alike[0], c)
			was[name] = alike[1:]
		}
	}
}

// A named tells lines apart by what they are called, and by the joined line that they follow. Where
// that line does not matter, after is 0.
type named struct {
	role, words string
	after       int
}

func (t *tree) named(i int) named { return named{role: role(t.text(i)), words: t.pageWords(i)} }

// byName returns those lines of a list that have a name and no match, by their names. If follows is
// given, the line that a line follows is part of its name.
func (t *tree) byName(match, list []int, follows map[int]int) map[named][]int {
	found := map[named][]int{}
	for _, i := range list {
		if name := t.named(i); match[i] == none && name.words != "" {
			name.after = follows[i]
			found[name] = append(found[name], i)
		}
	}
	return found
}

// follows returns which line each child of x and of y without a match follows. That is the last
// child before it that is joined with a child of the other. It is given as a line of the later
// snapshot, 0 if there is none.
func (m *matching) follows(x, y int) (old, now map[int]int) {
	old, now = map[int]int{}, map[int]int{}
	last := 0
	m.a.eachChild(x, func(c int) {
		if to := m.to[c]; to == none {
			old[c] = last
		} else if m.b.nodes[to].parent == y {
			last = to
		}
	})
	last = 0
	m.b.eachChild(y, func(c int) {
		if from := m.from[c]; from == none {
			now[c] = last
		} else if m.a.nodes[from].parent == x {
			last = c
		}
	})
	return old, now
}

// joinPlain joins the remaining lines that have nothing to recognize them by, in their order, such
// as the rows of an empty board. It joins only lines that contain others, whose own text is equal,
// and whose contents are not found elsewhere on the page. Otherwise a row that was removed would
// make all rows below it seem changed.
func (m *matching) joinPlain(old, now []int) {
	for _, x := range old {
		if m.to[x] != none || m.a.nodes[x].size == 1 {
			continue
		}
		for len(now) > 0 && (m.from[now[0]] != none || m.b.nodes[now[0]].size == 1) {
			now = now[1:]
		}
		if len(now) == 0 {
			return
		}
		if y := now[0]; m.a.nodes[x].own == m.b.nodes[y].own && m.guesses[x].plain {
			m.join(x, y)
			now = now[1:]
		}
	}
}

// joinMoved joins a line that has disappeared from one parent with a line that is new in another.
// It joins first guesses, then lines whose contents are on the page once. If the whole parent has
// disappeared or is new, the line is part of that change, and not looked at.
//
// Contents that are on the page several times, such as a button Delete, are not joined, because
// nothing shows which of them has moved where.
func (m *matching) joinMoved() {
	gone, come := roots(&m.a, m.to), roots(&m.b, m.from)
	for x, g := range m.guesses {
		y := g.line
		if y == 0 || m.to[x] != none || m.from[y] != none {
			continue
		}
		if m.to[m.a.nodes[x].parent] != none && m.from[m.b.nodes[y].parent] != none {
			m.join(x, y)
		}
	}
	for hash, x := range gone {
		if y := come[hash]; x > 0 && y > 0 && m.to[x] == none && m.from[y] == none {
			m.joinAll(x, y)
		}
	}
}

// roots returns lines by the hash of their contents. It takes lines without a match that say
// something and whose parent has a match. The value is 0 where several have the same contents.
func roots(t *tree, match []int) map[uint64]int {
	found := map[uint64]int{}
	for i := 1; i < len(t.nodes); i++ {
		if match[i] != none || match[t.nodes[i].parent] == none || t.nodes[i].size == 1 && t.pageWords(i) == "" {
			continue
		}
		if _, again := found[t.nodes[i].hash]; again {
			found[t.nodes[i].hash] = 0
		} else {
			found[t.nodes[i].hash] = i
		}
	}
	return found
}
