package page

import (
	"context"
	"errors"

	"chela/internal/reading/pagejs"
)

// Select selects the given options of a select element or an ARIA list, and no others. Each option
// is named by its value or its label. For ARIA listboxes and comboboxes see selectInList.
//
// For a select element, a script sets the options and dispatches input and change events. Chromium
// shows a drop-down list in a separate window, which gets no input from the DevTools protocol. That is
// so for the suggestions of a text field (datalist), whose value is typed instead. Select returns an [ElementError], a [StaleRefError], ErrBusy or why the turn ended.
func (e *Element) Select(ctx context.Context, values []string) error {
	answer, err := ask[struct {
		report
		Suggestion *string
	}](ctx, e, "choose", values, map[string]any{"by": ScriptDeadline(ctx)})
	r := answer.report
	if err == nil && answer.Suggestion != nil {
		_, err = e.Type(ctx, *answer.Suggestion)
	}
	if err != nil || r.Missing == "" {
		return err
	}
	if r.Missing == pagejs.Untyped {
		return e.selectInList(ctx, values)
	}
	if r.Missing == pagejs.StandIn {
		err := e.selectInList(ctx, values)
		if lacks, ok := errors.AsType[*ElementError](err); !ok || lacks.Missing != NoSelect {
			return err
		}
		if len(values) == 1 {
			return e.selectByStandIn(ctx, r)
		}
	}
	return e.failure(r)
}

// selectByStandIn chooses an option of a hidden select element by the styled control that the page
// shows instead. No ARIA attribute says what the control is. So the control is clicked, and then
// the element that has appeared with the label of the option.
func (e *Element) selectByStandIn(ctx context.Context, r report) error {
	if err := e.related(r.ByRef).Click(ctx, Click{}); err != nil {
		return err
	}
	found, err := ask[option](ctx, e, "standInOption", ScriptDeadline(ctx))
	if err == nil && found.Missing != "" {
		err = withSent(e.failure(r))
	}
	if err != nil {
		return err
	}
	if err := e.related(found.Option).Click(ctx, Click{}); err != nil {
		return err
	}
	done, err := ask[bool](ctx, e, "standInChosen", ScriptDeadline(ctx))
	if _, left := errors.AsType[*StaleRefError](err); left {
		return nil // the choice has opened another document
	}
	if err == nil && !done {
		err = withSent(e.failure(r))
	}
	return err
}

// Fill sets the value of a control of any kind. For a select element, value is a value or label of
// an option; for a checkbox, radio or switch it is true or false. Other controls get it as text.
// Most controls take text, so the page script is first asked to prepare the control for text. If
// the control is of another kind, the page script answers which kind it is. Fill returns what Type
// returns.
func (e *Element) Fill(ctx context.Context, value string) (holds *string, err error) {
	since := e.page.navigationMark()
	how, err := e.prepareEdit(ctx, value, manner{fill: true})
	switch {
	case err != nil:
		return nil, err
	case how.Sort == "select":
		return nil, e.Select(ctx, []string{value})
	case how.Sort == "check":
		return nil, e.SetChecked(ctx, value == "true")
	}
	return e.enter(ctx, value, how, since)
}
