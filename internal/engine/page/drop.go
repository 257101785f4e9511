package page

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/input"

	"chela/internal/engine/cdp"
	"chela/internal/engine/frame"
	"chela/internal/reading/pagejs"
)

// dragData is the data of a drag: what Chromium has intercepted, or the files of [Element.Drop].
type dragData struct {
	data    *input.DragData
	entered bool // dragEnter was sent; only the turn touches this
}

func (p *Page) dragIntercepted(_ *cdp.Session, ev input.EventDragIntercepted) {
	p.dragData = &dragData{data: ev.Data}
}

// allOperations lets the page choose what happens to dropped files, as file managers do. The bits
// are those in DragData.DragOperationsMask.
const allOperations = 1 /* copy */ | 2 /* link */ | 16 /* move */

// overTime is how long files are dragged at least over an element that does not accept them. Some
// pages show their drop area a moment after the drag has entered.
const overTime = 500 * time.Millisecond

// A dragState is what the page does with files that are dragged over an element.
type dragState struct {
	verdict
	Effect  string // effect of the drop: copy, link, move or none; "": not certain yet
	Single  bool   // the element is a file input that accepts only one file
	Dropped bool   // the page got the drop
}

func (s dragState) accepted() bool { return s.Effect != "" && s.Effect != "none" }

// Drop drops files on the element, as if a person dragged them from a file manager. The events
// dragenter, dragover and drop are trusted, and the page can read the files. Chromium makes the
// events from Input.dispatchDragEvent and gives the page access to the files.
//
// Drop waits as a click does. A guard (drop.js) hides the drag from the page if the mouse is over
// another element. It also hides the drop if the element has moved away. Some pages show an element
// only when files are dragged into the window. So for a hidden element, the drag first enters the
// window.
//
// Files that the page does not accept are not dropped: the error is an [ElementError] with NoDrop.
// The page does not accept them if no listener prevents dragover, or the drop effect is none.
//
// The result effect is the drop effect that the page has chosen: copy, move or link. It is not
// empty if the page may have got the files, even if there is an error. Errors are the same as for
// Click, and in addition ErrOneFile and [ErrRemote].
func (e *Element) Drop(ctx context.Context, paths []string) (effect string, err error) {
	p := e.page
	if p.isRemote() {
		return "", ErrRemote
	}
	p.setDragged(&dragData{data: &input.DragData{Items: []*input.DragDataItem{}, Files: paths, DragOperationsMask: allOperations}})
	defer p.setDragged(nil) // a button that is held drags nothing of this
	entered, err := e.enterWindow(ctx)
	for {
		var s dragState
		if err == nil {
			s, err = e.dropOnce(ctx, len(paths), entered)
		}
		if s.Dropped || err != nil && s.accepted() {
			return s.Effect, err
		}
		p.endGuards(ctx, false)
		e.leaveWindow(ctx)
		switch {
		case err != nil:
			return "", err
		case s.Single:
			return "", ErrOneFile
		case s.Passed && s.Effect == "":
			return "", fmt.Errorf("drop: %w", ErrBusy)
		case s.Passed:
			return "", e.failure(report{Missing: NoDrop})
		case remaining(ctx) == 0:
			return "", e.missed("drop", s.verdict)
		}
		entered = false
	}
}

// leaveWindow ends a drag of data, if there is one, without a drop. Chromium dispatches dragleave only
// when the drag is at a point outside of the window. With dragCancel alone the drag would stay over
// the element, and the next drag there would begin without dragenter. So a dragOver outside of the
// window is sent before dragCancel. They are sent even after the deadline, since otherwise the page
// would go on showing a drop area.
//
// If these events are sent on the tab's session only, a cross-site frame does not get the
// dragleave. So they are first sent on the frame's own session.
func (e *Element) leaveWindow(ctx context.Context) {
	p := e.page
	d := p.dragged()
	if d == nil {
		return
	}
	sessions := []*cdp.Session{p.session}
	if w, err := e.world(ctx); err == nil && w.Session != p.session {
		sessions = []*cdp.Session{w.Session, p.session}
	}
	for _, s := range sessions {
		for _, kind := range []input.DispatchDragEventType{input.DispatchDragEventTypeDragOver, input.DispatchDragEventTypeDragCancel} {
			cdp.Send(s, input.DispatchDragEvent, input.DispatchDragEventParams{Type: kind, X: -1, Y: -1, Data: d.data}).Wait(ctx)
		}
	}
}

// enterWindow drags the files into the window if the element is hidden, so that the page may show
// it. It reports whether it did.
func (e *Element) enterWindow(ctx context.Context) (bool, error) {
	r, err := ask[report](ctx, e, "dragEntry")
	if err != nil || r.Missing != pagejs.Hidden {
		return false, err
	}
	at, err := e.page.pointInTab(ctx, e.frame, r.point)
	if err != nil || at.Missing != "" {
		return false, err
	}
	return true, e.page.dragEvent(ctx, input.DispatchDragEventTypeDragEnter, at.point)
}

// dropOnce drags the files to the element and drops them there if the page accepts them. If entered
// is true, dragenter was already sent, see enterWindow.
//
// The page does not accept the files if it still refuses them after overTime. That time begins when
// the page has handled the first event. One look at the drag may take longer, as the page or the
// machine may be busy. When such a page goes on, Chromium may give it input before it runs timers
// that are late. So the first whole look after overTime runs them, and only the event after that look
// can show a refusal. While the effect is not certain yet, the drag goes on until the deadline.
func (e *Element) dropOnce(ctx context.Context, files int, entered bool) (s dragState, err error) {
	at, err := e.aim(ctx, needs{guard: guardTime(ctx), drop: files})
	if err != nil {
		return s, err
	}
	if at.Frame {
		return s, e.failure(report{Missing: NestedDrop})
	}
	first := input.DispatchDragEventTypeDragOver
	if !entered {
		first = input.DispatchDragEventTypeDragEnter
	}
	if err := e.page.dragEvent(ctx, first, at.point); err != nil {
		return s, err
	}
	begun, last := time.Now(), false
	for {
		late := time.Since(begun) >= overTime
		if s, err = ask[dragState](ctx, e, "dragTaken", ScriptDeadline(ctx)); err != nil {
			return s, err
		}
		switch {
		case !s.Passed || s.Single:
			return s, nil
		case s.accepted():
			return e.dropFiles(ctx, at, s.Effect)
		case s.Effect == "none" && last, remaining(ctx) == 0:
			return s, nil
		}
		last = late
		if err := e.page.dragEvent(ctx, input.DispatchDragEventTypeDragOver, at.point); err != nil {
			return s, err
		}
	}
}

// dropFiles drops the dragged files on the element. If the page then loads another document, the
// files count as dropped.
func (e *Element) dropFiles(ctx context.Context, at report, effect string) (s dragState, err error) {
	before, err := e.inputMark(ctx, at.world)
	if err := cmp.Or(err, checkTime(ctx)); err != nil {
		return s, err
	}
	s = dragState{Effect: effect}
	if err := e.page.dragEvent(ctx, input.DispatchDragEventTypeDrop, at.point); err != nil {
		return s, withSentIfBusy(err)
	}
	own := frame.Send[dragState](ctx, before.world, "dropped")
	e.page.endGuards(ctx, false)
	s, err = awaitTaken(ctx, e, own, before)
	s.Effect = effect
	if errors.Is(err, frame.ErrGone) || errors.Is(err, ErrClosed) || errors.Is(err, cdp.ErrDetached) {
		return dragState{Effect: effect, Dropped: true}, nil
	}
	return s, withSentIfBusy(err)
}

// dragBegun reports whether the page has allowed a drag of data (dragstart was not prevented). If
// so, it waits until Chromium has sent the data.
func (e *Element) dragBegun(ctx context.Context) (bool, error) {
	w, err := e.world(ctx)
	if err != nil {
		return false, err
	}
	begun, err := frame.Call[bool](ctx, w, "dragging")
	if err != nil || !begun {
		return false, err
	}
	return true, e.page.await(ctx, func() bool { return e.page.dragData != nil })
}

// drop drops the data of the drag at a point. Chromium dispatches dragover again and again while a
// person holds the mouse still. So the page gets it at least twice before the drop, and time to follow
// it in the world w. If another document comes meanwhile, it gets no drop: see opensAnother.
func (p *Page) drop(ctx context.Context, w *frame.World, at point) error {
	over := func() error { return p.dragEvent(ctx, input.DispatchDragEventTypeDragOver, at) }
	if err := over(); err != nil {
		return err
	}
	if err := cmp.Or(awaitFollowed(ctx, w, 1, over), context.Cause(ctx)); err != nil {
		return err
	}
	err := p.dragEvent(ctx, input.DispatchDragEventTypeDrop, at)
	if opensAnother(err) { // the page took the drop
		return nil
	}
	return err
}

// dragEvent delivers the data of the drag to a point. Before the first event of a drag it sends
// dragEnter: without that, Chromium ignores dragOver.
func (p *Page) dragEvent(ctx context.Context, kind input.DispatchDragEventType, at point) error {
	if err := checkTime(ctx); err != nil {
		return err
	}
	d := p.dragged()
	if d == nil {
		return nil // the drag was cancelled
	}
	if !d.entered && kind != input.DispatchDragEventTypeDragEnter {
		cdp.Send(p.session, input.DispatchDragEvent, input.DispatchDragEventParams{Type: input.DispatchDragEventTypeDragEnter, X: at.X, Y: at.Y, Data: d.data})
	}
	d.entered = true
	_, err := cdp.Call(ctx, p.session, input.DispatchDragEvent, input.DispatchDragEventParams{Type: kind, X: at.X, Y: at.Y, Data: d.data})
	return frame.Failure(ctx, err)
}

func (p *Page) setDragged(d *dragData) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.dragData = d
}

// dragged returns the data of the drag, or nil if there is none.
func (p *Page) dragged() *dragData {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.dragData
}
