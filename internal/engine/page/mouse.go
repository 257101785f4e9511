package page

import (
	"context"

	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"

	"chela/internal/engine/cdp"
	"chela/internal/engine/frame"
)

// What follows moves the mouse and presses its buttons one event at a time, for what
// clicks and drags cannot do. There is no guard: what is at the point gets the input.
//
// A drag of data that a held button begins is handed to us, as in Drag: without that, a
// headless browser would wait for its end for ever. While it lasts, moves are dragover
// events, and the release of the button is the drop.

// MouseMove moves the mouse to a point of the viewport, with the buttons that are held.
// A point outside is an [OutsideError]. Errors are those of [Page.Press].
func (p *Page) MouseMove(ctx context.Context, at Point) error {
	if err := p.awake(ctx, p.main()); err != nil {
		return err
	}
	if err := p.inViewport(ctx, at.X, at.Y); err != nil {
		return err
	}
	if p.carries() {
		p.mu.Lock()
		p.held.at = at
		p.mu.Unlock()
		return p.dragEvent(ctx, input.DispatchDragEventTypeDragOver, at)
	}
	return p.sendHeldMouse(ctx, input.DispatchMouseEventTypeMouseMoved, at, input.MouseButtonNone)
}

// MouseDown presses a button where the mouse is, and leaves it down; see held. Errors
// are those of [Page.Press].
func (p *Page) MouseDown(ctx context.Context, b Button) error {
	if err := p.awake(ctx, p.main()); err != nil {
		return err
	}
	cdp.Send(p.session, input.SetInterceptDrags, input.SetInterceptDragsParams{Enabled: true})
	p.mu.Lock()
	p.dragData = nil
	at := p.held.at
	p.holdButtonLocked(b, at)
	p.mu.Unlock()
	return p.sendHeldMouse(ctx, input.DispatchMouseEventTypeMousePressed, at, b)
}

// MouseUp releases a button where the mouse is. One that is not down is released all
// the same: the page may wait for that. Errors are those of [Page.Press].
func (p *Page) MouseUp(ctx context.Context, b Button) error {
	if err := p.awake(ctx, p.main()); err != nil {
		return err
	}
	p.mu.Lock()
	at := p.held.at
	p.mu.Unlock()
	if p.carries() {
		for _, kind := range dropEvents {
			if err := p.dragEvent(ctx, kind, at); err != nil {
				return err
			}
		}
	}
	err := p.sendHeldMouse(ctx, input.DispatchMouseEventTypeMouseReleased, at, b)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.releaseButtonLocked(b)
	if len(p.held.buttons) == 0 {
		p.endCarryLocked()
	}
	return err
}

// carries reports whether a drag of data is under way that a held button began.
func (p *Page) carries() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.dragData != nil && len(p.held.buttons) > 0
}

// endCarryLocked ends a drag of data that has not been dropped, and the handing over of
// drags.
func (p *Page) endCarryLocked() {
	if p.dragData != nil {
		cdp.Send(p.session, input.DispatchDragEvent, input.DispatchDragEventParams{
			Type: input.DispatchDragEventTypeDragCancel, X: p.held.at.X, Y: p.held.at.Y, Data: p.dragData.data,
		})
		p.dragData = nil
	}
	cdp.Send(p.session, input.SetInterceptDrags, input.SetInterceptDragsParams{Enabled: false})
}

// sendHeldMouse sends one mouse event and waits until the page has it, and until what it
// has begun is known.
func (p *Page) sendHeldMouse(ctx context.Context, kind input.DispatchMouseEventType, at point, b Button) error {
	if err := inTime(ctx); err != nil {
		return err
	}
	count := int64(1)
	if kind == input.DispatchMouseEventTypeMouseMoved {
		count = 0
	}
	if err := confirmed(ctx, []*cdp.Reply[proto.Empty]{p.mouse(kind, at, Click{Button: b}, count)}); err != nil {
		return err
	}
	return frame.Failure(ctx, p.Sync(ctx))
}
