package page

import (
	"context"
	"slices"
	"time"

	"chela/internal/reading/pagejs"
)

// needs say what must be the case before input is sent to an element.
type needs struct {
	enabled bool          // it is not disabled or inert
	guard   time.Duration // for how long to keep from the page what would reach another element; 0: not at all
	click   bool          // keep the guard until the element has got a click: a press alone does not count
	wheel   bool          // the input is one of the mouse wheel
	dragged bool          // something is dragged onto it, so that it may ignore the mouse
	drop    int           // the guard is for a drop of so many files
	hold    bool          // have the release of a press that makes the page render wait for a frame

	// position is where in the element the input is to go, in CSS pixels from the top
	// left corner of its padding box, as in Playwright; nil: where it can be hit.
	position *Point
}

// beyondWaiting are what no waiting mends.
var beyondWaiting = []pagejs.Missing{pagejs.Gone, pagejs.Choice, pagejs.Beyond, pagejs.OffPage, pagejs.Delegated}

// aim waits until input can be sent to the element, and returns the point for it,
// in CSS pixels of the tab's viewport.
//
// The waiting is done in the page, by one call of ready.js: the element has to be
// rendered, enabled if that is needed, and must not be moving; it is scrolled
// into view; and a hit test (elementFromPoint) has to find it, or something in it,
// at one of its points. What is not so yet is looked at again in each frame,
// until the page's deadline. So an element that appears late, that an animation
// moves or that a banner covers for a moment needs no round trips.
//
// A document knows only its own viewport. For an element in a frame, each frame
// around it is asked whether the point can be seen there, too. If it cannot, the
// next attempt scrolls the element to another place in its own viewport first.
//
// The guard is up when ready answers, in the element's document and, because
// commands of a session run in order, in all others before the input comes.
//
// The error is an [ElementError] with what was still missing, a [StaleRefError],
// ErrBusy, or why the turn ended.
func (e *Element) aim(ctx context.Context, need needs) (report, error) {
	for attempt := 0; ; attempt++ {
		o := map[string]any{
			"by": ScriptDeadline(ctx), "attempt": attempt,
			"enabled": need.enabled, "click": need.click, "hold": need.hold, "wheel": need.wheel, "drop": need.drop, "dragged": need.dragged,
			"position": need.position,
		}
		if e.says != "" {
			o["says"] = e.says
		}
		if need.guard > 0 {
			ms := need.guard.Milliseconds()
			sendToOthers[struct{}](ctx, e, "guardAll", ms, need.wheel)
			o["guard"] = ms // in the documents of the element's origin
		}
		r, err := ask[report](ctx, e, "ready", o)
		if err != nil {
			return report{}, err
		}
		if r.Internals {
			if err := e.askInternals(ctx); err != nil {
				return report{}, err
			}
		}
		if r.Missing == "" && e.frame.Parent != nil {
			out, err := e.page.outward(ctx, e.frame, r.point)
			if err != nil {
				return report{}, err
			}
			out.Frame, out.Instead, r = r.Frame, r.Instead, out
		}
		if r.Missing == "" {
			return r, nil
		}
		if slices.Contains(beyondWaiting, r.Missing) || remaining(ctx) == 0 {
			return report{}, e.failure(r)
		}
	}
}

// ScrollIntoView waits until the element is rendered, and scrolls it into view if it
// is not there, or if something covers it. It returns an [ElementError], a
// [StaleRefError], ErrBusy or why the turn ended.
func (e *Element) ScrollIntoView(ctx context.Context) error {
	r, err := ask[report](ctx, e, "show", ScriptDeadline(ctx))
	if err == nil && r.Missing != "" {
		err = e.failure(r)
	}
	return err
}
