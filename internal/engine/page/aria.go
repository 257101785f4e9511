package page

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/chromedp/cdproto/accessibility"
	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"chela/internal/engine/cdp"
	"chela/internal/engine/frame"
	"chela/internal/engine/inspect"
	"chela/internal/reading/snapshot"
)

// An axNode is a node to which an aria snapshot gave a ref, such as ax12.
type axNode struct {
	axDocument
	backend proto.BackendNodeID // the DOM node of this node, or of the nearest node around it that has one
	ref     snapshot.Ref        // role and name that the snapshot shows
}

// An axDocument is a document whose accessibility tree was read.
type axDocument struct {
	frame    *frame.Frame
	loader   string // loader id of the document
	releases int    // see [snapshot.Walk.Releases]
}

// Aria lists the nodes of Chromium's own accessibility tree for a frame and the frames inside it.
// It reports whether there are more than the options allow. A ref goes on to mean its node, see
// [lastSnapshot.keepAriaLocked]. Text that a person cannot see is left out if the options say so. The error is a
// [NoMatchError] for a frame that does not exist, a [HugeTreeError], an [UnsearchedError], ErrBusy, or
// why the turn ended.
func (p *Page) Aria(ctx context.Context, frameSelector string, o snapshot.AriaOptions) (snapshot.AriaList, error) {
	p.awaitReadable(ctx)
	var tree axTree
	var top *snapshot.AXFrame
	err := p.readLasting(ctx, frameSelector, func(root *frame.Frame) (err error) {
		tree = axTree{page: p, omits: o.OmitHidden, documents: map[*snapshot.AXFrame]axDocument{}}
		top, err = tree.read(ctx, root)
		return err
	})
	if err != nil {
		return snapshot.AriaList{}, err
	}
	p.mu.Lock()
	o.Used = p.frames.AriaRefs // nobody else changes it during this turn
	p.mu.Unlock()
	list := snapshot.Aria(top, o)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.frames.AriaRefs += len(list.Nodes)
	p.lastSnapshot.keepAriaLocked(o.Used, list.Nodes, tree.documents)
	p.reportCarriedOverLocked()
	return list, nil
}

// maxAriaNodes limits of how many refs of aria snapshots the nodes are kept: those of two or more snapshots.
const maxAriaNodes = 4000

// keepAriaLocked keeps the nodes of an aria snapshot, whose refs have the numbers after used. Another
// session may still use the refs of an earlier one, so its nodes are kept as well, up to maxAriaNodes.
func (l *lastSnapshot) keepAriaLocked(used int, nodes []snapshot.AriaNode, documents map[*snapshot.AXFrame]axDocument) {
	if l.ax == nil {
		l.ax = map[int]axNode{}
	}
	for i, n := range nodes {
		if of, read := documents[n.Frame]; read && n.Near != 0 {
			l.ax[used+i+1] = axNode{of, proto.BackendNodeID(n.Near), snapshot.Ref{Role: n.Role, Name: n.Name}}
		}
	}
	oldest := used + len(nodes) - maxAriaNodes
	maps.DeleteFunc(l.ax, func(number int, _ axNode) bool { return number <= oldest })
}

// An axTree reads an accessibility tree.
type axTree struct {
	page      *Page
	inner     bool                             // it reads a frame inside another one, see forFrame
	omits     bool                             // leave out what a person cannot see
	documents map[*snapshot.AXFrame]axDocument // the documents that were read
}

// read reads the accessibility tree of a frame and of the frames inside it. If the frame has not
// loaded yet, or shows Chromium's error page, a node says so.
func (t axTree) read(ctx context.Context, f *frame.Frame) (*snapshot.AXFrame, error) {
	if why := t.page.errorPage(f); why != "" {
		return &snapshot.AXFrame{Nodes: []snapshot.AXNode{notRead(f, why)}}, nil
	}
	w, err := t.page.worldOf(ctx, f)
	if err != nil {
		return nil, err
	}
	huge, err := frame.Call[bool](ctx, w, "hasMoreNodes", mostAXNodes)
	if err != nil {
		return nil, err
	}
	if huge {
		return nil, &HugeTreeError{fmt.Sprintf("more than %d nodes", mostAXNodes)}
	}
	tree := &snapshot.AXFrame{Children: map[int64]*snapshot.AXFrame{}}
	walk, err := t.walk(ctx, f)
	if err != nil {
		return nil, err
	}
	if t.omits {
		if tree.Unseen, err = unseenNodes(ctx, w); err != nil {
			return nil, err
		}
	}
	if tree.Nodes, err = axNodes(ctx, f, w); err != nil {
		return nil, err
	}
	if t.documents[tree], err = t.document(ctx, f, w, walk.Releases); err != nil {
		return nil, err
	}
	for _, c := range t.page.children(f) {
		owner, err := cdp.Call(ctx, w.Session, dom.GetFrameOwner, dom.GetFrameOwnerParams{FrameID: proto.FrameID(c.ID)})
		if err == nil { // otherwise the frame has gone
			tree.Children[int64(owner.BackendNodeID)] = t.child(ctx, c)
		}
	}
	if isEmpty(tree) && t.page.isUnloaded(ctx, f) {
		tree.Nodes = append(tree.Nodes, notRead(f, snapshot.NotLoaded))
	}
	return tree, nil
}

// Chromium makes the whole accessibility tree of a document at once: nothing can end that, and the tab does
// nothing else in the meantime. A node takes 20 µs or more, and 700 bytes of the reply. These are the bounds of a
// document whose tree is asked for: its elements and texts, and the bytes of the reply.
const (
	mostAXNodes = 50_000
	mostAXBytes = 48 << 20
)

// A HugeTreeError says why the accessibility tree of a document was not read: what the document has too much of.
type HugeTreeError struct{ Has string }

func (e *HugeTreeError) Error() string {
	return "the page is too large for its accessibility tree: it has " + e.Has
}

// An axReply is the reply to Accessibility.getFullAXTree. Most of what the browser sends is skipped.
type axReply struct {
	Nodes []struct {
		NodeID           string   `json:"nodeId"`
		ParentID         string   `json:"parentId"`
		ChildIDs         []string `json:"childIds"`
		Ignored          bool     `json:"ignored"`
		Role             axText   `json:"role"`
		Name             axText   `json:"name"`
		Value            axText   `json:"value"`
		Description      axText   `json:"description"`
		BackendDOMNodeID int64    `json:"backendDOMNodeId"`
	} `json:"nodes"`
}

// An axText is a value of the accessibility tree as text.
type axText string

func (t *axText) UnmarshalJSON(raw []byte) error {
	var value accessibility.Value
	if err := json.Unmarshal(raw, &value, jsontext.AllowInvalidUTF8(true)); err != nil { // a script may have cut an emoji
		return err
	}
	*t = axText(inspect.AXText(&value))
	return nil
}

// axNodes returns the nodes of a frame's accessibility tree. Those of frames inside it are not among them.
func axNodes(ctx context.Context, f *frame.Frame, w *frame.World) ([]snapshot.AXNode, error) {
	command := proto.Command[accessibility.GetFullAXTreeParams, axReply]{Method: accessibility.GetFullAXTree.Method}
	reply, err := cdp.CallWithin(ctx, w.Session, command, accessibility.GetFullAXTreeParams{FrameID: proto.FrameID(f.ID)}, mostAXBytes)
	if _, large := errors.AsType[*cdp.LargeError](err); large {
		return nil, &HugeTreeError{fmt.Sprintf("more than %d MB of it", mostAXBytes>>20)}
	}
	if err != nil {
		return nil, frame.Failure(ctx, err)
	}
	nodes := make([]snapshot.AXNode, len(reply.Nodes))
	for i, n := range reply.Nodes {
		nodes[i] = snapshot.AXNode{
			ID: n.NodeID, ParentID: n.ParentID, ChildIDs: n.ChildIDs, BackendNodeID: n.BackendDOMNodeID, Ignored: n.Ignored,
			Role: string(n.Role), Name: string(n.Name), Value: string(n.Value), Description: string(n.Description),
		}
	}
	return nodes, nil
}

// document returns the document of a world, whose tree has just been read. If the frame already shows
// another one, the error is frame.ErrGone: the tree may be of either. Backend ids mean other nodes in
// another process, so a node must not be taken for one of a later document.
//
// The tree may show frames whose events are still queued, see readMissing. They are handled then.
func (t axTree) document(ctx context.Context, f *frame.Frame, w *frame.World, releases int) (axDocument, error) {
	if err := t.page.Sync(ctx); err != nil {
		return axDocument{}, frame.Failure(ctx, err)
	}
	t.page.mu.Lock()
	defer t.page.mu.Unlock()
	return axDocument{f, f.Loader, releases}, t.page.stillShowsLocked(f, w)
}

// child reads the tree of a frame inside another one, in the time of forFrame. If the frame cannot be
// read, a node says so. See readChild.
func (t axTree) child(ctx context.Context, f *frame.Frame) *snapshot.AXFrame {
	limited, cancel := forFrame(ctx, t.inner)
	defer cancel()
	t.inner = true
	tree, err := t.read(limited, f)
	if err != nil {
		return &snapshot.AXFrame{Nodes: []snapshot.AXNode{notRead(f, frameFailure(err))}}
	}
	return tree
}

// isEmpty reports whether a tree has nothing but its root and boxes.
func isEmpty(tree *snapshot.AXFrame) bool {
	return !slices.ContainsFunc(tree.Nodes, func(n snapshot.AXNode) bool { return n.ParentID != "" && !n.Ignored && n.Role != "generic" })
}

// notRead returns a node that says why a frame was not read.
func notRead(f *frame.Frame, why string) snapshot.AXNode {
	return snapshot.AXNode{ID: f.ID, Role: "note", Name: "(frame not read: " + why + ")"}
}

// isLoading reports whether a frame inside another one has the document of its address, but has not
// loaded it yet. If nothing is shown, a script at its beginning may not have come.
func (p *Page) isLoading(f *frame.Frame) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return f.Parent != nil && f.Loader != "" && f.State != frame.Loaded
}

// isUnloaded reports whether a frame that shows nothing is loading. It may also have its first, empty
// document in place of the one at its address, see isUnloaded in embedded.js.
func (p *Page) isUnloaded(ctx context.Context, f *frame.Frame) bool {
	if p.isLoading(f) {
		return true
	}
	p.mu.Lock()
	first := f.Loader == "" && f.Parent != nil
	p.mu.Unlock()
	if !first {
		return false
	}
	owner, err := p.owner(ctx, f)
	if err != nil {
		return false
	}
	w, err := p.worldOf(ctx, f.Parent)
	if err != nil {
		return false
	}
	unloaded, err := frame.Call[bool](ctx, w, "isUnloaded", owner)
	return err == nil && unloaded
}

// An UnsearchedError says why hidden text was not looked for in all of a frame.
type UnsearchedError struct{ Cut string }

func (e *UnsearchedError) Error() string {
	return "hidden text was not looked for in all of the page: " + e.Cut
}

// unseenAtOnce is how many hidden nodes the page script is asked for in one round.
const unseenAtOnce = 5000

// walk has the page script walk a frame. So it knows the items of lists from now on, and an act can tell when an
// element shows another one. If hidden text is left out, the walk also finds that. The error is then an
// [UnsearchedError] if it ended before it had read the whole frame.
func (t axTree) walk(ctx context.Context, f *frame.Frame) (walk *snapshot.Walk, err error) {
	v := View{budget: &budget{outer: maxChars, left: maxChars}}
	if t.omits {
		v.Hidden, v.keepUnseen = snapshot.OmitHidden, true
	}
	err = t.page.alone(ctx, func() error {
		walk, err = t.page.walk(ctx, f, v)
		if err == nil && t.omits && walk.Cut != "" {
			err = &UnsearchedError{walk.Cut}
		}
		return err
	})
	return walk, err
}

// unseenNodes returns the backend ids of the texts in a frame that a person cannot see. Among them are
// texts of ::before and ::after, and iframes in which nothing can be seen. The page script has found
// them in a walk.
func unseenNodes(ctx context.Context, w *frame.World) (map[int64]bool, error) {
	unseen := map[int64]bool{}
	for {
		if more, err := takeUnseen(ctx, w, unseen); err != nil || !more {
			return unseen, err
		}
	}
}

// takeUnseen adds the backend ids of the next hidden nodes. It reports whether there may be more.
func takeUnseen(ctx context.Context, w *frame.World, unseen map[int64]bool) (bool, error) {
	group := "chela-unseen-" + w.UniqueID
	defer cdp.Send(w.Session, runtime.ReleaseObjectGroup, runtime.ReleaseObjectGroupParams{ObjectGroup: group})
	ids, err := w.Objects(ctx, group, "function(most){return chela.takeUnseen(most)}", frame.Value(unseenAtOnce))
	if err != nil {
		return false, err
	}
	nodes := make([]dom.DescribeNodeParams, len(ids))
	for i, id := range ids {
		nodes[i].ObjectID = id
	}
	err = cdp.CallEach(ctx, w.Session, dom.DescribeNode, nodes, frame.MaxDescription, func(_ int, res dom.DescribeNodeResult, err error) error {
		if err != nil {
			return frame.Failure(ctx, err)
		}
		addUnseen(unseen, res.Node)
		return nil
	})
	return len(ids) == unseenAtOnce, err
}

// addUnseen adds the backend id of a hidden text or iframe. For an element whose ::before or ::after
// is hidden, it adds both of these.
func addUnseen(unseen map[int64]bool, n *proto.Node) {
	if len(n.PseudoElements) == 0 {
		unseen[int64(n.BackendNodeID)] = true
	}
	for _, pseudo := range n.PseudoElements {
		unseen[int64(pseudo.BackendNodeID)] = true
	}
}

// axElement returns the element that a ref of an aria snapshot stands for. For a node of
// text, that is the element around the text. The backend node id is resolved to an object in the
// isolated world of the page script. The page script gives the object a number, as for any ref.
func (p *Page) axElement(ctx context.Context, r Ref) (*Element, error) {
	p.mu.Lock()
	node, known := p.lastSnapshot.ax[r.Number]
	p.mu.Unlock()
	if !known {
		return nil, &UnknownRefError{r.String()}
	}
	e := &Element{page: p, frame: node.frame, given: r}
	if p.outdated(node) {
		return nil, e.stale()
	}
	w, err := e.world(ctx)
	if err != nil {
		return nil, err
	}
	res, err := cdp.CallWithin(ctx, w.Session, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: node.backend, ExecutionContextID: w.ID}, frame.MaxDescription)
	if _, gone := errors.AsType[*cdp.Error](err); gone {
		return nil, e.stale()
	}
	if err != nil {
		return nil, frame.Failure(ctx, err)
	}
	defer frame.Release(w.Session, res.Object.ObjectID)
	n, err := frame.Call[int](ctx, w, "refOfNode", runtime.RemoteObjectID(res.Object.ObjectID), node.releases)
	if err != nil {
		return nil, err
	}
	if n == 0 {
		return nil, e.stale()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	e.ref = p.refInLocked(node.frame, n)
	return e, nil
}

// outdated reports whether the node's frame now shows another document.
func (p *Page) outdated(n axNode) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return n.loader != n.frame.Loader
}
