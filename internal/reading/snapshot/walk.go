// Package snapshot writes a page as text that an agent can read and act on.
//
// The page script answers with one Walk per frame. This package joins them into one list of lines,
// a tree by their depths. Every format but aria is a rendering of that tree: a ref means the same
// element in all of them.
//
// walk.go decodes the lines, tree.go puts frames into one tree, tidy.go leaves out what repeats or
// says nothing, and render.go selects what a format shows. Hidden text is counted in one line, or
// marked if the caller asks (unseen.go). The same holds for plain text, searches, expectations and
// deltas.
//
// A delta compares two snapshots (delta.go). Lines are matched by their refs, by equal contents, or
// by texts that occur only once (match.go). If a page has replaced all its elements by new ones,
// lines are compared by their text alone. Results of a search come in the order of their nearness
// to a landmark (near.go).
package snapshot

import (
	"encoding/json"
	"strconv"
	"strings"
)

// Walk is what the page script found in one frame.
type Walk struct {
	Doc      string  `json:"doc"`      // token of the document, a new one for each document
	Max      int     `json:"max"`      // highest ref number given in this frame
	Missing  bool    `json:"missing"`  // nothing matched the selector
	Lines    string  `json:"lines"`    // a line for each node, its fields separated by tabs; see line.js
	All      Numbers `json:"all"`      // ref number of each line, if the caller has asked for refs of all lines
	Steps    Numbers `json:"steps"`    // with All, two numbers for each line; see place
	Iframes  []int   `json:"iframes"`  // ref numbers of the iframe lines
	Hosts    int     `json:"hosts"`    // elements that may have a closed shadow root
	Roots    int     `json:"roots"`    // shadow roots in the document
	NewRoots int     `json:"newRoots"` // shadow roots whose listeners are not known yet
	Customs  int     `json:"customs"`  // custom elements that may have semantics only the accessibility tree shows
	Cut      string  `json:"cut"`      // why the rest was not read, "" if all was read
	Unseen   Unseen  `json:"unseen"`   // text that was left out because a person cannot see it
	Marked   bool    `json:"marked"`   // text that a person cannot see was not left out: its lines have the state hidden
	Veiled   []int   `json:"veiled"`   // the entries of Iframes in which nothing can be seen
	Unloaded []int   `json:"unloaded"` // the entries of Iframes that have not loaded their document yet
	// OldHandlers says that elements have come or gone since the handlers of frameworks were listed.
	OldHandlers bool `json:"oldHandlers"`
	// Releases counts how many numbers were taken so far from elements that show other items; see carry.js.
	Releases int `json:"releases"`
	// Notes say which elements may have no ref because their listeners were not known during the walk.
	// Go sets them.
	Notes []string `json:"-"`
	// Anywhere says that with Cut, something in any element may be missing. Go sets it.
	Anywhere bool `json:"-"`

	Nodes  int     `json:"nodes"` // nodes visited
	Chars  int     `json:"chars"` // characters of all lines
	Refs   int     `json:"refs"`  // elements that carry a ref
	Millis float64 `json:"ms"`    // time spent in the page
}

// Numbers are whole numbers, which the page script writes as a text: "1 2 3".
type Numbers []int

// UnmarshalJSON reads the text. What is not a number counts as 0.
func (n *Numbers) UnmarshalJSON(raw []byte) error {
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return err
	}
	*n = make(Numbers, 0, strings.Count(text, " ")+1)
	for word := range strings.FieldsSeq(text) {
		number, _ := strconv.Atoi(word)
		*n = append(*n, number)
	}
	return nil
}

// Frame is a frame of the tab and the frames inside it.
type Frame struct {
	Walk     *Walk          // nil when the frame did not answer
	Prefix   string         // "" in the main frame, "f2" in others
	Children map[int]*Frame // frames by the ref numbers of their iframe lines
	Failed   string         // why there is no Walk
	Unloaded bool           // there is no Walk because the frame shows nothing: it has not loaded yet, or its address was refused
}

// Document returns the token of the frame's document, "" if f is nil or the frame did not answer.
func (f *Frame) Document() string {
	if f == nil || f.Walk == nil {
		return ""
	}
	return f.Walk.Doc
}

// Missing lists the refs of the iframe lines that have no frame in Children.
func (f *Frame) Missing() (refs []int) {
	for _, ref := range f.Walk.Iframes {
		if f.Children[ref] == nil {
			refs = append(refs, ref)
		}
	}
	return refs
}

// NotLoaded says why a frame is not read: it still has its first, empty document.
const NotLoaded = "it has not loaded yet"

// MarkUnloaded marks frames that were read as empty because they have not loaded yet. The snapshot
// then says so in their place.
func (f *Frame) MarkUnloaded() {
	for _, ref := range f.Walk.Unloaded {
		if child := f.Children[ref]; child != nil && child.Walk != nil && child.Walk.Lines == "" {
			f.Children[ref] = child.AsUnloaded()
		}
	}
}

// AsUnloaded returns the frame as one that was not read because it has not loaded yet.
func (f *Frame) AsUnloaded() *Frame {
	return &Frame{Prefix: f.Prefix, Failed: NotLoaded, Unloaded: true}
}

// node is one line of a Walk.
type node struct {
	depth       int
	role        string
	ref         int
	name        string
	text        string // loose text, or the value of a control
	states      string // words separated by spaces: checked disabled level=2
	hints       string // signs by which an element can be acted on although its role is not a control's, such as onclick
	placeholder string
	url         string
	description string
}

// size returns the number of lines of w.
func (w *Walk) size() int {
	if w == nil || w.Lines == "" {
		return 0
	}
	return strings.Count(w.Lines, "\n") + 1
}

// parse reads one line of a Walk. The line has the fields of line.js, in the same order. The fields
// that hold text of the page are cleaned.
func (n *node) parse(line string) {
	f := fields(line)
	n.depth = f.number()
	n.role = f.next()
	n.ref = f.number()
	n.name = clean(f.next())
	n.text = restoreWhiteSpace(clean(f.next()))
	n.states = f.next()
	if f == "" {
		return // few lines have more
	}
	n.hints = f.next()
	n.placeholder = clean(f.next())
	n.url = clean(f.next())
	n.description = clean(f.next())
}

// fields are the fields of a line that were not read yet. Trailing empty ones may be
// absent. No slice is made of them: a large page has some ten thousand lines.
type fields string

// next returns the next field and goes past it; "" when there are no more.
func (f *fields) next() string {
	end := strings.IndexByte(string(*f), '\t')
	if end < 0 {
		end = len(*f)
	}
	field := string((*f)[:end])
	*f = (*f)[min(end+1, len(*f)):]
	return field
}

// number returns the next field as a number, 0 for an empty one.
func (f *fields) number() int {
	field := f.next()
	if field == "" {
		return 0
	}
	n, _ := strconv.Atoi(field)
	return n
}
