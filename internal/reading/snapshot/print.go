package snapshot

import (
	"fmt"
	"strconv"
	"strings"

	"chela/internal/wall/excerpt"
)

// printer writes items as lines, one after the other into one text. Its small methods
// append to the text.
type printer struct {
	Options
	strings.Builder
	items  []item
	unseen Unseen
	refs   map[string]Ref
	marks  map[int][]string // by the index of the item, see marker.visibleMarks
	fresh  map[string]bool  // the refs that are marked as new
	off    []bool           // see offTheScreen; nil: nothing is off the screen, or the lines are not for a delta

	terse     bool            // shorter lines, because the list of refs has the rest: values as in the ai format, no title, no nth
	described map[string]bool // descriptions that were written already; nil: each line has its own
}

const (
	cutMarker      = "[...TRUNCATED - page too large]"
	shortCutMarker = "…"
)

var indent = strings.Repeat("  ", deepest)

// print returns the finished snapshot. The lines are slices of the one text, so that a large page
// is held once. The parameter empty is the text of a page without lines. The text may be several
// hundred kilobytes.
func (p *printer) print(empty string) Snapshot {
	s := Snapshot{Unseen: p.unseen, Lines: make([]Line, len(p.items))}
	ends := make([]int, len(p.items))
	p.Grow(p.estimatedSize())
	fresh, nearlyAll := p.newRefs()
	if !nearlyAll {
		p.fresh = fresh
	}
	for i := range p.items {
		s.Lines[i] = p.line(i)
		ends[i] = p.Len()
		p.WriteByte('\n')
	}
	text := p.String()
	begin := 0
	for i, end := range ends {
		l := &s.Lines[i]
		l.Text = text[begin+2*l.Depth : end]
		begin = end + 1
	}
	s.Text = strings.TrimSuffix(text, "\n")
	if len(s.Lines) == 0 {
		s.Text = empty
	}
	s.countNew(fresh, nearlyAll)
	if p.MaxChars > 0 && excerpt.Units(s.Text) > p.MaxChars {
		s.cut(p.MaxChars, text, ends, nearlyAll)
	}
	s.Refs = s.refsOfLines(p.refs)
	s.measure()
	return s
}

// estimatedSize returns about how many bytes the text will have. The text is then written without
// being copied to a larger buffer; 20 bytes are for the punctuation of a line.
func (p *printer) estimatedSize() (n int) {
	for i := range p.items {
		it := &p.items[i]
		n += 2*it.depth + len(it.role) + len(it.name) + len(it.text) + len(it.states) + len(it.ref) + 20
	}
	return n
}

// newRefs returns the refs that were not in the previous snapshot, and whether nearly all refs are
// such. It returns nil if there was no previous snapshot. Of searched lines only some are shown, so
// that each needs its mark.
func (p *printer) newRefs() (fresh map[string]bool, nearlyAll bool) {
	if p.Seen == nil {
		return nil, false
	}
	fresh = map[string]bool{}
	old := 0
	for i := range p.items {
		switch ref := p.items[i].ref; {
		case ref == "":
		case p.Seen[ref]:
			old++
		default:
			fresh[ref] = true
		}
	}
	return fresh, !p.Searched && len(fresh) > manyNew && len(fresh) > manyNew*old
}

// manyNew is how many elements must be new, in all and for each old one, for their marks to be left
// out. On nearly every line, a mark distinguishes nothing.
const manyNew = 10

// countNew notes how many refs are new. The line that reports it comes after the lines of the page.
// When those are cut, it stays only if it stands for the marks (nearlyAll).
func (s *Snapshot) countNew(fresh map[string]bool, nearlyAll bool) {
	if fresh == nil {
		return
	}
	n := len(fresh)
	s.NewElements = &n
	if n > 0 {
		s.Text += "\n" + newNote(n, nearlyAll)
	}
}

func newNote(n int, nearlyAll bool) string {
	note := fmt.Sprintf("%d new element(s) since last snapshot", n)
	if nearlyAll {
		note += ", nearly all: they are not marked"
	}
	return note
}

// cut keeps the whole lines that fit into the limit, in UTF-16 units, together with the marker. The
// argument ends lists where each line ends in the text, in bytes. Refs of lines that are cut are
// not in the snapshot.
//
// UTF-16 units are the unit of the limit because callers count the length of a JavaScript string. A
// line is never cut in the middle: half a ref would be another element's. The end of the page is
// cut. The marker is the text that OpenClaw writes, and the line before it says how much is
// missing. The line that counts hidden text, the last one, stays. If new elements are unmarked, so
// does the line that says so.
func (s *Snapshot) cut(limit int, text string, ends []int, unmarked bool) {
	marker := cutMarker
	if limit < len(marker) {
		marker = shortCutMarker
	}
	missing := ""
	if limit >= roomForMissing {
		missing = fmt.Sprintf(missingLines, len(ends), len(ends))
	}
	notes := []string{s.Unseen.Note()}
	if unmarked {
		notes = append(notes, newNote(*s.NewElements, unmarked))
	}
	for _, note := range notes {
		if note != "" && len(marker)+len(note)+1 <= limit {
			marker += "\n" + note
		}
	}
	room := limit - excerpt.Units(marker) - len(missing) - len("\n\n\n")
	fit, begin, used := 0, 0, 0
	for fit < len(ends) {
		used += excerpt.Units(text[begin:ends[fit]])
		if used > room {
			break
		}
		begin = ends[fit]
		fit++
	}
	s.Lines = s.Lines[:fit]
	s.Truncated = true
	s.Text = marker
	shown := text[:begin]
	if missing != "" {
		shown += "\n" + fmt.Sprintf(missingLines, len(ends)-fit, len(ends))
	}
	if shown = strings.TrimPrefix(shown, "\n"); shown != "" {
		s.Text = shown + "\n\n" + marker
	}
}

// missingLines says how many lines are missing, and how to get them. It is written only in a
// snapshot of at least roomForMissing characters.
const (
	missingLines   = "(%d of %d lines are missing: find shows those with given words, selector a part, maxChars more of them)"
	roomForMissing = 600
)

// refsOfLines returns the refs whose lines are still in the snapshot.
func (s *Snapshot) refsOfLines(all map[string]Ref) map[string]Ref {
	refs := make(map[string]Ref, len(all))
	for _, l := range s.Lines {
		if l.Ref != "" {
			refs[l.Ref] = all[l.Ref]
		}
	}
	return refs
}

// measure fills in what the text holds. Lines and characters include the marker of a
// cut.
func (s *Snapshot) measure() {
	for _, r := range s.Refs {
		if interactiveRoles(r.Role) {
			s.Stats.Interactive++
		}
	}
	s.Stats.Lines = strings.Count(s.Text, "\n") + 1
	s.Stats.Chars = excerpt.Units(s.Text)
	s.Stats.Refs = len(s.Refs)
}

// line writes the i-th item. What it writes depends on the role. A note is chela's text, a text has
// no role to show, and all other items are in one of the two formats. The mark [new] is last, as it
// does not come from the page: Compare removes it.
func (p *printer) line(i int) Line {
	it := &p.items[i]
	p.WriteString(indent[:2*it.depth])
	switch {
	case it.role == "":
		p.WriteString(it.note)
	case it.role == "text":
		p.WriteString("- text")
		p.states(it)
		p.ref(it)
		for _, mark := range p.marks[i] {
			p.brackets(mark)
		}
		p.after(bare(it.text))
	case p.Role:
		p.role(it, p.marks[i])
	case i+1 < len(p.items) && p.items[i+1].depth > it.depth:
		p.ai(it, p.marks[i], p.items[i+1].role)
	default:
		p.ai(it, p.marks[i], "")
	}
	if p.fresh[it.ref] {
		p.WriteString(" [new]")
	}
	l := Line{Depth: it.depth, Ref: it.ref, isNote: it.role == "", isCut: it.role == "" && it.unread}
	if p.KeepRepeats {
		l.unread, l.idle, l.chosen, l.marked = it.unread, it.idle, it.isChosen(), it.isMarked()
		l.wordless, l.description = it.role == "generic" && it.isWordless(), it.description
		l.offScreen = p.off != nil && p.off[i]
	}
	return l
}

// ai writes an item in the ai format, which agents read:
//
//   - role "name" [states] [ref=e1] [marks] [placeholder="…"] [description="…"]: text
//
// The text is the value of a control, or what the element holds beside other lines. A select has no
// text, since the options inside it show the value. The argument inside is the role of the first
// item that the item contains, "" if there is none.
func (p *printer) ai(it *item, marks []string, inside string) {
	p.head(it.role, it.name)
	p.states(it)
	p.ref(it)
	for _, mark := range marks {
		p.brackets(mark)
	}
	p.quoted("placeholder", it.placeholder)
	p.describe(it)
	switch {
	case it.note != "":
		p.after(it.note)
	case it.text != "" && inside != "option":
		p.after(bare(it.text))
	case inside != "":
		p.WriteByte(':')
	}
}

// role writes an item in the role format, which has what scripts need to find an element by its
// role:
//
//   - role "name" [ref=e1] [nth=1] [states] [placeholder="…"] value="text" [url=…] [marks] [description="…"]: text
//
// The number nth counts items with the same role and name, from 0, and is left out for the first.
// An item without words has its description, because nothing else distinguishes it. A sign such as
// × is no word, and the value of a field does not say what the field is for.
// The order and the words of this format come from OpenClaw; it differs from the ai format for that
// reason only.
func (p *printer) role(it *item, marks []string) {
	name := it.name
	if name == "" && !p.terse {
		name = it.title
	}
	p.head(it.role, name)
	p.ref(it)
	if nth := p.nth(it); nth > 0 && name != "" && !p.terse {
		p.brackets("nth=" + strconv.Itoa(nth))
	}
	p.states(it)
	p.quoted("placeholder", it.placeholder)
	valued := it.is("value") && !p.terse
	if valued {
		p.WriteString(" value=" + quote(it.text))
	}
	if p.URLs && it.url != "" {
		p.brackets("url=" + inBrackets.Replace(it.url))
	}
	if len(marks) > 0 {
		p.brackets(strings.Join(marks, ", "))
	}
	words := it.name + it.title + it.placeholder
	if !it.is("value") {
		words += it.text
	}
	if !strings.ContainsFunc(words, isWord) {
		p.describe(it)
	}
	switch {
	case it.note != "":
		p.after(it.note)
	case it.text != "" && it.text != name && !valued:
		p.after(bare(it.text))
	case p.terse && it.title != "" && it.text == "":
		p.after(bare(it.title))
	}
}

// nth returns the number of an item among those whose refs have its role and name, from 0. A script
// finds an element by role, name and this number.
func (p *printer) nth(it *item) int {
	if nth := p.refs[it.ref].Nth; nth != nil && !it.toldApart {
		return *nth
	}
	return 0
}

// extra estimates how many characters the role format needs beyond the ai format. It counts only
// the parts of lines that the ai format lacks.
func (p *printer) extra() (n int) {
	for i := range p.items {
		it := &p.items[i]
		if nth := p.nth(it); nth > 0 && (it.name != "" || it.title != "") {
			n += len(" [nth=]") + len(strconv.Itoa(nth))
		}
		if it.is("value") {
			n += len(` value=""`) - len(": ")
		}
		if it.title != "" {
			n += len(` ""`) - len(": ")
		}
	}
	return n
}

// inBrackets keeps an address from ending the brackets it stands in. It escapes them as in a URL,
// so the address still leads to the same page.
var inBrackets = strings.NewReplacer("[", "%5B", "]", "%5D", " ", "%20", `"`, "%22")

// head writes the beginning of a line: the dash, the role and the name in quotes.
func (p *printer) head(role, name string) {
	p.WriteString("- ")
	p.WriteString(role)
	if name != "" {
		p.WriteString(` "`)
		p.WriteString(escape(name))
		p.WriteByte('"')
	}
}

// states writes each state in brackets of its own, such as [checked]. It leaves out the state that
// is called "value". That state only says that the text of the item is the value of a control.
func (p *printer) states(it *item) {
	if it.states == "" {
		return
	}
	for state := range strings.FieldsSeq(it.states) {
		if state != "value" {
			p.brackets(state)
		}
	}
}

// ref writes [ref=e1], which a page cannot imitate: see escape.
func (p *printer) ref(it *item) {
	if it.ref != "" {
		p.WriteString(" [ref=")
		p.WriteString(it.ref)
		p.WriteByte(']')
	}
}

// describe writes the description of an item. If several items with a name or a text have the same
// description, it explains how such items are used, and is written once. Some data grids describe
// each cell by the same long sentence about the arrow keys. See sayEnough for the other items.
func (p *printer) describe(it *item) {
	if it.description == "" || p.described[it.description] && sayEnough(it.name+it.text+it.placeholder, it.description) {
		return
	}
	description := it.description
	if p.described != nil {
		p.described[description] = true
		description = beginning(description)
	}
	p.quoted("description", description)
}

// sayEnough reports whether the words of a line can stand without a description that is written
// already. Without words nothing else is known about the element. A sign, such as × or …, only goes
// without a long description.
func sayEnough(words, description string) bool {
	return strings.ContainsFunc(words, isWord) || words != "" && len(description) > longDescription
}

// A description longer than this explains how to use a widget with the keyboard. Its beginning is
// enough, except in Find. Both numbers are in bytes.
const (
	longDescription = 120
	itsBeginning    = 40
)

// beginning returns the first words of a long description. It ends between two words
// and between two UTF-8 characters.
func beginning(description string) string {
	if len(description) <= longDescription {
		return description
	}
	words := description[:itsBeginning]
	if end := strings.LastIndexByte(words, ' '); end > 0 {
		words = words[:end]
	}
	return strings.ToValidUTF8(words, "") + "…"
}

func (p *printer) quoted(key, value string) {
	if value != "" {
		p.WriteString(quotedIn(key, value))
	}
}

// quotedIn returns a text of the page for use within a line.
func quotedIn(key, value string) string { return " [" + key + "=" + quote(value) + "]" }

func (p *printer) brackets(s string) {
	p.WriteString(" [")
	p.WriteString(s)
	p.WriteByte(']')
}

func (p *printer) after(s string) {
	p.WriteString(": ")
	p.WriteString(s)
}
