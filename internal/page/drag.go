package page

import (
	"context"
	"errors"

	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"

	"chela/internal/cdp"
)

// dragData is what the browser holds while something is dragged.
type dragData struct{ data *input.DragData }

func (p *Page) dragIntercepted(_ *cdp.Session, ev input.EventDragIntercepted) {
	p.dragData = &dragData{ev.Data}
}

// DragTo drags the element onto another, as a person would with the mouse. If
// the page makes it a drag of data, that is dropped there.
func (e *Element) DragTo(ctx context.Context, onto *Element) error {
	if _, err := onto.aim(ctx, aim{}); err != nil {
		return err
	}
	p := e.page
	cdp.Send(p.session, input.SetInterceptDrags, input.SetInterceptDragsParams{Enabled: true})
	defer cdp.Send(p.session, input.SetInterceptDrags, input.SetInterceptDragsParams{Enabled: false})
	return e.grab(ctx, func(from point) error {
		r, err := onto.aim(ctx, aim{})
		if err != nil {
			p.mouse(input.DispatchMouseEventTypeMouseReleased, from, Click{}, 1)
			return err
		}
		return p.carry(ctx, e, from, r.point)
	})
}

// grab presses the mouse on the element, makes sure that the element got it,
// and runs rest.
func (e *Element) grab(ctx context.Context, rest func(from point) error) error {
	for {
		since := e.page.begun()
		at, err := e.aim(ctx, aim{guard: true})
		if err != nil {
			return err
		}
		if err := e.page.hold(ctx, at.point); err != nil {
			return err
		}
		v, err := e.verdict(ctx, since)
		switch {
		case errors.Is(err, errWorldGone):
			return e.stale()
		case err != nil:
			return err
		case v.Passed:
			return rest(at.point)
		}
		e.page.mouse(input.DispatchMouseEventTypeMouseReleased, at.point, Click{}, 1)
		if left(ctx) == 0 {
			return e.failure(report{Missing: "elsewhere", By: v.By})
		}
	}
}

// hold moves the mouse to a point and presses it there.
func (p *Page) hold(ctx context.Context, at point) error {
	return confirmed(ctx, []*cdp.Reply[proto.Empty]{
		p.mouse(input.DispatchMouseEventTypeMouseMoved, at, Click{Button: input.MouseButtonNone}, 0),
		p.mouse(input.DispatchMouseEventTypeMousePressed, at, Click{}, 1),
	})
}

// carry moves the pressed mouse from one point to another and releases it there.
func (p *Page) carry(ctx context.Context, e *Element, from, to point) error {
	p.mu.Lock()
	p.dragData = nil
	p.mu.Unlock()
	steps := []point{{from.X + 4, from.Y + 4}, between(from, to, .5), between(from, to, .9), to}
	for _, at := range steps {
		if _, err := p.mouse(input.DispatchMouseEventTypeMouseMoved, at, Click{}, 0).Wait(ctx); err != nil {
			return pageError(ctx, err)
		}
	}
	begun, err := p.dragBegun(ctx, e)
	if err != nil {
		return err
	}
	if begun {
		err = p.drop(ctx, to)
	}
	_, released := p.mouse(input.DispatchMouseEventTypeMouseReleased, to, Click{}, 1).Wait(ctx)
	if err != nil {
		return err
	}
	return pageError(ctx, released)
}

func between(a, b point, part float64) point {
	return point{a.X + (b.X-a.X)*part, a.Y + (b.Y-a.Y)*part}
}

// dragBegun reports whether the page began a drag of data, and waits until the browser holds it.
func (p *Page) dragBegun(ctx context.Context, e *Element) (bool, error) {
	w, err := e.world(ctx)
	if err != nil {
		return false, err
	}
	begun, err := call[bool](ctx, w, "dragging")
	if err != nil || !begun {
		return false, err
	}
	return true, p.await(ctx, func() bool { return p.dragData != nil })
}

func (p *Page) drop(ctx context.Context, at point) error {
	p.mu.Lock()
	data := p.dragData.data
	p.mu.Unlock()
	for _, kind := range []input.DispatchDragEventType{input.DispatchDragEventTypeDragEnter, input.DispatchDragEventTypeDragOver, input.DispatchDragEventTypeDrop} {
		_, err := cdp.Call(ctx, p.session, input.DispatchDragEvent, input.DispatchDragEventParams{Type: kind, X: at.X, Y: at.Y, Data: data})
		if err != nil {
			return pageError(ctx, err)
		}
	}
	return nil
}
