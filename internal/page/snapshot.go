package page

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"

	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"

	"chela/internal/cdp"
	"chela/internal/snapshot"
)

// View says what of a page a snapshot shows, and how.
type View struct {
	snapshot.Options
	Selector string // only what the first element that it matches holds
	Frame    string // only the frame in the iframe element that it matches
	Purpose  string // what is new is told for each purpose by itself
}

// Bounds of one walk of a frame's document.
const (
	maxNodes = 300_000
	maxChars = 20_000_000
)

// Snapshot reads the page as text.
func (p *Page) Snapshot(ctx context.Context, v View) (snapshot.Snapshot, error) {
	tree, err := p.tree(ctx, v)
	if err != nil {
		return snapshot.Snapshot{}, err
	}
	return p.render(tree, v), nil
}

// tree walks what a view shows.
func (p *Page) tree(ctx context.Context, v View) (*snapshot.Frame, error) {
	p.readable(ctx)
	if err := p.checkSelector(ctx, v.Selector); err != nil {
		return nil, err
	}
	for {
		root, err := p.scope(ctx, v.Frame)
		if err != nil {
			return nil, err
		}
		tree, err := p.read(ctx, root, v)
		if errors.Is(err, errWorldGone) && remaining(ctx) > 0 {
			continue // it navigated while we looked: look at the new document
		}
		if err != nil {
			return nil, err
		}
		return tree, nil
	}
}

// scope returns the frame that the iframe element of a selector holds, or the main frame.
func (p *Page) scope(ctx context.Context, selector string) (*frame, error) {
	if selector == "" {
		return p.main(), nil
	}
	w, err := p.worldOf(ctx, p.main())
	if err != nil {
		return nil, err
	}
	n, err := call[int](ctx, w, "find", selector)
	if err != nil {
		return nil, err
	}
	for _, f := range p.children(p.main()) {
		if owner, err := p.owner(ctx, f); err == nil && owner == n {
			return f, nil
		}
	}
	return nil, &NoMatchError{Selector: selector, Iframe: true}
}

func (p *Page) children(parent *frame) []*frame {
	p.mu.Lock()
	defer p.mu.Unlock()
	var found []*frame
	for _, f := range p.frames {
		if f.parent == parent {
			found = append(found, f)
		}
	}
	return found
}

// read walks a frame and, at the same time, the frames inside it.
func (p *Page) read(ctx context.Context, f *frame, v View) (*snapshot.Frame, error) {
	type child struct {
		owner int
		tree  *snapshot.Frame
	}
	children := p.children(f)
	results := make(chan child, len(children))
	for _, c := range children {
		go func() { results <- child{tree: p.readChild(ctx, c, v), owner: p.ownerOrNone(ctx, c)} }()
	}
	tree := &snapshot.Frame{Prefix: p.prefix(f), Children: map[int]*snapshot.Frame{}}
	walk, err := p.walk(ctx, f, v)
	tree.Walk = walk
	for range children {
		c := <-results
		tree.Children[c.owner] = c.tree
	}
	return tree, err
}

// readChild is read for a frame inside another: it has half of the time, and
// what it can not tell is a line in the snapshot.
func (p *Page) readChild(ctx context.Context, f *frame, v View) *snapshot.Frame {
	limited, cancel := context.WithTimeout(ctx, remaining(ctx)/2)
	defer cancel()
	tree, err := p.read(limited, f, View{Options: snapshot.Options{URLs: v.URLs, AllRefs: v.AllRefs}})
	if err != nil {
		return &snapshot.Frame{Prefix: p.prefix(f), Failed: frameFailure(err)}
	}
	return tree
}

func frameFailure(err error) string {
	switch {
	case errors.Is(err, ErrCrashed):
		return "this frame crashed"
	case errors.Is(err, errWorldGone):
		return "this frame navigated while it was read"
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, ErrBusy):
		return "this frame did not answer in time"
	}
	return "this frame could not be read"
}

// ownerOrNone is the number of the frame's iframe element, or one that no line has.
func (p *Page) ownerOrNone(ctx context.Context, f *frame) int {
	n, err := p.owner(ctx, f)
	if err != nil {
		return -1
	}
	return n
}

// prefix returns what refs in the frame begin with, and gives the frame a number if it has none.
func (p *Page) prefix(f *frame) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if f.parent == nil {
		return ""
	}
	if f.prefix == 0 {
		f.prefix = len(p.framesByNumber)
		p.framesByNumber = append(p.framesByNumber, f)
	}
	return "f" + strconv.Itoa(f.prefix)
}

// walk has a frame's document written down, with its closed shadow roots and
// what its custom elements say of themselves.
func (p *Page) walk(ctx context.Context, f *frame, v View) (*snapshot.Walk, error) {
	w, err := p.worldOf(ctx, f)
	if err != nil {
		return nil, err
	}
	listeners, err := p.listeners(ctx, f, w)
	if err != nil {
		return nil, err
	}
	for round, again := 0, false; ; again = true {
		p.mu.Lock()
		o := map[string]any{
			"base": f.highest, "maxNodes": maxNodes, "maxChars": maxChars, "maxMs": remaining(ctx).Milliseconds() * 3 / 4,
			"urls": v.URLs, "again": again,
		}
		if v.AllRefs {
			o["refs"] = "all"
		}
		p.mu.Unlock()
		if v.Selector != "" {
			o["selector"] = v.Selector
		}
		walk, err := call[snapshot.Walk](ctx, w, "walk", o)
		if err != nil {
			return nil, err
		}
		p.mu.Lock()
		f.walked(walk)
		p.mu.Unlock()
		if err := listeners.askRoots(ctx, &walk); err != nil {
			return nil, err
		}
		if told, err := listeners.hear(ctx); err != nil {
			return nil, err
		} else if told {
			continue // the page script knows more now
		}
		if walk.Hosts > 0 && round < maxClosedDepth {
			round++
			if err := openClosedRoots(ctx, w, walk.Hosts); err != nil {
				return nil, err
			}
			continue
		}
		if walk.Customs == 0 {
			return &walk, nil
		}
		if changed, err := askInternals(ctx, w); err != nil || !changed {
			return &walk, err
		}
	}
}

// walked notes which ref numbers were given in which document.
func (f *frame) walked(walk snapshot.Walk) {
	from := f.highest + 1
	f.highest = max(f.highest, walk.Max)
	if n := len(f.documents); n > 0 && f.documents[n-1].token == walk.Doc {
		f.documents[n-1].to = f.highest
		return
	}
	f.documents = append(f.documents[max(0, len(f.documents)-31):], document{token: walk.Doc, loader: f.loader, from: from, to: f.highest})
}

// gave notes that a ref number was given outside of a walk.
func (p *Page) gave(f *frame, n int) {
	f.highest = max(f.highest, n)
	if last := len(f.documents) - 1; last >= 0 {
		f.documents[last].to = f.highest
	}
}

// maxClosedDepth bounds how deep closed shadow roots are looked for in each other.
const maxClosedDepth = 4

// maxHosts bounds how many elements are looked into for a closed shadow root.
const maxHosts = 500

// openClosedRoots gives the page script the closed shadow roots of the elements
// that its walk suspected of having one.
func openClosedRoots(ctx context.Context, w *world, hosts int) error {
	hosts = min(hosts, maxHosts)
	group := "chela-roots-" + w.uniqueID // frames are read at the same time
	defer cdp.Send(w.session, runtime.ReleaseObjectGroup, runtime.ReleaseObjectGroupParams{ObjectGroup: group})
	objects := make([]*cdp.Reply[runtime.CallFunctionOnResult], hosts)
	for i := range objects {
		objects[i] = cdp.Send(w.session, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
			FunctionDeclaration: "function(i){return chela.candidate(i)}", UniqueContextID: w.uniqueID, Arguments: []*runtime.CallArgument{value(i)}, ObjectGroup: group,
		})
	}
	ids := make([]runtime.RemoteObjectID, hosts)
	nodes := make([]*cdp.Reply[dom.DescribeNodeResult], hosts)
	for i, o := range objects {
		res, err := o.Wait(ctx)
		if err != nil {
			return pageError(ctx, err)
		}
		ids[i] = res.Result.ObjectID
		nodes[i] = cdp.Send(w.session, dom.DescribeNode, dom.DescribeNodeParams{ObjectID: ids[i], Depth: new(int64(1)), Pierce: new(true)})
	}
	var last answer[struct{}]
	for i, reply := range nodes {
		if ids[i] == "" {
			continue
		}
		var root any
		if node, err := reply.Wait(ctx); err == nil {
			if root, err = closedRoot(ctx, w, node.Node, group); err != nil {
				return err
			}
		}
		last = send[struct{}](ctx, w, "adopt", ids[i], root)
	}
	if last.reply == nil {
		return nil
	}
	_, err := last.wait(ctx)
	return err
}

// closedRoot resolves a node's closed shadow root in our world, nil if it has none.
func closedRoot(ctx context.Context, w *world, n *proto.Node, group string) (any, error) {
	i := slices.IndexFunc(n.ShadowRoots, func(r *proto.Node) bool { return r.ShadowRootType == proto.ShadowRootTypeClosed })
	if i < 0 {
		return nil, nil
	}
	res, err := cdp.Call(ctx, w.session, dom.ResolveNode, dom.ResolveNodeParams{
		BackendNodeID: n.ShadowRoots[i].BackendNodeID, ExecutionContextID: w.id, ObjectGroup: group,
	})
	if err != nil {
		return nil, pageError(ctx, err)
	}
	return res.Object.ObjectID, nil
}

// shownBefore are the refs that earlier snapshots of one kind showed of a document.
type shownBefore struct {
	document string
	refs     map[string]bool
}

// maxKinds bounds for how many kinds of snapshot it is remembered what was shown.
const maxKinds = 32

// render writes the tree as text and remembers what was shown. It is called in a
// turn, which alone changes what was shown; the page's events go on meanwhile.
func (p *Page) render(tree *snapshot.Frame, v View) snapshot.Snapshot {
	kind := v.kind()
	p.mu.Lock()
	before, again := p.shown.kinds[kind]
	p.mu.Unlock()
	if again = again && tree.Walk != nil && before.document == tree.Walk.Doc; again {
		v.Seen = before.refs
	}
	s := snapshot.Render(tree, v.Options)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rememberLocked(v, kind, tree, s, before, again)
	return s
}

func (v View) kind() string {
	b := func(on bool) string { return strconv.FormatBool(on) }
	return b(v.Role) + b(v.Interactive) + b(v.Compact) + b(v.AllRefs) + strconv.Itoa(v.Depth) + v.Purpose + "|" + v.Selector + "|" + v.Frame
}

func (p *Page) rememberLocked(v View, kind string, tree *snapshot.Frame, s snapshot.Snapshot, before shownBefore, again bool) {
	if !again {
		if p.shown.kinds == nil || len(p.shown.kinds) >= maxKinds {
			p.shown.kinds = map[string]shownBefore{}
		}
		before = shownBefore{refs: map[string]bool{}}
		if tree.Walk != nil {
			before.document = tree.Walk.Doc
		}
		p.shown.kinds[kind] = before
	}
	for ref := range s.Refs {
		before.refs[ref] = true
	}
	p.shown.refs, p.shown.world = s.Refs, p.main().world
	if !v.Scoped {
		p.shown.tree, p.shown.lines = tree, nil
	}
}

// ShowsLast reports whether the last snapshot was of the document that the tab shows.
func (p *Page) ShowsLast() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.shown.world != nil && p.shown.world == p.main().world
}

// Shown returns the refs of the last snapshot.
func (p *Page) Shown() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Collect(maps.Keys(p.shown.refs))
}
