package page

import (
	"context"
	"errors"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"

	"chela/internal/engine/cdp"
	"chela/internal/engine/frame"
	"chela/internal/reading/pagejs"
)

// children returns the frames in the document of a frame.
func (p *Page) children(parent *frame.Frame) []*frame.Frame {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.frames.Children(parent)
}

// ownerOrNone returns the ref number of the frame's iframe element. If the element has gone, it
// returns -1. No line of a snapshot has that number, so the frame is then not shown.
func (p *Page) ownerOrNone(ctx context.Context, f *frame.Frame) int {
	n, err := p.owner(ctx, f)
	if err != nil {
		return -1
	}
	return n
}

// owner returns the ref number of the frame's iframe element in its parent.
func (p *Page) owner(ctx context.Context, f *frame.Frame) (int, error) {
	p.mu.Lock()
	known, parent := f.Refs.Owner, f.Parent
	p.mu.Unlock()
	if known != 0 {
		return known, nil
	}
	w, err := p.worldOf(ctx, parent)
	if err != nil {
		return 0, err
	}
	n, err := p.askOwner(ctx, w, f)
	if err == nil {
		p.mu.Lock()
		f.Refs.Owner = n
		parent.Refs.Add(n, parent.Loader)
		p.mu.Unlock()
	}
	return n, err
}

func (p *Page) askOwner(ctx context.Context, parent *frame.World, f *frame.Frame) (int, error) {
	owner, err := cdp.Call(ctx, parent.Session, dom.GetFrameOwner, dom.GetFrameOwnerParams{FrameID: protocol.FrameID(f.ID)})
	if err != nil {
		return 0, frame.Failure(ctx, err)
	}
	node, err := cdp.CallWithin(ctx, parent.Session, dom.ResolveNode, dom.ResolveNodeParams{
		BackendNodeID: owner.BackendNodeID, ExecutionContextID: parent.ID,
	}, frame.MaxDescription)
	if err != nil {
		return 0, frame.Failure(ctx, err)
	}
	defer frame.Release(parent.Session, node.Object.ObjectID)
	return frame.Call[int](ctx, parent, "refOf", runtime.RemoteObjectID(node.Object.ObjectID))
}

// pointInTab maps a point of a frame to the coordinates of the tab's viewport. It goes from each
// frame to its parent. If the point cannot be seen in one of them, the report says why.
func (p *Page) pointInTab(ctx context.Context, f *frame.Frame, at point) (report, error) {
	for ; f.Parent != nil; f = f.Parent {
		owner, err := p.owner(ctx, f)
		if err != nil {
			return report{}, err
		}
		w, err := p.worldOf(ctx, f.Parent)
		if err != nil {
			return report{}, err
		}
		r, err := frame.Call[report](ctx, w, "pointThrough", owner, at.X, at.Y)
		if errors.Is(err, frame.ErrGone) {
			return report{Missing: pagejs.Gone}, nil
		}
		if err != nil || r.Missing != "" {
			r.frame = f.Parent
			return r, err
		}
		at = r.point
	}
	return report{point: at}, nil
}
