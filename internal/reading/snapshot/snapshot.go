package snapshot

// Options choose the rendering. The zero value is the whole page in ai format.
type Options struct {
	Role        bool   // the role format in place of the ai format
	Interactive bool   // only what can be acted on
	Compact     bool   // without wrappers that say nothing
	URLs        bool   // add the addresses of links
	AllRefs     bool   // every line has a ref; the page script must have given the refs
	KeepRepeats bool   // no line is left out or shortened because another line says the same; AllRefs implies it
	Depth       int    // number of levels that are printed; 0 means all
	MaxChars    int    // UTF-16 units of the text; 0 means no limit
	Scoped      bool   // the snapshot is of the elements that a selector names, or of one frame
	Fold        bool   // for an interactive snapshot: only the first of many similar items are shown, see foldLike
	Searched    bool   // the lines are searched (Matching), so that all items of lists and drop-downs are among them
	MainFirst   bool   // if the text is cut, dialogs and the main part come first
	Known       *Frame // the tree of the previous page: menus and the like that read the same on both pages are left out; nil: nothing is left out
	// SelectorOf returns a CSS selector for the smallest element around two refs, "" if it knows none.
	// It is for Fold, and may be nil.
	SelectorOf func(first, last string) string
	Seen       map[string]bool // refs of the snapshot before; nil: there is none to compare with
}

// Snapshot is a rendered page. The JSON names are OpenClaw's.
type Snapshot struct {
	Text        string         `json:"snapshot"`
	Refs        map[string]Ref `json:"refs"`
	Stats       Stats          `json:"stats"`
	Truncated   bool           `json:"truncated,omitempty"`
	NewElements *int           `json:"newElements,omitempty"` // absent when Options.Seen was nil
	Folded      bool           `json:"-"`                     // similar items were left out, see foldLike
	Missing     bool           `json:"-"`                     // nothing matches the selector
	Unseen      Unseen         `json:"-"`                     // text that was left out; the last of Lines counts it
	Lines       []Line         `json:"-"`                     // the lines of Text, for comparing and searching
}

// IsBlank reports whether nothing was found on the page.
func (s Snapshot) IsBlank() bool {
	found := len(s.Lines)
	if s.Unseen.Note() != "" {
		found-- // the last line counts the hidden text
	}
	return found <= 0 && !s.Truncated
}

// Ref says what a ref stands for.
type Ref struct {
	Role        string `json:"role"`
	Name        string `json:"name,omitempty"`
	Nth         *int   `json:"nth,omitempty"` // position among the refs of the same role and name, from 0; nil if there is only one
	Description string `json:"description,omitempty"`
}

// Stats measure a snapshot.
type Stats struct {
	Lines       int `json:"lines"`
	Chars       int `json:"chars"` // UTF-16 units
	Refs        int `json:"refs"`
	Interactive int `json:"interactive"`
}

// Line is one printed line.
type Line struct {
	Depth int    // printed level, 0 at the left edge
	Text  string // the line without its indent
	Ref   string // ref of the element, or ""

	isNote bool // the line does not come from the page: chela has written it about the page
	isCut  bool // the line is such a note, and says that the rest of a frame was not read

	// These fields are set only with Options.KeepRepeats, for deltas.
	unread      bool   // something is missing here, see item
	idle        bool   // an ordinary snapshot leaves the line out
	chosen      bool   // the element is selected, current or has the focus
	marked      bool   // a class says that it is chosen
	wordless    bool   // the line shows only that there is an element
	offScreen   bool   // the element is where no scrolling leads
	description string // description as it stands in Text, see printer.describe
}
