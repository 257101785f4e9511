package page

import (
	"context"
	"errors"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"

	"chela/internal/cdp"
	"chela/internal/pagejs"
)

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

// ownerOrNone returns the ref number of the frame's iframe element. If that has
// gone it is -1, which no line has, so that the frame is not shown.
func (p *Page) ownerOrNone(ctx context.Context, f *frame) int {
	n, err := p.owner(ctx, f)
	if err != nil {
		return -1
	}
	return n
}

// owner returns the ref number of the frame's iframe element in its parent.
func (p *Page) owner(ctx context.Context, f *frame) (int, error) {
	p.mu.Lock()
	known, parent := f.owner, f.parent
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
		f.owner = n
		p.addRefLocked(parent, n)
		p.mu.Unlock()
	}
	return n, err
}

func (p *Page) askOwner(ctx context.Context, parent *world, f *frame) (int, error) {
	owner, err := cdp.Call(ctx, parent.session, dom.GetFrameOwner, dom.GetFrameOwnerParams{FrameID: protocol.FrameID(f.id)})
	if err != nil {
		return 0, pageError(ctx, err)
	}
	node, err := cdp.Call(ctx, parent.session, dom.ResolveNode, dom.ResolveNodeParams{
		BackendNodeID: owner.BackendNodeID, ExecutionContextID: parent.id,
	})
	if err != nil {
		return 0, pageError(ctx, err)
	}
	defer cdp.Send(parent.session, runtime.ReleaseObject, runtime.ReleaseObjectParams{ObjectID: node.Object.ObjectID})
	return call[int](ctx, parent, "refOf", runtime.RemoteObjectID(node.Object.ObjectID))
}

// outward maps a point of a frame to the tab's coordinates, frame by frame, as
// long as it can be seen through each.
func (p *Page) outward(ctx context.Context, f *frame, at point) (report, error) {
	for ; f.parent != nil; f = f.parent {
		owner, err := p.owner(ctx, f)
		if err != nil {
			return report{}, err
		}
		w, err := p.worldOf(ctx, f.parent)
		if err != nil {
			return report{}, err
		}
		r, err := call[report](ctx, w, "through", owner, at.X, at.Y)
		if errors.Is(err, errWorldGone) {
			return report{Missing: pagejs.Gone}, nil
		}
		if err != nil || r.Missing != "" {
			return r, err
		}
		at = r.point
	}
	return report{point: at}, nil
}
