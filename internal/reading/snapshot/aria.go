package snapshot

import (
	"cmp"
	"strconv"
	"strings"

	"chela/internal/wall/excerpt"
)

// AXNode is a node of Chromium's accessibility tree, as Accessibility.getFullAXTree reports it.
type AXNode struct {
	ID            string
	ParentID      string
	ChildIDs      []string
	Role          string // Chromium's word
	Name          string
	Value         string
	Description   string
	BackendNodeID int64 // 0 when it stands for no DOM node
	Ignored       bool  // assistive technology does not see the node; it does see what is inside

	unseen bool // the node is left out, see leaveOut
}

// AXFrame is the accessibility tree of a frame and of the frames inside it.
type AXFrame struct {
	Nodes    []AXNode
	Children map[int64]*AXFrame // by the backend id of the iframe element
	Unseen   map[int64]bool     // backend ids of texts that a person cannot see, and of iframes in which nothing can be seen
}

// AriaNode is a node of the aria format.
type AriaNode struct {
	Ref           string `json:"ref"`
	Role          string `json:"role"`
	Name          string `json:"name"`
	Value         string `json:"value,omitempty"`
	Description   string `json:"description,omitempty"`
	BackendNodeID int64  `json:"backendDOMNodeId,omitempty"`
	Depth         int    `json:"depth"`

	Frame *AXFrame `json:"-"` // the frame in which the backend ids are valid
	Near  int64    `json:"-"` // backend id of the node's DOM node, otherwise of the closest DOM node around it
}

// AriaOptions bound an aria snapshot.
type AriaOptions struct {
	Limit    int // nodes; below 1 means 500; at most 2000
	MaxChars int // UTF-16 units of the nodes' lines and descriptions; 0 means no limit

	Used       int  // the highest number in a ref of earlier aria snapshots: refs count on from it
	OmitHidden bool // text that a person cannot see is left out: the frames say which
}

// AriaList is a list of nodes in the aria format.
type AriaList struct {
	Nodes     []AriaNode
	Truncated bool   // there are more nodes
	Unseen    Unseen // text that was left out
}

const (
	defaultAriaLimit = 500
	maxAriaLimit     = 2000
)

// Bounds of the strings of a node, in UTF-16 units. The name of a text is the text itself. A line of a walk has
// the bound of a text, which is LONGEST_TEXT in lines.js.
const (
	longestName = 400
	longestText = 2000
)

// Aria lists the nodes of root and of the frames inside it in document order, parents first. An
// ignored node is left out; its children then belong to the closest ancestor that is listed. This
// format is Chromium's own view of the page, for callers that want what a screen reader gets. Its
// refs (ax1) number the nodes of all lists of a tab, and differ from the refs of the other formats. Aria
// works with a stack of its own instead of recursion, as a page decides how deep the tree is.
func Aria(root *AXFrame, o AriaOptions) AriaList {
	var list AriaList
	if o.OmitHidden {
		list.Unseen = root.leaveOut(false)
	}
	limit := o.Limit
	if limit < 1 {
		limit = defaultAriaLimit
	}
	limit = min(limit, maxAriaLimit)
	used := 0
	pending := root.roots(axPlace{})
	for len(pending) > 0 {
		at := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		if at.unseen {
			continue
		}
		pending = append(pending, at.below()...)
		if at.Ignored {
			continue
		}
		node := at.node(o.Used + len(list.Nodes) + 1)
		used += excerpt.Units(node.line()) + excerpt.Units(node.Description) + 1
		if len(list.Nodes) == limit || o.MaxChars > 0 && used > o.MaxChars {
			list.Truncated = true
			break
		}
		list.Nodes = append(list.Nodes, node)
	}
	return list
}

// An axPlace is a node of the accessibility tree, with its frame and the depth of its line in the
// snapshot.
type axPlace struct {
	*AXNode
	frame *axIndex
	depth int
	near  int64 // see AriaNode.Near
}

type axIndex struct {
	*AXFrame
	byID map[string]*AXNode
}

// roots returns the nodes of f that have no parent in f, the last one first. They get the depth of
// the parameter at, the place of the iframe. Usually the only such node is the document. The last
// one comes first because the nodes go on a stack.
func (f *AXFrame) roots(at axPlace) []axPlace {
	index := &axIndex{f, make(map[string]*AXNode, len(f.Nodes))}
	for i := range f.Nodes {
		index.byID[f.Nodes[i].ID] = &f.Nodes[i]
	}
	var places []axPlace
	for i := len(f.Nodes) - 1; i >= 0; i-- {
		if n := &f.Nodes[i]; index.byID[n.ParentID] == nil {
			places = append(places, axPlace{n, index, at.depth, n.BackendNodeID})
		}
	}
	return places
}

// below returns the children of p, the last one first. The children of an iframe are the roots of
// its frame. An ignored node adds no level: its children take its place.
func (p axPlace) below() []axPlace {
	if !p.Ignored {
		p.depth++
	}
	if child := p.frame.Children[p.BackendNodeID]; child != nil && p.BackendNodeID != 0 {
		return child.roots(p)
	}
	var places []axPlace
	for i := len(p.ChildIDs) - 1; i >= 0; i-- {
		if n := p.frame.byID[p.ChildIDs[i]]; n != nil {
			places = append(places, axPlace{n, p.frame, p.depth, cmp.Or(n.BackendNodeID, p.near)})
		}
	}
	return places
}

// node returns p as a node of the aria format. Its strings come from the page, so they are cleaned
// and cut.
func (p axPlace) node(number int) AriaNode {
	return AriaNode{
		Ref:           "ax" + strconv.Itoa(number),
		Role:          p.Role,
		Name:          truncate(clean(p.Name), p.longestName()),
		Value:         truncate(clean(p.Value), longestText),
		Description:   truncate(clean(p.Description), longestName),
		BackendNodeID: p.BackendNodeID,
		Depth:         p.depth,
		Frame:         p.frame.AXFrame,
		Near:          p.near,
	}
}

func (n *AXNode) longestName() int {
	if n.Role == "StaticText" || n.Role == "InlineTextBox" {
		return longestText
	}
	return longestName
}

// Text writes the nodes as lines. A marker follows if the list was truncated, and a line with the
// number of left-out texts.
func (l AriaList) Text() string {
	lines := make([]string, len(l.Nodes))
	for i, n := range l.Nodes {
		lines[i] = n.line()
	}
	if l.Truncated {
		lines = append(lines, "", cutMarker)
	}
	if note := l.Unseen.Note(); note != "" {
		lines = append(lines, note)
	}
	return strings.Join(lines, "\n")
}

// line writes a node as - role "name" = "value" [ref=ax1]. The indent is bounded, because
// most of the text would be blanks on a page of many levels.
func (n AriaNode) line() string {
	const deepest = 20
	line := strings.Repeat("  ", min(n.Depth, deepest)) + "- " + n.Role
	if n.Name != "" {
		line += " " + quote(n.Name)
	}
	if n.Value != "" {
		line += " = " + quote(n.Value)
	}
	return line + " [ref=" + n.Ref + "]"
}
