package page

import (
	"context"
	"errors"
	"slices"
	"time"

	"chela/internal/reading/pagejs"
)

// needs says what an element must fulfil before it gets input, and how the input is guarded.
type needs struct {
	enabled   bool          // the element must not be disabled or inert
	guard     time.Duration // how long the guard (guard.go) blocks input that would reach another element; 0: no guard
	click     bool          // the input guard stays until the element has got a click: a press alone is not enough
	closed    bool          // for a click: before an earlier attempt moved the mouse, the element said that it is closed
	clickOnly bool          // for a click: the page has had an earlier press, and gets no other one, but only the click
	drag      bool          // the press begins a drag: if the drag fails, the page gets no click (drag.js)
	wheel     bool          // the input is a turn of the mouse wheel
	hover     bool          // the mouse will stay over the element
	dragged   *Element      // what is dragged onto the element: some elements that a click would not reach are targets then, see pointOf in ready.js
	drop      int           // the input is a drop of this many files, which has a guard of its own (drop.js); 0: it is not a drop
	hold      bool          // if the press makes the page render, delay the release by a frame (hold.js)

	// position is the point of the input, in CSS pixels from the top left corner of the element's
	// padding box, as in Playwright. If it is nil, any point will do where the element can be hit.
	position *Point
}

// beyondWaiting lists the obstacles to input that do not go away with time, so that waiting would
// be useless.
var beyondWaiting = []pagejs.Missing{pagejs.Gone, pagejs.Choice, pagejs.Beyond, pagejs.OffPage, pagejs.Clipped, pagejs.Delegated}

// aim waits until input can be sent to the element, and returns the point for it, in CSS pixels of
// the tab's viewport.
//
// One call of ready.js waits in the page. The element must be rendered and still, and enabled if
// that is needed. It is scrolled into view. Then a hit test (elementFromPoint) must find it, or
// something in it, at one of its points. Conditions that do not hold yet are checked again in each
// animation frame, until [ScriptDeadline]. An element that appears late, moves in an animation or
// is covered for a moment therefore needs no round trips.
//
// A document knows only its own viewport. For an element in an iframe, each document around the
// iframe is also asked whether the point can be seen there. If it cannot, the next attempt first
// scrolls the element to another place in its own viewport.
//
// When ready.js answers, the guard is active in the element's document, which is the world of the
// report. It is active in all other documents before the input comes, because commands of a session
// run in order. A document that comes later has no guard: see inputMark.
//
// The error is an [ElementError] with what was still missing, a [StaleRefError], ErrBusy, or why
// the turn ended.
func (e *Element) aim(ctx context.Context, need needs) (aimed report, err error) {
	var last report // what the attempt before has found
	met := false    // the mouse was moved onto the element, see meet
	defer func() {
		if errors.Is(err, ErrBusy) && last.Missing != "" {
			err = e.failure(last) // it says more, see reasons
		}
		if err != nil && need.guard > 0 { // no input follows
			e.page.endGuards(ctx, false)
		}
	}()
	for attempt := 0; ; attempt++ {
		o := map[string]any{
			"by": ScriptDeadline(ctx), "attempt": attempt,
			"enabled": need.enabled, "click": need.click, "closed": need.closed, "hold": need.hold, "clickOnly": need.clickOnly, "drag": need.drag, "wheel": need.wheel, "drop": need.drop,
			"dragged": need.dragged != nil, "from": need.dragged.numberIn(e.frame),
			"hover":    need.hover,
			"position": need.position, "met": met,
		}
		if e.expectedText != "" {
			o["says"] = e.expectedText
		}
		if need.guard > 0 {
			ms := need.guard.Milliseconds()
			sendToOthers[struct{}](ctx, e, "guardAll", ms, need.wheel)
			o["guard"] = ms // starts the guard in the documents of the element's origin
		}
		w, r, err := askDocument[report](ctx, e, "ready", o)
		if err != nil {
			return report{}, err
		}
		if r.Internals {
			if err := e.askInternals(ctx); err != nil {
				return report{}, err
			}
		}
		if r.Endless {
			last = r
			if err := e.meet(ctx, r.point); err != nil {
				return report{}, err
			}
			met = true
			attempt-- // the point itself was of use
			continue
		}
		if r.Missing == "" && e.frame.Parent != nil {
			out, err := e.page.pointInTab(ctx, e.frame, r.point)
			if err != nil {
				return report{}, err
			}
			e.reportPlaced(ctx, point{out.X - r.X, out.Y - r.Y})
			if out.Missing == "" {
				r.point = out.point
			} else {
				r = out
			}
		}
		if r.Missing == "" {
			r.world, e.says = w, r.OwnWords
			return r, nil
		}
		if slices.Contains(beyondWaiting, r.Missing) || remaining(ctx) == 0 {
			return report{}, e.failure(r)
		}
		last = r
	}
}

// meet moves the mouse to a point of the element's document, if the point can be seen. A page mostly stops
// an endless animation under the mouse, such as a ticker. If it goes on, a click is aimed at where the
// element is at that moment: the guard finds out whether it hits.
func (e *Element) meet(ctx context.Context, at point) error {
	if e.frame.Parent != nil {
		out, err := e.page.pointInTab(ctx, e.frame, at)
		if err != nil || out.Missing != "" {
			return err
		}
		at = out.point
	}
	return e.page.moveMouse(ctx, at, unpressed)
}

// ScrollIntoView waits until the element is rendered, and scrolls it into view if it is outside the
// viewport or covered. It returns an [ElementError], a [StaleRefError], ErrBusy or why the turn
// ended.
func (e *Element) ScrollIntoView(ctx context.Context) error {
	r, err := ask[report](ctx, e, "show", ScriptDeadline(ctx))
	if err == nil && r.Missing != "" {
		err = e.failure(r)
	}
	return err
}

// Focus waits until the element can be focused, and focuses it by script. It returns an
// [ElementError], a [StaleRefError], ErrBusy or why the turn ended.
func (e *Element) Focus(ctx context.Context) error {
	r, err := ask[report](ctx, e, "focusOn", ScriptDeadline(ctx))
	if err == nil && r.Missing != "" {
		err = e.failure(r)
	}
	return err
}
