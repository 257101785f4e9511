package page

import (
	"context"
	"errors"

	"chela/internal/reading/pagejs"
)

// Select chooses these options of a select element, or a list of ARIA, and no others. Each is named by
// its value or by its label. For listboxes and comboboxes of ARIA see selectInList.
//
// Of a select element, a script sets them and dispatches the events of a choice, input and change:
// Chromium shows the list of a drop-down in a window of its own, which takes no
// input of the DevTools protocol. It returns an [ElementError], a
// [StaleRefError], ErrBusy or why the turn ended.
func (e *Element) Select(ctx context.Context, values []string) error {
	r, err := ask[report](ctx, e, "choose", values, map[string]any{"by": ScriptDeadline(ctx)})
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

// selectByStandIn chooses an option of a select element by the styled control that is shown instead of it. The
// control says by no ARIA attribute what it is. So it is clicked, and then what has appeared with the label of
// the option.
func (e *Element) selectByStandIn(ctx context.Context, r report) error {
	if err := e.related(r.ByRef).Click(ctx, Click{}); err != nil {
		return err
	}
	found, err := ask[option](ctx, e, "standInOption", ScriptDeadline(ctx))
	if err == nil && found.Missing != "" {
		err = pressed(e.failure(r))
	}
	if err != nil {
		return err
	}
	if err := e.related(found.Option).Click(ctx, Click{}); err != nil {
		return err
	}
	done, err := ask[bool](ctx, e, "standInChosen", ScriptDeadline(ctx))
	if _, left := errors.AsType[*StaleRefError](err); left {
		return nil // the choice has led to another document
	}
	if err == nil && !done {
		err = pressed(e.failure(r))
	}
	return err
}

// Fill gives a control its value, of whatever sort it is: a select the option of
// this value or label, a checkbox, radio or switch the state true or false, and any
// other control the text. It returns what Type returns. Most controls take text, so
// the page script prepares that, unless it finds that the control is of another sort.
func (e *Element) Fill(ctx context.Context, value string) (holds *string, err error) {
	since := e.page.navigationMark()
	how, err := e.edit(ctx, value, manner{fill: true})
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
