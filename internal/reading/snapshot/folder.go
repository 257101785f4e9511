package snapshot

import "fmt"

// An efficient snapshot shows only the beginning of a long list. A task mostly needs one item,
// which find gives, or what is after the list. If a list has more than manyLike items, the first
// firstLike are shown. For lists of single links or buttons, and in menus, these numbers are
// manyLinks and firstLinks, because an item is only one line.
const (
	manyLike, firstLike   = 15, 10
	manyLinks, firstLinks = 40, 30
)

// fewFolded is how many elements that can be acted on must at least be left out, so that shortening
// a list is worthwhile.
const fewFolded = 8

// fewMarked is up to how many lines with the class of what is chosen are shown in a list that is
// shortened. If there are more, as in a list of users with a status, it is no choice.
const fewMarked = 3

// longestGroup is how many siblings an item may consist of. A card without an element of its own
// may be a heading, a price and a button.
const longestGroup = 8

var (
	listItemRoles = set("row listitem article treeitem")
	cellRoles     = set("cell gridcell columnheader rowheader")
	contentRoles  = set("paragraph heading text")
	menuRoles     = set("navigation banner menu menubar tablist toolbar radiogroup listbox combobox")
	fieldRoles    = set("textbox searchbox combobox spinbutton slider switch")
)

// A folder shortens lists: it leaves out all but the first of many similar lines. Similar lines are
// siblings of the same role, or groups of siblings whose roles recur in the same order. Fields of a
// form are left out only in rows.
type folder struct {
	ends   []int                  // for each line, the next one that is not inside it
	role   func(i int) string     // role of a line
	closed func(i int) bool       // the line is an option of a closed drop-down
	stays  func(i int) bool       // the line must be shown, and so must the lines that contain it; see mustShow
	marked func(i int) bool       // the same, but only if few lines of a list are such
	worth  func(from, to int) int // how many lines are saved if these lines are left out, see fewFolded

	out    []bool         // for each line, whether it is left out
	folds  map[int]folded // the shortened lists, by the first line that is left out
	fields []int          // for each line, and for the end, how many fields of forms are before it; see hasField
}

// A folded is a shortened list: only its first items are shown.
type folded struct {
	groups  int  // how many items are left out; an item is a line, or a group of siblings
	list    span // the lines of the whole list
	options bool // the items are options of a drop-down
	alike   bool // nothing distinguishes the items from the line before them
}

// noteInDelta returns the line about the items that are left out of a delta.
func (f folded) noteInDelta() string {
	switch {
	case f.options:
		return fmt.Sprintf(moreOptions, f.groups)
	case f.alike:
		return fmt.Sprintf(moreAlike, f.groups)
	}
	return fmt.Sprintf(moreLike, f.groups, "a snapshot shows all")
}

func newFolder(ends []int, role func(i int) string) *folder {
	return &folder{ends: ends, role: role, out: make([]bool, len(ends)), folds: map[int]folded{},
		worth: func(from, to int) int { return to - from }}
}

// fold shortens the lists among the lines with from <= index < to. These lines are the contents of
// a line, or the whole page. The parameter menu says whether they are in a menu or the like.
func (f *folder) fold(from, to int, menu bool) {
	var all []int
	for i := from; i < to; i = f.ends[i] {
		all = append(all, i)
	}
	f.foldRuns(all, menu)
	for _, i := range all {
		if !f.out[i] && f.ends[i]-i > manyLike {
			f.fold(i+1, f.ends[i], menu || menuRoles(f.role(i)))
		}
	}
}

// foldRuns shortens each run of similar lines among siblings. It first notes how far the roles
// recur, for each length p of a group. The entry at same[p-1][i] is how many siblings in a row,
// from i on, have the same role as the sibling p places later.
func (f *folder) foldRuns(all []int, menu bool) {
	if len(all) <= manyLike {
		return
	}
	var same [longestGroup][]int
	for p := range same {
		same[p] = make([]int, len(all)+1)
		for i := len(all) - p - 2; i >= 0; i-- {
			if f.role(all[i]) == f.role(all[i+p+1]) {
				same[p][i] = same[p][i+1] + 1
			}
		}
	}
	var tried [longestGroup]int // by p-1: the end of the last run that was not worth shortening
	for i := 0; i < len(all); {
		next := i + 1
		for p := 1; p <= longestGroup; p++ {
			groups := (same[p-1][i] + p) / p
			end := min(i+groups*p, len(all))
			if i < tried[p-1] || !f.isLong(all[i:end], p, menu) {
				continue
			}
			if f.foldRun(all[i:end], p, menu) {
				next = i + groups*p
				break
			}
			tried[p-1] = end
		}
		i = next
	}
}

// limits returns how many groups of p siblings a run may have without being shortened, and how many
// of them are shown if it is. The first sibling has this role.
func limits(role string, p int, menu bool) (many, first int) {
	if menu || p == 1 && interactiveRoles(role) && role != "treeitem" {
		return manyLinks, firstLinks
	}
	return manyLike, firstLike
}

// isLong reports whether a run of groups of p siblings may be shortened if that is worthwhile. This
// takes the same time for each run, since it is asked for each sibling and p.
func (f *folder) isLong(run []int, p int, menu bool) bool {
	role, groups := f.role(run[0]), len(run)/p
	many, _ := limits(role, p, menu)
	if groups <= many || p == 1 && (cellRoles(role) || contentRoles(role)) || p > 1 && f.allAlike(run[:p]) {
		return false
	}
	return listItemRoles(role) || !f.hasField(run[0], f.ends[run[groups*p-1]])
}

// foldRun shortens a long run of groups of p siblings, if that is worthwhile. It reports whether it
// did. If not, no run that begins within this one and has the same end is tried: it would have fewer
// lines to leave out. If each were tried, a list of 30,000 rows without refs would take minutes. A
// later run may have its groups cut elsewhere, and then be just worthwhile: this is ignored.
func (f *folder) foldRun(run []int, p int, menu bool) bool {
	groups := len(run) / p
	_, first := limits(f.role(run[0]), p, menu)
	end := func(g int) int { return f.ends[run[(g+1)*p-1]] } // after the last line of a group
	marks := countLines(run[0], end(groups-1), f.marked)
	var left []span
	worth := 0
	for g := first; g < groups; g++ {
		if f.mustShow(run[g*p], end(g)) || marks <= fewMarked && countLines(run[g*p], end(g), f.marked) > 0 {
			continue
		}
		left = append(left, span{run[g*p], end(g) - 1})
		worth += f.worth(run[g*p], end(g))
	}
	if worth < fewFolded {
		return false
	}
	for _, s := range left {
		for i := s.first; i <= s.last; i++ {
			f.out[i] = true
		}
	}
	f.folds[left[0].first] = folded{groups: len(left), list: span{run[0], end(groups-1) - 1}}
	return true
}

// mustShow reports whether one of the lines with from <= i < to, a group of siblings, must be shown.
// The option that is selected in a closed drop-down is shown among the options. It is no reason to
// show what the drop-down is in: in nearly every drop-down, an option is selected.
func (f *folder) mustShow(from, to int) bool {
	isOption := f.role(from) == "option"
	return anyLine(from, to, func(i int) bool { return f.stays(i) && (isOption || !f.closed(i)) })
}

// hasField reports whether any of the lines with from <= index < to is a field of a form.
func (f *folder) hasField(from, to int) bool {
	if f.fields == nil {
		f.fields = make([]int, len(f.ends)+1)
		for i := range f.ends {
			if f.fields[i+1] = f.fields[i]; fieldRoles(f.role(i)) {
				f.fields[i+1]++
			}
		}
	}
	return f.fields[from] < f.fields[to]
}

// allAlike reports whether lines have the same role. Then they are single items, and not one group.
func (f *folder) allAlike(lines []int) bool {
	for _, i := range lines {
		if f.role(i) != f.role(lines[0]) {
			return false
		}
	}
	return true
}

// countLines returns for how many indexes from <= i < to a function returns true.
func countLines(from, to int, is func(i int) bool) (n int) {
	for i := from; i < to; i++ {
		if is(i) {
			n++
		}
	}
	return n
}

// anyLine reports whether a function returns true for any index from <= i < to.
func anyLine(from, to int, is func(i int) bool) bool {
	for i := from; i < to; i++ {
		if is(i) {
			return true
		}
	}
	return false
}

// foldNew leaves out most of a long list that is new as a whole. A delta is also for reading, so it
// shows more items than an efficient snapshot. Items that are added to an existing list are all
// shown, so that a caller can scroll through an endless list and read it.
func (d *diff) foldNew() {
	nodes := d.b.nodes
	ends := make([]int, len(nodes))
	for y := range nodes {
		ends[y] = y + nodes[y].size
	}
	d.folder = newFolder(ends, func(y int) string {
		if y == 0 {
			return "" // the page itself, which is no line
		}
		return role(d.b.deltaText(y))
	})
	d.folder.closed = func(y int) bool { return d.folder.role(y) == "option" && d.b.line(y).Ref == "" }
	d.folder.stays = func(y int) bool { return d.from[y] != none || y > 0 && d.b.line(y).chosen }
	d.folder.marked = func(y int) bool { return y > 0 && d.b.line(y).marked }
	for y := 1; y < len(nodes); y++ {
		if d.from[y] == none && !d.folder.out[y] && nodes[y].size > manyLinks {
			d.folder.foldRuns(d.b.children(y), true)
		}
		if !d.folder.out[y] && nodes[y].size > manyOptions && d.folder.role(y) == "combobox" {
			d.foldNewOptions(y)
		}
		if !d.folder.out[y] {
			d.foldNewAlike(y)
		}
	}
}

// foldNewAlike leaves out the new lines after line y that a reader cannot distinguish from it, if
// there are many. It does for deltas what gather does for snapshots.
func (d *diff) foldNewAlike(y int) {
	isSign := func(i int) bool {
		line := d.b.line(i)
		return d.from[i] == none && d.b.nodes[i].size == 1 && line.wordless && line.Ref != "" && !line.idle
	}
	end := y
	for end < len(d.b.nodes) && !d.folder.out[end] && isSign(end) && d.b.nodes[end].parent == d.b.nodes[y].parent && d.b.words(end) == d.b.words(y) {
		end++
	}
	if end-y <= manyAlike {
		return
	}
	for i := y + 1; i < end; i++ {
		d.folder.out[i] = true
	}
	d.folder.folds[y+1] = folded{groups: end - y - 1, alike: true}
}

// foldNewOptions leaves out most of the new options of line y, a drop-down. An agent chooses an
// option by its words, which it mostly knows.
func (d *diff) foldNewOptions(y int) {
	var options []int
	for c := y + 1; c < d.folder.ends[y]; c++ {
		if d.from[c] == none && d.folder.closed(c) {
			options = append(options, c)
		}
	}
	left := surplus(options, func(c int) bool { return d.b.line(c).chosen })
	if len(left) == 0 {
		return
	}
	for _, c := range left {
		d.folder.out[c] = true
	}
	d.folder.folds[left[0]] = folded{groups: len(left), options: true}
}
