package snapshot

import (
	"fmt"
	"slices"
	"strings"

	"chela/internal/wall/excerpt"
)

// A Delta is what has changed between two snapshots of a page, with a line for each change. The
// first character of a line gives its kind. It is + for a new line, ~ for one that changed, > for
// one that moved, and - for one that has gone. For example:
//
//	  row: #1007 Ada
//	~   cell "closed" (was open)
//	> listitem [ref=e4]: Tea (moved after listitem "Coffee")
//
// A line that begins with spaces has not changed. It says in which row, card or landmark the
// changes below it are. Of a long list that is new, the first items are listed.
//
// An agent that has a snapshot already needs only the delta after an action. On a large page that
// is a few lines in place of thousands.
type Delta struct {
	Text      string `json:"snapshot"`
	Changes   int    `json:"changes"`
	Truncated bool   `json:"truncated,omitempty"`
}

// manyChanges is the number of changes above which the page may have replaced its elements by new
// ones. Its lines are then also compared without their refs.
const manyChanges = 40

// Compare returns what has changed: first what is new, changed or moved, in the order of the page,
// then what has gone. The text of the delta has at most maxChars UTF-16 units, 0: no limit. It leaves
// out lines that only show what the caller itself has done (given). The two snapshots must have been
// rendered with the same options.
//
// Lines of the two snapshots are matched by their refs. Some pages replace their elements by new
// ones, or put other contents into those they have. By refs, all lines of such a page have changed,
// although it may read much the same. So if there are many changes, lines are also matched by their
// texts alone. That result is used if it has less than a quarter as many changes. Refs of the
// earlier snapshot may then belong to elements that have gone: noteRefs adds a warning.
//
// Marks of what a modal dialog bars are left out: see withoutBars. Wrappers that only one of the
// snapshots has are left out as well: see withoutNewWrappers. So are refs that only new listeners
// have given (see withoutNewListeners), and what is off the screen. Lines that one of the readings did
// not reach are only counted.
func Compare(before, after []Line, given Given, maxChars int) Delta {
	before, after, barred := withoutBars(withoutOffScreen(before), withoutOffScreen(after))
	before, after = withoutNewWrappers(before, after)
	before, after, heard := withoutNewListeners(before, after)
	d := newDiff(before, after, given, true)
	if len(d.changes) > manyChanges {
		if plain := newDiff(before, after, given, false); 4*len(plain.changes) < len(d.changes) {
			d = plain
			d.noteRefs()
		}
	}
	for _, note := range heard {
		d.note(note)
	}
	if barred != "" {
		d.note(barred)
	}
	if d.uncompared > 0 {
		d.note(fmt.Sprintf("(%d %s not compared: the reading before, or this one, ended earlier)", d.uncompared, plural("line", d.uncompared)))
	}
	return joinChanges(d.changes, maxChars)
}

// A diff has the changes between two lists of lines that a matching has joined. A slice that is
// indexed by a line has an entry for each node of a tree. In a tree, node i is line i-1.
type diff struct {
	*matching
	given     Given
	moved     []bool          // for each line of the later snapshot, whether its order among its siblings has changed
	isNew     []bool          // for each line of the later snapshot, whether it counts as new, see compare
	levels    []int           // for each line of the later snapshot, the number of new lines around it that are listed
	cells     []int           // indexes of the changes that are cells moved into other rows
	folder    *folder         // the lists of the later snapshot that are shortened, because they are long and new as a whole
	choice    int             // the line of the later snapshot of the last drop-down that was added
	arounds   map[int]string  // results of around so far, by line of the later snapshot
	described map[string]bool // descriptions that the delta has already
	changes   []change

	unreadNow, unreadBefore []bool // for each line of the earlier snapshot, and of the later one: the other reading did not reach it
	uncompared              int    // how many lines these are
}

// newDiff compares two lists of lines. If the parameter refs is true, it also compares their refs.
// The changes are in the order of the later snapshot. Removed lines come last, since they have no
// place there.
func newDiff(before, after []Line, given Given, refs bool) *diff {
	d := &diff{matching: match(before, after, refs), given: given, described: map[string]bool{}, arounds: map[int]string{}}
	d.moved, d.isNew, d.levels = d.movedLines(), make([]bool, len(d.b.nodes)), make([]int, len(d.b.nodes))
	d.unreadNow = d.behindCuts(&d.a, &d.b, d.to, d.from)
	d.unreadBefore = d.behindCuts(&d.b, &d.a, d.from, d.to)
	d.foldNew()
	for y := 1; y < len(d.b.nodes); y++ {
		if d.unreadBefore[y] {
			continue
		}
		if fold, ok := d.folder.folds[y]; ok {
			d.add('+', y, d.levelOfNew(y), fold.noteInDelta())
		}
		if !d.folder.out[y] {
			d.compare(y)
		}
	}
	d.joinCells()
	d.removals()
	return d
}

// compare adds the change of line y of the later snapshot, if there is one.
//
// A line is new if nothing in the earlier snapshot matches it, or if it is small and its parent is
// new. In the second case, a card was replaced, or has moved into a new place. It is easier to read
// as a whole than as the parts that happened to be elsewhere before. A line that has moved and
// changed is listed once, as changed, with its place in the note.
//
// New lines are indented as in a snapshot. Otherwise the lines of one card could not be
// distinguished from those of the next.
func (d *diff) compare(y int) {
	x, up, line := d.from[y], d.b.nodes[y].parent, d.b.line(y)
	if d.isNew[y] = x == none || d.isNew[up] && d.b.nodes[y].size <= fewLines; d.isNew[y] {
		d.levels[y] = d.levelOfNew(y)
		if !line.idle {
			d.add('+', y, d.levels[y], d.written(y))
		}
		return
	}
	changed := d.a.nodes[x].own != d.b.nodes[y].own
	across := d.to[d.a.nodes[x].parent] != up
	switch moved := across || d.moved[y]; {
	case moved && changed:
		d.addMoved('~', y, across)
	case moved:
		if across && cellRoles(role(d.b.deltaText(y))) {
			d.cells = append(d.cells, len(d.changes))
		}
		d.addMoved('>', y, across)
	case changed && !d.saysNothing(x, y) && !sameButMarks(d.a.deltaText(x), d.b.deltaText(y)) && !d.given.explains(d.a.deltaText(x), d.b.deltaText(y), line.Ref, d.b.refOfParent(y)):
		d.add('~', y, 0, d.changedText(x, y))
	}
}

// joinCells makes a single change of many cells that have moved into other rows, as the days of a
// calendar do that shows another month. Where each has moved says nothing then.
func (d *diff) joinCells() {
	if len(d.cells) <= manySiblings {
		return
	}
	first, rest := d.cells[0], d.cells[1:]
	d.changes[first].text = fmt.Sprintf("%d cells (moved into other rows)", len(d.cells))
	for _, i := range slices.Backward(rest) {
		d.changes = slices.Delete(d.changes, i, i+1)
	}
}

// sameButMarks reports whether two lines differ only in their marks, and both have some. A framework
// that adds a listener for hovers to an element has changed nothing that a person could see.
func sameButMarks(before, after string) bool {
	bareBefore, bareAfter := withoutMarks(before), withoutMarks(after)
	return bareBefore == bareAfter && bareBefore != before && bareAfter != after
}

// withoutMarks returns the text of a line without the words for what it can be used for.
func withoutMarks(line string) string {
	if !strings.Contains(line, "able]") {
		return line
	}
	for _, mark := range []string{clickable, doubleClick, draggable, droppable, hoverable, focusable, touchable} {
		line = strings.Replace(line, " ["+mark+"]", "", 1)
	}
	return line
}

// levelOfNew returns the number of new lines around line y that are listed.
func (d *diff) levelOfNew(y int) int {
	up := d.b.nodes[y].parent
	if d.isListed(up) {
		return d.levels[up] + 1
	}
	return d.levels[up]
}

// isListed reports whether line y of the later snapshot is listed as new.
func (d *diff) isListed(y int) bool { return d.isNew[y] && !d.b.line(y).idle }

// saysNothing reports whether the change from line x to line y shows nothing to read. That is so if
// y has no words, and either x had none, or the words of x are now in lines inside y. But if a line
// stays without words, its looks are read: a square of a board gets the class of a piece. If the
// element was replaced, the caller needs the new ref.
func (d *diff) saysNothing(x, y int) bool {
	before, after := d.a.line(x), d.b.line(y)
	wasReplaced := before.Ref != "" && after.Ref != "" && before.Ref != after.Ref && !after.idle
	if wasReplaced || !after.wordless || before.wordless && after.description != "" && before.description != after.description {
		return false
	}
	had := d.a.pageWords(x)
	for c := y + 1; had != "" && c < y+d.b.nodes[y].size; c++ {
		if strings.Contains(d.b.pageWords(c), had) {
			had = ""
		}
	}
	return had == ""
}

// written returns the text of line y of the later snapshot. If the delta already has the line's
// description and the line's other words say enough, the description is left out. A long
// description is shortened.
func (d *diff) written(y int) string {
	text, description := d.b.deltaText(y), d.b.line(y).description
	if description == "" {
		return text
	}
	short := quotedIn("description", beginning(description))
	if d.described[description] && sayEnough(d.b.pageWords(y), description) {
		short = ""
	}
	d.described[description] = true
	return strings.Replace(text, quotedIn("description", description), short, 1)
}

// place describes where a moved line is now. The parameter across says that it has moved to another
// parent. An order can be described only by neighbors. So place names the line before y in the same
// parent, or says that y is the first.
func (d *diff) place(y int, across bool) string {
	parent, before := d.b.nodes[y].parent, d.b.nodes[y].before
	var words []string
	if across && parent > 0 {
		words = append(words, "into "+d.b.label(parent))
	}
	if before > 0 {
		words = append(words, "after "+d.b.label(before))
	} else if !across || parent == 0 {
		words = append(words, "to the start")
	}
	return "moved " + strings.Join(words, ", ")
}

// manySiblings is the maximum number of removed siblings that are listed one by one.
const manySiblings = 5

// removals adds the lines that have gone. For the lines inside such a line, it gives only their
// number. Of many siblings, it lists only the first.
//
// A line counts as gone by itself only if its parent is still there. Otherwise it has gone with its
// parent, and only adds to the parent's number in the list lost. The first loop adds up these
// numbers from the last line to the first, so inner lines before outer ones. What is in a frame that
// was not read this time is unknown, and does not count.
func (d *diff) removals() {
	lost := make([]int, len(d.a.nodes)) // for each line, how many lines inside it have gone
	for x := len(d.a.nodes) - 1; x > 0; x-- {
		if up := d.a.nodes[x].parent; d.to[x] == none && d.to[up] == none {
			lost[up] += lost[x] + 1
		}
	}
	gone := func(x int) bool {
		up := d.to[d.a.nodes[x].parent]
		return d.to[x] == none && up != none && (up == 0 || !d.b.line(up).unread) && !d.unreadNow[x] && !d.a.line(x).isCut
	}
	for x := 1; x < len(d.a.nodes); x++ {
		if !gone(x) || d.a.nodes[x].before > 0 && gone(d.a.nodes[x].before) {
			continue
		}
		var run []int
		end := d.a.nodes[x].parent + d.a.nodes[d.a.nodes[x].parent].size
		for c := x; c < end && gone(c); c += d.a.nodes[c].size {
			run = append(run, c)
		}
		d.addRun(run, lost)
	}
}

// addRun adds siblings that have gone. The parameter lost has, for each line, how many lines
// inside it have gone.
func (d *diff) addRun(run, lost []int) {
	if len(run) <= manySiblings {
		for _, x := range run {
			if lost[x] > 0 || !d.a.line(x).idle {
				d.addGone(x, d.a.summary(x, lost[x], ""))
			}
		}
		return
	}
	lines := len(run)
	for _, x := range run {
		lines += lost[x]
	}
	d.addGone(run[0], fmt.Sprintf("%s and the %d after it (%d lines)", d.a.label(run[0]), len(run)-1, lines))
}

// noteRefs adds a line about refs. It says how many lines read as before, but have other refs now.
// Without this line, an agent would act on refs that now belong to other elements than it has read
// about.
func (d *diff) noteRefs() {
	n := 0
	for y := 1; y < len(d.b.nodes); y++ {
		if x := d.from[y]; x > 0 && d.b.line(y).Ref != d.a.line(x).Ref && d.a.nodes[x].own == d.b.nodes[y].own {
			n++
		}
	}
	if n > 0 {
		d.note(fmt.Sprintf("(%d elements that read as before have other refs now: take a snapshot before acting on them)", n))
	}
}

// note adds a line of chela's own words.
func (d *diff) note(text string) {
	d.changes = append(d.changes, change{rank: inDialog, text: text})
}

// brief returns line i with a note and the number of the lines inside it.
func (t *tree) brief(i int, note string) string { return t.summary(i, t.nodes[i].size-1, note) }

// summary returns line i in short form, followed by a note and by how many more lines belong to it.
// A line without words of its own, such as a bare list item, gets some of the words inside it.
// Otherwise it could not be recognized.
func (t *tree) summary(i, more int, note string) string {
	var notes []string
	if more > 0 {
		notes = append(notes, fmt.Sprintf("… %d %s", more, plural("line", more)))
	}
	if note != "" {
		notes = append(notes, note)
	}
	text := strings.TrimSuffix(t.deltaText(i), ":")
	if t.pageWords(i) == "" {
		text = t.label(i)
	}
	if len(notes) > 0 {
		text += " (" + strings.Join(notes, ", ") + ")"
	}
	return text
}

func plural(word string, n int) string {
	if n == 1 {
		return word
	}
	return word + "s"
}

// longLabel is the maximum number of characters of a line that are quoted in the change of another
// line.
const longLabel = 60

// label returns a short name for a line, for use in other lines: its own text, or the text of the
// lines inside. At most ten lines inside are used, and the whole is cut to longLabel. Of the options
// of a drop-down, those that are selected are its value.
func (t *tree) label(i int) string {
	text := strings.TrimSuffix(t.deltaText(i), ":")
	if t.pageWords(i) == "" {
		var words []string
		for c := i + 1; c < i+t.nodes[i].size && len(words) < 10; c++ {
			if word := t.pageWords(c); word != "" && !(role(text) == "combobox" && t.isOtherOption(c)) {
				words = append(words, word)
			}
		}
		if len(words) > 0 {
			text += ": " + strings.Join(words, " ")
		}
	}
	return excerpt.Shorten(text, longLabel)
}

// isOtherOption reports whether a line is an option that is not selected.
func (t *tree) isOtherOption(i int) bool {
	return role(t.deltaText(i)) == "option" && !t.line(i).chosen
}

// role returns the role of a line, the first word of its text.
func role(text string) string {
	word, _, _ := strings.Cut(text, " ")
	return strings.TrimSuffix(word, ":")
}

// pageWordsOf returns the words of the page in a line: the name in its text, or else what follows
// the colon.
//
// The text of a line was written by printer: role "name" [ref=e1]: value. In a name, quotes and
// backslashes are escaped, so it ends at the first quote without a backslash.
func pageWordsOf(text string) string {
	is, rest, _ := strings.Cut(text, " ")
	if strings.HasSuffix(is, ":") {
		return rest
	}
	name, named := strings.CutPrefix(rest, `"`)
	if !named {
		_, after, _ := strings.Cut(rest, "]: ")
		return after
	}
	for i := 0; i < len(name); i++ {
		switch name[i] {
		case '\\':
			i++
		case '"':
			return name[:i]
		}
	}
	return name
}

// movedLines returns which lines of the later snapshot are in another order among their siblings
// than before. If two siblings changed places, it is not known which one has moved. The fewest
// lines that explain the order count as moved.
//
// That is a longest increasing subsequence. The later children, in their order, are numbered by
// their earlier places. The lines in the longest increasing part of these numbers stay, and the
// others have moved. When one row of a hundred goes to the top, this lists one move and not
// ninety-nine.
func (d *diff) movedLines() []bool {
	moved := make([]bool, len(d.b.nodes))
	for y := range d.b.nodes {
		if d.from[y] == none || d.b.nodes[y].size == 1 {
			continue
		}
		var now, old []int
		d.b.eachChild(y, func(c int) {
			if x := d.from[c]; x != none && d.a.nodes[x].parent == d.from[y] {
				now, old = append(now, c), append(old, x)
			}
		})
		if slices.IsSorted(old) {
			continue
		}
		stays := ascending(old)
		for i, c := range now {
			moved[c] = !stays[i]
		}
	}
	return moved
}

// ascending marks the numbers of a longest increasing subsequence. No two numbers are equal, and
// there is at least one. The algorithm is patience sorting, which is O(n log n). For each number it
// notes the number before it in the longest subsequence that ends there.
func ascending(numbers []int) []bool {
	var ends []int // for each length of a subsequence, the index of the smallest number that ends one
	before := make([]int, len(numbers))
	for i, n := range numbers {
		length, _ := slices.BinarySearchFunc(ends, n, func(end, n int) int { return numbers[end] - n })
		before[i] = none
		if length > 0 {
			before[i] = ends[length-1]
		}
		if length == len(ends) {
			ends = append(ends, i)
		} else {
			ends[length] = i
		}
	}
	marked := make([]bool, len(numbers))
	for i := ends[len(ends)-1]; i != none; i = before[i] {
		marked[i] = true
	}
	return marked
}

// withoutNewMark returns the text of a line without the mark of a new ref.
func withoutNewMark(l Line) string { return strings.TrimSuffix(l.Text, " [new]") }

// bareLine returns the text of a line without the dash that it begins with.
func bareLine(text string) string { return strings.TrimPrefix(text, "- ") }
