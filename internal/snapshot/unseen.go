package snapshot

import (
	"fmt"
	"slices"
	"strings"
)

// What becomes of text that a person cannot see (pagejs/unseen.js). Otherwise it is shown
// like any other, and not looked for.
const (
	OmitHidden = "omit" // it is left out, and a line says how much there is
	MarkHidden = "mark" // it has the state hidden, with the reason
)

// Unseen is how much text there is on a page that a person cannot see.
type Unseen struct {
	Texts int `json:"texts" doc:"how many"`
	Chars int `json:"chars" doc:"characters of all of them"` // UTF-16 units
}

func (u *Unseen) add(more Unseen) {
	u.Texts += more.Texts
	u.Chars += more.Chars
}

// Note is the line that counts them, "" if there are none. Nothing of the texts is in it,
// and no page can write it: "hidden" is no role.
func (u Unseen) Note() string {
	if u.Texts == 0 {
		return ""
	}
	return fmt.Sprintf("- hidden: %d %s that a person cannot see, %d %s (hidden=mark shows them)",
		u.Texts, plural("text", u.Texts), u.Chars, plural("character", u.Chars))
}

// veil leaves out the text of the items from an index on, or marks it: they are those of
// a frame in which nothing can be seen. Its controls stay, with their names. The page
// script of the frame cannot know that its element is hidden, as it may be of another site.
func (s *stitcher) veil(from int, mark bool) {
	for i := from; i < len(s.items); i++ {
		it := &s.items[i]
		switch {
		case it.name == "" && it.text == "" || it.isControl():
		case mark:
			it.states = strings.TrimSpace(it.states + " hidden=frame")
		default:
			s.unseen.add(Unseen{1, units(it.name) + units(it.text)})
			it.idle = true
		}
	}
	kept := keep(s.items[from:], func(it *item) bool { return !it.idle })
	s.items = slices.Delete(s.items, from+len(kept), len(s.items))
}

// isControl reports whether the words of an item are those of a control, or chela's.
func (it *item) isControl() bool {
	return interactiveRoles(it.role) || it.hints != "" || it.note != "" || it.role == "iframe"
}
