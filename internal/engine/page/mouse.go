package page

import (
	"context"

	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"

	"chela/internal/engine/cdp"
	"chela/internal/engine/frame"
)

// The functions of this file move the mouse and press its buttons one event at a time, for what
// clicks and drags cannot do. There is no input guard: what is at the point gets the input.
//
// A held button may begin a drag of data. Chromium hands that drag to chela, see [Element.Drag].
// Without that, a headless browser would wait for the drag's end for ever. While the drag lasts,
// moves are dragenter and dragover events, and the release of the button is the drop.

// MouseMove moves the mouse to a point of the viewport, with the buttons that are held. At a negative
// point the mouse has left the page, which gets mouseleave. Other points outside may be mistakes, and
// are an [OutsideError]. Other errors are the same as for [Page.Press].
func (p *Page) MouseMove(ctx context.Context, at Point) error {
	if err := p.takesInput(ctx); err != nil {
		return err
	}
	if !at.isNegative() {
		if err := p.inViewport(ctx, at.X, at.Y); err != nil {
			return err
		}
	}
	if p.isDragging() {
		p.mu.Lock()
		p.held.at = at
		p.mu.Unlock()
		return p.dragEvent(ctx, input.DispatchDragEventTypeDragOver, at)
	}
	if err := checkTime(ctx); err != nil {
		return err
	}
	return p.awaitMouse(ctx, p.sendMouse(input.DispatchMouseEventTypeMouseMoved, at, unpressed, 0))
}

// MouseDown presses a button where the mouse is, and leaves it down; see held. A press soon after a
// click at the same place makes a double click, as with a real mouse. If the mouse has left the page,
// the error is an [OutsideError]. Other errors are the same as for [Page.Press].
func (p *Page) MouseDown(ctx context.Context, b Button) error {
	if err := p.takesInput(ctx); err != nil {
		return err
	}
	if at, _ := p.Mouse(); at.isNegative() {
		return p.inViewport(ctx, at.X, at.Y)
	}
	if err := checkTime(ctx); err != nil { // a button that is not pressed is not held
		return err
	}
	cdp.Send(p.session, input.SetInterceptDrags, input.SetInterceptDragsParams{Enabled: true})
	p.setDragged(nil)
	p.mu.Lock()
	at, count := p.held.at, p.held.nextClick(b)
	p.holdButtonLocked(b, at)
	p.mu.Unlock()
	return p.awaitMouse(ctx, p.sendMouse(input.DispatchMouseEventTypeMousePressed, at, Click{Button: b}, count))
}

// MouseUp releases a button where the mouse is. A button that is not down is released as well: the
// page may wait for that. It returns the same errors as [Page.Press].
func (p *Page) MouseUp(ctx context.Context, b Button) error {
	if err := p.takesInput(ctx); err != nil {
		return err
	}
	if err := checkTime(ctx); err != nil { // a button that is not released stays held
		return err
	}
	p.mu.Lock()
	at, count := p.held.at, max(1, p.held.last.count)
	p.mu.Unlock()
	if p.isDragging() {
		w, err := p.worldOf(ctx, p.main())
		if err == nil {
			err = p.drop(ctx, w, at)
		}
		if err != nil {
			return err
		}
		p.setDragged(nil)
	}
	err := p.awaitMouse(ctx, p.sendMouse(input.DispatchMouseEventTypeMouseReleased, at, Click{Button: b}, count))
	p.mu.Lock()
	defer p.mu.Unlock()
	p.releaseButtonLocked(b)
	if len(p.held.buttons) == 0 {
		p.cancelDragLocked()
	}
	return err
}

// isDragging reports whether a held button has begun a drag of data that still goes on.
func (p *Page) isDragging() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.dragData != nil && len(p.held.buttons) > 0
}

// cancelDragLocked cancels a drag of data that has not been dropped, and ends the interception of
// drags.
func (p *Page) cancelDragLocked() {
	if p.dragData != nil {
		cdp.Send(p.session, input.DispatchDragEvent, input.DispatchDragEventParams{
			Type: input.DispatchDragEventTypeDragCancel, X: p.held.at.X, Y: p.held.at.Y, Data: p.dragData.data,
		})
		p.dragData = nil
	}
	cdp.Send(p.session, input.SetInterceptDrags, input.SetInterceptDragsParams{Enabled: false})
}

// awaitMouse waits until the page has handled a mouse event that was sent. It also waits until the
// protocol events are handled that Chromium has sent by then.
func (p *Page) awaitMouse(ctx context.Context, sent *cdp.Reply[proto.Empty]) error {
	if err := awaitHandled(ctx, []*cdp.Reply[proto.Empty]{sent}); err != nil {
		return err
	}
	return frame.Failure(ctx, p.Sync(ctx))
}
