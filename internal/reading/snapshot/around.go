package snapshot

import (
	"strings"

	"chela/internal/wall/excerpt"
)

// choiceRoles are the roles of controls whose options are lines inside them.
var choiceRoles = set("combobox listbox")

// partRoles are the roles of other lines that say where on a page a change is.
var partRoles = set("alertdialog article banner complementary contentinfo dialog figure form group listitem main navigation region row search tabpanel treeitem")

// around returns the text of the closest line, from line y of the later snapshot upwards, that says
// where on the page a change is. That is a row, a card or a landmark that was there before. It
// returns "" if there is none. A main part or form without a name says nothing.
func (d *diff) around(y int) string {
	for ; y > 0; y = d.b.nodes[y].parent {
		if d.from[y] == none {
			continue
		}
		said, known := d.arounds[y]
		if !known {
			said = d.part(y)
			d.arounds[y] = said
		}
		if said != "" {
			return said
		}
	}
	return ""
}

// part returns line y of the later snapshot in the form in which it says where a change is: its
// role and its words. A row or card without words of its own gets those lines inside it that have
// not changed. It returns "" if such a line does not say where a change is.
func (d *diff) part(y int) string {
	is, words := role(d.b.deltaText(y)), d.b.pageWords(y)
	card := is == "generic" && d.b.line(y).Ref != "" && d.b.nodes[y].size <= fewLines
	named := is
	if words != "" {
		named += ` "` + excerpt.Shorten(words, longPlace) + `"`
	}
	switch ref := d.b.line(y).Ref; {
	case choiceRoles(is) && ref != "":
		return named + " [ref=" + ref + "]" // several drop-downs may have the same options, and no words
	case !partRoles(is) && !card, words == "" && (is == "main" || is == "form"):
		return ""
	case words != "":
		return named
	case landmarkRoles(is):
		return is
	}
	var same []string
	for c := y + 1; c < y+d.b.nodes[y].size && len(same) < 10; c++ {
		if x, word := d.from[c], d.b.pageWords(c); x != none && word != "" && d.a.pageWords(x) == word {
			same = append(same, word)
		}
	}
	if len(same) == 0 {
		return ""
	}
	return is + ": " + excerpt.Shorten(strings.Join(same, " "), longPlace)
}

// changedText returns the text of line y of the later snapshot, which was line x. If it is not
// known that they are the same element, a note has the words of x. A line without words has its
// description, or gets the words of the lines inside it.
func (d *diff) changedText(x, y int) string {
	text, before, now := d.written(y), d.a.pageWords(x), d.b.pageWords(y)
	sameRef := d.b.line(y).Ref != "" && d.a.line(x).Ref == d.b.line(y).Ref
	switch {
	case now == "" && d.b.line(y).description == "":
		return d.b.summary(y, 0, "")
	case before == "" || before == now || sameRef:
		return text
	}
	return strings.TrimSuffix(text, ":") + " (was " + excerpt.Shorten(before, longBefore) + ")"
}

// longPlace is the maximum number of characters of the words of a place.
const longPlace = 40

// longBefore is the maximum number of characters of what a line said before.
const longBefore = 30
