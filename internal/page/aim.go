package page

import (
	"context"
	"time"

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
			e.page.guardAll(ctx, need.guard)
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
