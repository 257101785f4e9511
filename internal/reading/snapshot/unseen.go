package snapshot

import (
	"fmt"
	"slices"
	"strings"

	"chela/internal/wall/excerpt"
)

// What is done with text that a person cannot see (pagejs/unseen.js). If the option is empty, such
// text is shown like any other, and not looked for.
const (
	OmitHidden = "omit" // hidden text is left out, and a line says how much there is
	MarkHidden = "mark" // the lines of hidden text have the state hidden, with the reason
)

// Unseen says how much text there is on a page that a person cannot see.
type Unseen struct {
	Texts int `json:"texts" doc:"number of texts that a person cannot see"`
	Chars int `json:"chars" doc:"total length of these texts in characters"` // UTF-16 code units
}

func (u *Unseen) add(more Unseen) {
	u.Texts += more.Texts
	u.Chars += more.Chars
}

// Note returns the line that counts the texts, or "" if there are none. It contains nothing of the
// texts. No page can write this line: "hidden" is no role.
func (u Unseen) Note() string {
	if u.Texts == 0 {
		return ""
	}
	return fmt.Sprintf("- hidden: %d %s that a person cannot see, %d %s (hidden=mark shows them)",
		u.Texts, plural("text", u.Texts), u.Chars, plural("character", u.Chars))
}

// veil leaves out or marks the text of the items from an index on. They are the items of a frame in
// which nothing can be seen. Its controls stay, with their names. The page script in the frame
// cannot know that the iframe element is hidden, because the parent document may be of another
// site.
func (s *stitcher) veil(from int, mark bool) {
	for i := from; i < len(s.items); i++ {
		it := &s.items[i]
		switch {
		case it.name == "" && it.text == "" || it.isControl():
		case mark:
			it.states = strings.TrimSpace(it.states + " hidden=frame")
		default:
			s.unseen.add(Unseen{1, excerpt.Units(it.name) + excerpt.Units(it.text)})
			it.idle = true
		}
	}
	if s.allRefs {
		s.places.leaveOut(from, func(i int) bool { return s.items[i].idle })
	}
	kept := withoutIdle(s.items[from:])
	s.items = slices.Delete(s.items, from+len(kept), len(s.items))
}

// isControl reports whether the words of an item belong to a control, or were written by chela.
func (it *item) isControl() bool {
	return interactiveRoles(it.role) || it.hints != "" || it.note != "" || it.role == "iframe"
}

// leaveOut removes from an accessibility tree the texts that a person cannot see, and counts them.
// It also removes them from the names that contain them. The words of controls stay. If veiled is
// set, nothing in the frame can be seen.
func (f *AXFrame) leaveOut(veiled bool) (u Unseen) {
	byID := make(map[string]*AXNode, len(f.Nodes))
	for i := range f.Nodes {
		byID[f.Nodes[i].ID] = &f.Nodes[i]
	}
	inControl := f.inControls(byID)
	around := map[*AXNode]bool{} // nodes that have such texts inside, but in no control
	for i := range f.Nodes {
		if n := &f.Nodes[i]; n.Role == "StaticText" && (f.Unseen[n.nearest(byID)] || veiled && !inControl[n]) {
			n.unseen = true
			u.add(Unseen{1, excerpt.Units(n.Name)})
			for up := byID[n.ParentID]; up != nil && !interactiveRoles(up.Role) && !around[up]; up = byID[up.ParentID] {
				around[up] = true
			}
		}
	}
	left := maxCutSteps
	for i := range f.Nodes {
		if n := &f.Nodes[i]; n.Name != "" && around[n] {
			n.cutUnseen(byID, &left)
		}
	}
	for owner, child := range f.Children {
		u.add(child.leaveOut(veiled || f.Unseen[owner]))
	}
	return u
}

// nearest returns the backend id of a node. For a node without one, such as the text of a ::before,
// it returns the id of the closest node around it that has one.
func (n *AXNode) nearest(byID map[string]*AXNode) int64 {
	for n != nil && n.BackendNodeID == 0 {
		n = byID[n.ParentID]
	}
	if n == nil {
		return 0
	}
	return n.BackendNodeID
}

// inControls returns the nodes that are in controls. It looks at each node once, since a page may
// nest them as deep as it likes.
func (f *AXFrame) inControls(byID map[string]*AXNode) map[*AXNode]bool {
	in := map[*AXNode]bool{}
	var pending []string
	for i := range f.Nodes {
		if n := &f.Nodes[i]; interactiveRoles(n.Role) {
			pending = append(pending, n.ChildIDs...)
		}
	}
	for len(pending) > 0 {
		n := byID[pending[len(pending)-1]]
		pending = pending[:len(pending)-1]
		if n != nil && !in[n] {
			in[n] = true
			pending = append(pending, n.ChildIDs...)
		}
	}
	return in
}

// maxCutSteps limits the work of cutUnseen for a frame, which may take a second. Pages can nest
// thousands of nodes with names around thousands of texts.
const maxCutSteps = 5_000_000

// cutUnseen removes from the name of a node the texts inside it that are left out. The name has
// these texts in their order, so each is looked for behind the text before it. What is in controls
// is skipped. The parameter left counts down the steps that are left. After them, an ellipsis takes
// the place of the name.
func (n *AXNode) cutUnseen(byID map[string]*AXNode, left *int) {
	kept, rest, cut := "", n.Name, false
	for pending := []*AXNode{n}; len(pending) > 0; {
		at := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		if *left -= 1 + len(n.Name)/64; *left < 0 {
			n.Name = "…"
			return
		}
		if at.Role != "StaticText" {
			for _, id := range slices.Backward(at.ChildIDs) {
				if child := byID[id]; child != nil && !interactiveRoles(child.Role) {
					pending = append(pending, child)
				}
			}
			continue
		}
		text := strings.TrimSpace(at.Name)
		before, after, found := strings.Cut(rest, text)
		switch {
		case text == "":
		case found && at.unseen:
			kept, rest, cut = kept+before+" ", after, true
		case found:
			kept, rest = kept+before+text, after
		case at.unseen: // the name has the texts in another order
			without := strings.Replace(kept, text, " ", 1)
			kept, cut = without, cut || without != kept
		}
	}
	if cut {
		n.Name = strings.Join(strings.Fields(kept+rest), " ")
	}
}
