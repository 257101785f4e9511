package page

import (
	"context"
	"time"
)

// A checkedState is the answer of check.js: true, false, "mixed", or nil if there is no such state.
type checkedState struct {
	report
	Checked any
	Box     int  // number of the element with the state: the control of a label, or one inside a custom element
	Radio   bool // the element is a radio button
}

// SetChecked clicks a checkbox, radio or switch unless it has the wanted state, and waits for that
// state. A checkbox in the mixed state may change to the other state first, and is then clicked
// again. Errors are the same as for Click. If a radio button is to be unchecked, the error is an
// [ElementError]: only checking another one of its group unchecks it.
func (e *Element) SetChecked(ctx context.Context, want bool) error {
	is, err := e.awaitChecked(ctx, nil, ScriptDeadline(ctx))
	if err != nil || is.Checked == want {
		return err
	}
	if is.Radio && !want {
		return e.failure(report{Missing: Radio})
	}
	mixed := is.Checked == "mixed"
	if is, err = e.toggle(ctx, is.Box, want); err == nil && mixed && is.Checked == !want {
		is, err = e.toggle(ctx, is.Box, want)
	}
	if err == nil && is.Checked != want {
		err = e.failure(report{Missing: Unchanged})
	}
	return err
}

// toggle clicks the element whose number is the parameter box, and waits for the wanted state. It
// returns the state after the wait.
func (e *Element) toggle(ctx context.Context, box int, want bool) (checkedState, error) {
	target := e
	if box != e.ref.Number {
		target = e.related(box)
	}
	if err := target.Click(ctx, Click{}); err != nil {
		return checkedState{}, err
	}
	return e.awaitChecked(ctx, &want, earlier(ScriptDeadline(ctx), time.Now().Add(reactionTime)))
}

// reactionTime is how long a control may take to change its state after a click. Frameworks render
// controls again with a delay.
const reactionTime = time.Second

// awaitChecked returns the checked state of the element. If a state is wanted, it waits for that
// state until the time in the parameter by. An element without a checked state is an
// [ElementError].
func (e *Element) awaitChecked(ctx context.Context, wanted *bool, by time.Time) (checkedState, error) {
	for fresh := false; ; fresh = true {
		r, err := ask[checkedState](ctx, e, "checked", wanted, by, fresh)
		switch {
		case err != nil:
			return r, err
		case r.Missing != "":
			return r, e.failure(r.report)
		case r.Internals:
			if err := e.askInternals(ctx); err != nil {
				return r, err
			}
		case r.Checked == nil:
			return r, e.failure(report{Missing: Uncheckable})
		default:
			return r, nil
		}
	}
}
