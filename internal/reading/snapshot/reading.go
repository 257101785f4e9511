package snapshot

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// A Reading holds what a page says, line by line. Expectations about the page are compared with it.
// It has what [Find] searches: names, texts, values, placeholders and descriptions, without regard
// to case and white space.
type Reading struct {
	finder
	said []string // for each item, its words, without regard to case and white space
}

// Read returns the reading of a page whose walks gave refs to all lines.
func Read(root *Frame) *Reading {
	r := &Reading{finder: newFinder(root)}
	r.said = make([]string, len(r.items))
	for i := range r.items {
		it := &r.items[i]
		r.said[i] = fold(strings.Join([]string{it.name, it.text, it.placeholder, it.description}, " "))
	}
	return r
}

// fold returns a text in the form in which texts are compared.
func fold(s string) string { return strings.Join(strings.Fields(searched(clean(s))), " ") }

// Shows returns the line that shows a text. It is the innermost line that has the text or, where
// the text goes over several lines, the one in which it begins. A text that a page has divided
// among several elements (<b>Total</b>: 5 €) is on no single line. All lines are then searched as
// one text. It returns false for an empty text.
func (r *Reading) Shows(text string) (Match, bool) {
	text = fold(text)
	if text == "" {
		return Match{}, false
	}
	if all := r.matching(Query{Text: text}, 0, len(r.items)); len(all) > 0 {
		return r.line(all[0]), true
	}
	var page strings.Builder
	var ends []int // for each item, where its words end in page
	for _, said := range r.said {
		if said != "" {
			page.WriteString(said + " ")
		}
		ends = append(ends, page.Len())
	}
	at := strings.Index(page.String(), text)
	if at < 0 {
		return Match{}, false
	}
	begin := slices.IndexFunc(ends, func(end int) bool { return at < end })
	return r.line(begin), true
}

// Unread returns the note about a part of the page that was not read, or "" if all was read. If a
// ref is given, only parts that may be inside its element matter. If a part of a page is unknown, an
// expectation that the page has something can hold, but not one that it lacks something.
func (r *Reading) Unread(ref string) string {
	from, to := 0, len(r.items)
	if i := r.index(ref); i >= 0 {
		from, to = i, r.ends[i]
		if to < len(r.items) && r.items[to].role == "" && r.items[to].anywhere == nil {
			to++ // the note about a frame that was not read to its end, which may have been in this element
		}
	}
	for i, it := range r.items {
		if it.unread && (from <= i && i < to || it.anywhere.has(ref)) {
			return it.note
		}
	}
	return ""
}

// has reports whether a ref is of an element of the frame f.
func (f *Frame) has(ref string) bool { return f != nil && strings.HasPrefix(ref, f.Prefix+"e") }

// unread returns the note about a part of the page that was not read, or "" if all items were read.
func unread(items []item) string {
	for _, it := range items {
		if it.unread {
			return it.note
		}
	}
	return ""
}

// unloaded returns the note about a frame that shows nothing, or about such a page; "" if there is none.
// Other notes do not count: they are about refs.
func unloaded(root *Frame, items []item) string {
	for _, it := range items {
		if (it.role == "iframe" || root.Walk == nil) && it.note != "" && !it.unread {
			return it.note
		}
	}
	return ""
}

// Closest returns the line that is most like a text: that has the most of the text's words. If
// several lines are equally like it, the innermost is taken. If no line has any of the words, it
// returns a message of the page, or else a heading. It returns false for a page that has neither.
// If an expectation was not met, its error shows this line as what the page says instead, such as
// "Card declined".
func (r *Reading) Closest(text string) (Match, bool) {
	words := strings.Fields(fold(text))
	best, limit := -1, 0
	for i := range r.items {
		if r.items[i].note != "" || r.said[i] == "" {
			continue
		}
		if score := likeness(words, r.said[i])*3 + weight(r.items[i].role); score > limit || score == limit && best >= 0 && r.within(i, best) {
			best, limit = i, score
		}
	}
	if best < 0 {
		return Match{}, false
	}
	return r.line(best), true
}

// likeness counts how many of the words a text has. A word that is there as a whole counts twice. A
// word counts once if at least its first four letters are there, as in another form of it: order,
// ordered.
func likeness(words []string, said string) (n int) {
	const stem = 4 // in letters
	for _, word := range words {
		switch {
		case hasPhrase(said, word):
			n += 2
		case utf8.RuneCountInString(word) > stem && strings.Contains(said, string([]rune(word)[:stem])):
			n++
		}
	}
	return n
}

// weight prefers lines that report an outcome, such as alerts.
func weight(role string) int {
	switch role {
	case "alert", "status", "alertdialog":
		return 2
	case "heading":
		return 1
	}
	return 0
}

// Count returns how many lines have a given text and role, and the first such line. If several
// lines inside each other have the text, only the innermost counts. If a ref is given, Count looks
// only inside that element. Without text and role, it counts the element's items, such as the rows
// of a table or the options of a listbox. If the role of the element has no items, it counts the
// lines directly inside. It returns false if the ref has no line.
func (r *Reading) Count(q Query, ref string) (n int, first Match, ok bool) {
	from, to := 0, len(r.items)
	if ref != "" {
		i := r.index(ref)
		if i < 0 {
			return 0, Match{}, false
		}
		from, to = i+1, r.ends[i]
		if q.Role == "" {
			q.Role = itemRoles()[r.items[i].role]
		}
		if q.Role == "" && q.Text == "" {
			return r.children(i)
		}
	}
	found := r.matching(q, from, to)
	if len(found) > 0 {
		first = r.line(found[0])
	}
	return len(found), first, true
}

// itemRoles has, for the role of a container, the role of its items. The items of a list, for
// example, are listitems.
var itemRoles = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"list": "listitem", "table": "row", "grid": "row", "treegrid": "row", "rowgroup": "row", "listbox": "option", "combobox": "option",
		"menu": "menuitem", "menubar": "menuitem", "tree": "treeitem", "tablist": "tab", "radiogroup": "radio",
	}
})

// children counts the items directly inside another.
func (r *Reading) children(of int) (n int, first Match, ok bool) {
	for i := of + 1; i < r.ends[of]; i++ {
		if r.parents[i] != of {
			continue
		}
		if n++; n == 1 {
			first = r.line(i)
		}
	}
	return n, first, true
}

// Of returns the line of a ref.
func (r *Reading) Of(ref string) (Match, bool) {
	if i := r.index(ref); i >= 0 {
		return r.line(i), true
	}
	return Match{}, false
}

// index returns the first item with a ref, or -1. An empty ref is no item's.
func (r *Reading) index(ref string) int {
	if ref == "" {
		return -1
	}
	return slices.IndexFunc(r.items, func(it item) bool { return it.ref == ref })
}

// matching returns the items that fit a query. It searches the indexes from <= i < to. With a role,
// the text may also be in what is inside an item, such as the cells of a row. If the query has a
// text, it returns only the innermost of those that fit. Items are in page order: an outer item that
// fits is the last one found. It is removed when an inner one fits as well.
func (r *Reading) matching(q Query, from, to int) (found []int) {
	text := fold(q.Text)
	for i := from; i < to; i++ {
		if r.items[i].note != "" || !r.items[i].hasRole(q.Role) {
			continue
		}
		if !strings.Contains(r.said[i], text) && (q.Role == "" || !strings.Contains(r.saidInside(i), text)) {
			continue
		}
		for text != "" && len(found) > 0 && r.within(i, found[len(found)-1]) {
			found = found[:len(found)-1]
		}
		found = append(found, i)
	}
	return found
}

// saidInside returns what an item and the items inside it say, in the form of said.
func (r *Reading) saidInside(i int) string {
	return strings.Join(strings.Fields(strings.Join(r.said[i:r.ends[i]], " ")), " ")
}

// line returns an item as a match.
func (r *Reading) line(i int) Match {
	all := r.print([]hit{{item: i}}, 0)
	return all[0]
}
