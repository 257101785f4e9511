package snapshot

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"chela/internal/wall/excerpt"
)

// item is a line of the whole page, in any frame. A page has up to some ten thousand of them, and
// each pass copies or moves them. So what only few items have, such as marks, is kept beside the
// list.
type item struct {
	node
	ref  string // ref of the element, with the prefix of its frame; "" if there is none
	note string // chela's own words about the line, such as why a frame is missing

	unread    bool   // something is missing here: a frame that was not read, or the rest of one
	anywhere  *Frame // with unread: it may be in any element of this frame; nil: it is in this place
	idle      bool   // the line is left out
	context   bool   // the line tells equal controls apart, see tellApart
	toldApart bool   // such a line distinguishes the control from all that look equal
	title     string // in an interactive snapshot, used as the name: the text inside that has no line of its own
}

// deepest is the deepest level of indentation; lines that are nested deeper are also printed at
// this level. On a page of many levels, most of the text would be indents.
const deepest = 100

// stitch joins the lines of root and of the frames inside it, in page order. If the parameter
// allRefs is true, lines that cannot be acted on also have a ref. A page that did not answer
// becomes a single note that says why, rather than an error.
func stitch(root *Frame, allRefs bool) *stitcher {
	s := &stitcher{allRefs: allRefs}
	if root.Walk == nil {
		what := "page"
		if root.Prefix != "" {
			what = "frame"
		}
		s.items = []item{{note: "(" + what + " not read: " + clean(root.Failed) + ")", unread: !root.Unloaded}}
		s.places.add(place{}, 0, true)
		return s
	}
	s.items = make([]item, 0, root.size())
	s.frame(root, 0, 0)
	return s
}

// size returns the maximum number of items of f and the frames inside it.
func (f *Frame) size() int {
	n := f.Walk.size() + 1 // room for a note
	for _, child := range f.Children {
		n += child.size()
	}
	return n
}

// A stitcher joins the lines of all frames. While it reads them, it notes whether some are of kinds
// that need another pass. Most large pages have no such lines. A pass over their items, which do
// not fit into the processor's caches, takes about a tenth of all the time.
type stitcher struct {
	items   []item
	places  places // places of the items, if allRefs is set
	allRefs bool

	hinted  bool // a line has hints, or is hidden from screen readers
	counted bool // a line has a position in a grid

	unseen Unseen // text that was left out
}

// frame appends the lines of f, which begin at the given depth. The parameter elements is how many
// elements of other frames are around f. The lines of an inner frame follow the line of its iframe
// element. For a frame that was not read, a note follows that line. Each frame has a Walk of its
// own, because frames of other sites run in other processes. If the walk gave refs to all lines,
// the i-th entry of Walk.All is the ref of the i-th line.
func (s *stitcher) frame(f *Frame, depth, elements int) {
	for _, note := range f.Walk.Notes {
		s.note(note, depth, elements)
	}
	if f.Walk.Lines != "" {
		i := 0
		for line := range strings.SplitSeq(f.Walk.Lines, "\n") {
			ref := 0
			if s.allRefs && i < len(f.Walk.All) {
				ref = f.Walk.All[i]
			}
			kept := s.line(f, line, ref, depth)
			if s.allRefs {
				s.places.add(f.Walk.place(i, line), elements, kept)
			}
			if kept {
				s.split()
				s.child(f)
			}
			i++
		}
	}
	if !f.Walk.Marked {
		s.unseen.add(f.Walk.Unseen)
	}
	if f.Walk.Cut != "" {
		s.note(f.Walk.Cut, depth, elements)
		it := &s.items[len(s.items)-1]
		it.unread = true
		if f.Walk.Anywhere {
			it.anywhere = f
		}
	}
}

// note appends a line about the frame at the given depth.
func (s *stitcher) note(text string, depth, elements int) {
	s.items = append(s.items, item{node: node{depth: depth}, note: "(" + text + ")"})
	if s.allRefs {
		s.places.add(place{}, elements, true)
	}
}

// line appends a line of f. The parameter ref is a ref number for a line that has none. The ref
// gets the prefix of its frame, since each frame counts its refs from 1: f2e7 is the seventh
// element of frame 2. Depths that the page script reports are not trusted to be in bounds, as later
// passes index arrays by them. The result is false if there is nothing to read in the line.
func (s *stitcher) line(f *Frame, line string, ref, depth int) bool {
	s.items = append(s.items, item{})
	it := &s.items[len(s.items)-1]
	it.parse(line)
	if it.role == "text" && it.text == "" { // the text has invisible characters only
		s.items = s.items[:len(s.items)-1]
		return false
	}
	s.hinted = s.hinted || it.hints != "" || it.states == "aria-hidden"
	s.counted = s.counted || it.states != "" && strings.Contains(it.states, "index=")
	it.depth = min(max(it.depth, 0)+depth, deepest)
	if it.node.ref != 0 {
		ref = it.node.ref
	}
	if ref != 0 {
		it.ref = f.Prefix + "e" + strconv.Itoa(ref)
	}
	return true
}

// split makes several items of the last one if it is a long text. They are in the same element.
func (s *stitcher) split() {
	it := s.items[len(s.items)-1]
	if it.role != "text" || len(it.text) <= longestText {
		return
	}
	pieces := excerpt.Pieces(it.text, longestText)
	s.items[len(s.items)-1].text = pieces[0]
	for _, it.text = range pieces[1:] {
		s.items = append(s.items, it)
		if s.allRefs {
			last := s.places.all[len(s.places.all)-1]
			s.places.all = append(s.places.all, place{last.depth, last.depth})
		}
	}
}

// child appends the lines of an inner frame, if the last item is an iframe of f.
func (s *stitcher) child(f *Frame) {
	it := &s.items[len(s.items)-1]
	if it.role != "iframe" || it.ref == "" {
		return
	}
	switch child := f.Children[it.node.ref]; {
	case child == nil:
	case child.Walk == nil:
		it.note, it.unread = "(frame not read: "+clean(child.Failed)+")", !child.Unloaded
	default:
		from, elements := len(s.items), 0
		if s.allRefs {
			elements = s.places.all[from-1].depth
		}
		owner := it.node.ref
		s.frame(child, it.depth+1, elements)
		if slices.Contains(f.Walk.Veiled, owner) {
			s.veil(from, f.Walk.Marked)
		}
	}
}

// nesting returns the tree that the depths of items make. For each item, parents has the item around
// it, or none, and ends the next item that is not inside it. Items are in page order, so what is
// inside an item follows it directly, up to its end.
func nesting(items []item) (parents, ends []int) {
	parents, ends = make([]int, len(items)), make([]int, len(items))
	var around []int
	for i := range items {
		for len(around) > 0 && items[around[len(around)-1]].depth >= items[i].depth {
			ends[around[len(around)-1]] = i
			around = around[:len(around)-1]
		}
		parents[i] = none
		if len(around) > 0 {
			parents[i] = around[len(around)-1]
		}
		around = append(around, i)
	}
	for _, i := range around {
		ends[i] = len(items)
	}
	return parents, ends
}

// title returns what an item with a ref is called in the list of refs: its name, else
// the text inside it. It is for the list of refs in the answer, in which no lines are
// around that would say what an element is.
func title(items []item, i int) string {
	it := &items[i]
	if it.name != "" {
		return it.name
	}
	if interactiveRoles(it.role) || it.role == "iframe" {
		return "" // a control has its text as its name, or has a value, which is not a name
	}
	words := ownText(it)
	for j := i + 1; j < len(items) && items[j].depth > it.depth && len(words) < titleWords; j++ {
		words = append(words, items[j].said()...)
	}
	return excerpt.Shorten(strings.Join(words, " "), titleLength)
}

// A title is made of at most titleWords texts, and is cut to titleLength characters.
const (
	titleWords  = 20
	titleLength = 100
)

// said returns the name of an item, else its text, as a list of one or none.
func (it *item) said() []string {
	if it.name != "" {
		return []string{it.name}
	}
	return ownText(it)
}

// ownText returns the text of an item as a list of one or none. The value of a control is not its
// name: it changes as the user types.
func ownText(it *item) []string {
	if it.text == "" || it.is("value") {
		return nil
	}
	return []string{strings.Join(strings.Fields(it.text), " ")}
}

// is reports whether state is one of the words of n.states.
func (n *node) is(state string) bool {
	for word := range strings.FieldsSeq(n.states) {
		if word == state {
			return true
		}
	}
	return false
}

// set returns a function that reports whether a word is in a list that is separated by spaces.
func set(words string) func(word string) bool {
	all := sync.OnceValue(func() map[string]bool {
		m := map[string]bool{}
		for word := range strings.FieldsSeq(words) {
			m[word] = true
		}
		return m
	})
	return func(word string) bool { return all()[word] }
}

var (
	// Roles of elements that can be acted on. The page script has the same list, and a test
	// compares both.
	interactiveRoles = set("button checkbox combobox link listbox menuitem menuitemcheckbox menuitemradio option radio searchbox " +
		"slider spinbutton switch tab textbox treeitem")

	// Roles of elements that only group others.
	structuralRoles = set("application directory document generic grid group list menu menubar none presentation row rowgroup " +
		"table tablist toolbar tree treegrid")
)
