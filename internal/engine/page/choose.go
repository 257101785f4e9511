package page

import (
	"context"
	"errors"
	"time"

	"chela/internal/reading/pagejs"
)

// Select selects the given options of a select element or an ARIA list, and no others. Each option
// is named by its value or its label. For ARIA listboxes and comboboxes see selectInList.
//
// For a select element, a script sets the options and dispatches input and change events. Chromium
// shows a drop-down list in a separate window, which gets no input from the DevTools protocol. It
// also shows the suggestions of a text field (datalist) in such a window, so their value is typed.
// If the page deselects an option again, and does not select it within reactionTime, the error is
// Unchosen. Some pages use a select element as a menu, and set it back after they have acted. If it seems
// to be one, see isMenu in choose.js, the result back is what it shows. The error is an [ElementError], a [StaleRefError], ErrBusy or why the
// turn ended.
func (e *Element) Select(ctx context.Context, values []string) (back *string, err error) {
	answer, err := ask[struct {
		report
		Suggestion *string
		Lost       string // label of an option that was selected, and deselected by the page at once
	}](ctx, e, "choose", values, map[string]any{"by": ScriptDeadline(ctx)})
	r := answer.report
	if err == nil && answer.Suggestion != nil {
		var holds *string
		if holds, err = e.Type(ctx, *answer.Suggestion); err == nil && holds != nil {
			err = withSent(e.failure(report{Missing: Unchosen, Which: *answer.Suggestion}))
		}
	}
	if err == nil && answer.Lost != "" {
		return e.awaitChoice(ctx)
	}
	if err != nil || r.Missing == "" {
		return nil, err
	}
	if r.Missing == pagejs.Untyped {
		return nil, e.selectInList(ctx, values)
	}
	if r.Missing == pagejs.StandIn {
		err := e.selectInList(ctx, values)
		if lacks, ok := errors.AsType[*ElementError](err); !ok || lacks.Missing != NoSelect {
			return nil, err
		}
		if len(values) == 1 {
			return nil, e.selectByStandIn(ctx, r)
		}
	}
	return nil, e.failure(r)
}

// awaitChoice waits until the options of the last choice are selected again. A page may do so late,
// or leave the document, and refuses the choice otherwise. It returns what Select returns.
func (e *Element) awaitChoice(ctx context.Context) (back *string, err error) {
	is, err := ask[struct {
		Lost string
		Back *string
	}](ctx, e, "choiceLost", reactionTime.Milliseconds(), ScriptDeadline(ctx))
	if left, err := afterChoice(err); left || err != nil {
		return nil, err
	}
	if is.Lost != "" {
		return nil, withSent(e.failure(report{Missing: Unchosen, Which: is.Lost}))
	}
	return is.Back, nil
}

// afterChoice sorts the error of a question that follows a choice. If the choice has led to another
// document, left is true: that document cannot confirm the choice, which counts as done. Any other
// error comes with ErrSent, also the crash of a frame.
func afterChoice(err error) (left bool, _ error) {
	if err == nil {
		return false, nil
	}
	if stale, ok := errors.AsType[*StaleRefError](err); ok && stale.Why != FrameCrashed {
		return true, nil
	}
	return false, withSent(err)
}

// selectByStandIn chooses an option of a hidden select element by the styled control that the page
// shows instead. No ARIA attribute says what the control is. So the control is clicked, and then
// the element that has appeared with the label of the option.
func (e *Element) selectByStandIn(ctx context.Context, r report) error {
	if err := e.related(r.ByRef).Click(ctx, Click{}); err != nil {
		return err
	}
	done, err := e.clickStandInOption(ctx)
	if err == nil && !done {
		err = e.failure(r)
	}
	if err != nil {
		return withSent(err)
	}
	return nil
}

// clickStandInOption clicks the element that has appeared with the label of the option. It reports
// whether the option was then chosen.
func (e *Element) clickStandInOption(ctx context.Context) (done bool, err error) {
	found, err := ask[option](ctx, e, "standInOption", ScriptDeadline(ctx))
	if err != nil || found.Missing != "" {
		return false, err
	}
	if err := e.related(found.Option).Click(ctx, Click{}); err != nil {
		return false, err
	}
	done, err = ask[bool](ctx, e, "standInChosen", ScriptDeadline(ctx))
	if left, err := afterChoice(err); left || err != nil {
		return left, err
	}
	return done, nil
}

// A checkedState is the answer of check.js: true, false, "mixed", or nil if there is no such state.
type checkedState struct {
	report
	Checked any
	Box     int  // number of the element with the state: the control of a label, or one inside a custom element
	Radio   bool // the element is a radio button

	Left float64 // with Internals: how long the page script may wait when it is asked again, in milliseconds
}

// SetChecked clicks a checkbox, radio or switch unless it has the wanted state, and waits for that
// state. A checkbox in the mixed state may change to the other state first, and is then clicked
// again. Errors are the same as for Click. If a radio button is to be unchecked, the error is an
// [ElementError]: only checking another one of its group unchecks it. If the state does not become the
// wanted one, the error is Unchanged, with ErrSent.
func (e *Element) SetChecked(ctx context.Context, want bool) error {
	is, err := e.awaitChecked(ctx, nil)
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
		err = withSent(e.failure(report{Missing: Unchanged}))
	}
	return err
}

// toggle clicks the element whose number is the parameter box, and waits for the wanted state. It
// returns the state after the wait. A click that leads to another document, such as the page for a
// filter, counts as done. If the page removes the element, as a menu does that closes, the error is
// a [StaleRefError] with ErrSent.
func (e *Element) toggle(ctx context.Context, box int, want bool) (checkedState, error) {
	target := e
	if box != e.ref.Number {
		target = e.related(box)
	}
	if err := target.Click(ctx, Click{}); err != nil {
		return checkedState{}, err
	}
	is, err := e.awaitChecked(ctx, &want)
	if stale, gone := errors.AsType[*StaleRefError](err); gone && stale.Why == DocumentReplaced {
		return checkedState{Checked: want}, nil
	}
	if err != nil {
		err = withSent(err)
	}
	return is, err
}

// reactionTime is how long a control may take to change its state after a click. Frameworks render
// controls again with a delay, which is more than a second on a large page. The page script counts
// this time: see Reaction in reaction.js.
const reactionTime = 2 * time.Second

// awaitChecked returns the checked state of the element. If a state is wanted, it waits for that
// state for reactionTime. An element without a checked state is an
// [ElementError].
func (e *Element) awaitChecked(ctx context.Context, wanted *bool) (checkedState, error) {
	left := float64(reactionTime.Milliseconds())
	for fresh := false; ; fresh = true {
		r, err := ask[checkedState](ctx, e, "checked", wanted, left, ScriptDeadline(ctx), fresh)
		switch {
		case err != nil:
			return r, err
		case r.Missing != "":
			return r, e.failure(r.report)
		case r.Internals:
			left = r.Left
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
