package page

import (
	"context"
	"errors"
	"time"

	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"

	"chela/internal/cdp"
	"chela/internal/pagejs"
)

// aim says what an element needs before input is sent to it.
type aim struct {
	enabled bool
	guard   time.Duration // for how long to swallow what would reach another element, if at all
	click   bool          // guard it until it has got a click
	hold    bool          // hold a press that makes the page render
}

// aim waits until the element can be acted on and returns where, in the
// coordinates of the tab. An element in a frame must be visible through all
// frames around it.
func (e *Element) aim(ctx context.Context, need aim) (report, error) {
	for attempt := 0; ; attempt++ {
		if need.guard > 0 {
			e.page.shield(ctx, need.guard)
		}
		o := map[string]any{"by": pageDeadline(ctx), "enabled": need.enabled, "click": need.click, "hold": need.hold, "attempt": attempt}
		if need.guard > 0 {
			o["guard"] = need.guard.Milliseconds()
		}
		r, err := ask[report](ctx, e, "ready", o)
		if err != nil {
			return report{}, err
		}
		if r.Missing == "" && e.frame.parent != nil {
			out, err := e.page.outward(ctx, e.frame, r.point)
			if err != nil {
				return report{}, err
			}
			out.Frame, r = r.Frame, out
		}
		if r.Missing == "" {
			return r, nil
		}
		if r.Missing == pagejs.Gone || r.Missing == pagejs.Choice || remaining(ctx) == 0 {
			return report{}, e.failure(r)
		}
	}
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
	owner, err := cdp.Call(ctx, parent.session, dom.GetFrameOwner, dom.GetFrameOwnerParams{FrameID: proto.FrameID(f.id)})
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
