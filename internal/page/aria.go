package page

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/chromedp/cdproto/accessibility"
	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"

	"chela/internal/cdp"
	"chela/internal/op"
	"chela/internal/snapshot"
)

// axNode is where a node of the last aria snapshot is.
type axNode struct {
	frame   *frame
	backend proto.BackendNodeID
}

// Aria lists Chromium's own accessibility tree, with the frames inside it. It
// says whether there were more nodes than the limit.
func (p *Page) Aria(ctx context.Context, frameSelector string, limit int) ([]snapshot.AriaNode, bool, error) {
	p.readable(ctx)
	root, err := p.scope(ctx, frameSelector)
	if err != nil {
		return nil, false, err
	}
	frames := map[*snapshot.AXFrame]*frame{}
	tree, err := p.axTree(ctx, root, frames)
	if err != nil {
		return nil, false, err
	}
	nodes, cut := snapshot.Aria(tree, limit)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.shown.ax = map[int]axNode{}
	for i, n := range nodes {
		if n.BackendNodeID != 0 {
			p.shown.ax[i+1] = axNode{frames[n.Frame], proto.BackendNodeID(n.BackendNodeID)}
		}
	}
	return nodes, cut, nil
}

// axTree reads a frame's accessibility tree and those inside it. A frame inside
// that can not be read is left as its iframe.
func (p *Page) axTree(ctx context.Context, f *frame, frames map[*snapshot.AXFrame]*frame) (*snapshot.AXFrame, error) {
	w, err := p.worldOf(ctx, f)
	if err != nil {
		return nil, err
	}
	res, err := cdp.Call(ctx, w.session, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{FrameID: proto.FrameID(f.id)})
	if err != nil {
		return nil, pageError(ctx, err)
	}
	tree := &snapshot.AXFrame{Children: map[int64]*snapshot.AXFrame{}}
	frames[tree] = f
	for _, n := range res.Nodes {
		if !n.Ignored {
			tree.Nodes = append(tree.Nodes, axNodeOf(n))
		}
	}
	for _, c := range p.children(f) {
		owner, err := cdp.Call(ctx, w.session, dom.GetFrameOwner, dom.GetFrameOwnerParams{FrameID: proto.FrameID(c.id)})
		if err != nil {
			continue // it went while we looked
		}
		child, err := p.axTree(ctx, c, frames)
		if err != nil && errors.Is(err, ErrBusy) {
			return nil, err
		}
		if err == nil {
			tree.Children[int64(owner.BackendNodeID)] = child
		}
	}
	return tree, nil
}

func axNodeOf(n *accessibility.Node) snapshot.AXNode {
	node := snapshot.AXNode{
		ID: string(n.NodeID), ParentID: string(n.ParentID), BackendNodeID: int64(n.BackendDOMNodeID),
		Role: axText(n.Role), Name: axText(n.Name), Value: axText(n.Value), Description: axText(n.Description),
	}
	for _, id := range n.ChildIDs {
		node.ChildIDs = append(node.ChildIDs, string(id))
	}
	return node
}

// axText is a value of the tree as text.
func axText(v *accessibility.Value) string {
	if v == nil || len(v.Value) == 0 {
		return ""
	}
	var s string
	if json.Unmarshal(v.Value, &s) == nil {
		return s
	}
	return string(v.Value)
}

// axElement finds the element of a ref of the last aria snapshot.
func (p *Page) axElement(ctx context.Context, r Ref) (*Element, error) {
	p.mu.Lock()
	node, known := p.shown.ax[r.Number]
	p.mu.Unlock()
	if !known {
		return nil, unknownRef(r.String())
	}
	w, err := p.worldOf(ctx, node.frame)
	if err != nil {
		return nil, err
	}
	res, err := cdp.Call(ctx, w.session, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: node.backend, ExecutionContextID: w.id})
	if err != nil {
		return nil, op.Errorf(op.StaleRef, "Element %q is gone: the page has removed it, or was replaced.", r).Hinted("take a new snapshot and use a ref from it")
	}
	n, err := call[int](ctx, w, "refOf", runtime.RemoteObjectID(res.Object.ObjectID))
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.gave(node.frame, n)
	return &Element{page: p, frame: node.frame, ref: Ref{Frame: node.frame.prefix, Number: n}}, nil
}
