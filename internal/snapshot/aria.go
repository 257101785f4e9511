package snapshot

import (
	"strconv"
	"strings"
)

// AXNode is a node of Chromium's accessibility tree, as
// Accessibility.getFullAXTree tells it.
type AXNode struct {
	ID            string
	ParentID      string
	ChildIDs      []string
	Role          string // Chromium's word
	Name          string
	Value         string
	Description   string
	BackendNodeID int64 // 0 when it stands for no DOM node
}

// AXFrame is the accessibility tree of a frame and of the frames inside it.
type AXFrame struct {
	Nodes    []AXNode
	Children map[int64]*AXFrame // by the backend id of the iframe element
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

	Frame *AXFrame `json:"-"` // where the backend id is valid
}

const (
	defaultAriaLimit = 500
	maxAriaLimit     = 2000
)

// Aria lists the nodes of root and of the frames inside it, parents first. A
// limit below 1 means the usual one. Truncated says that there were more.
func Aria(root *AXFrame, limit int) (nodes []AriaNode, truncated bool) {
	if limit < 1 {
		limit = defaultAriaLimit
	}
	limit = min(limit, maxAriaLimit)
	pending := root.roots(0)
	for len(pending) > 0 {
		at := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		if len(nodes) == limit {
			return nodes, true
		}
		nodes = append(nodes, at.node(len(nodes)+1))
		pending = append(pending, at.below()...)
	}
	return nodes, false
}

// axPlace is a node on the way through the tree.
type axPlace struct {
	*AXNode
	frame *axIndex
	depth int
}

type axIndex struct {
	*AXFrame
	byID map[string]*AXNode
}

// roots returns the nodes of f that have no parent there, the last one first.
func (f *AXFrame) roots(depth int) []axPlace {
	index := &axIndex{f, make(map[string]*AXNode, len(f.Nodes))}
	for i := range f.Nodes {
		index.byID[f.Nodes[i].ID] = &f.Nodes[i]
	}
	var places []axPlace
	for i := len(f.Nodes) - 1; i >= 0; i-- {
		if n := &f.Nodes[i]; index.byID[n.ParentID] == nil {
			places = append(places, axPlace{n, index, depth})
		}
	}
	return places
}

// below returns the children of p, the last one first: a frame's are in it.
func (p axPlace) below() []axPlace {
	if child := p.frame.Children[p.BackendNodeID]; child != nil && p.BackendNodeID != 0 {
		return child.roots(p.depth + 1)
	}
	var places []axPlace
	for i := len(p.ChildIDs) - 1; i >= 0; i-- {
		if n := p.frame.byID[p.ChildIDs[i]]; n != nil {
			places = append(places, axPlace{n, p.frame, p.depth + 1})
		}
	}
	return places
}

func (p axPlace) node(number int) AriaNode {
	return AriaNode{
		Ref:           "ax" + strconv.Itoa(number),
		Role:          p.Role,
		Name:          clean(p.Name),
		Value:         clean(p.Value),
		Description:   clean(p.Description),
		BackendNodeID: p.BackendNodeID,
		Depth:         p.depth,
		Frame:         p.frame.AXFrame,
	}
}

// AriaText writes nodes as lines.
func AriaText(nodes []AriaNode) string {
	const deepest = 20
	var b strings.Builder
	for i, n := range nodes {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(strings.Repeat("  ", min(n.Depth, deepest)) + "- " + n.Role)
		if n.Name != "" {
			b.WriteString(" " + quote(n.Name))
		}
		if n.Value != "" {
			b.WriteString(" = " + quote(n.Value))
		}
		b.WriteString(" [ref=" + n.Ref + "]")
	}
	return b.String()
}
