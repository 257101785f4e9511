package page

import (
	"context"
	"time"

	"chela/internal/pagejs"
)

// Select chooses these options of a select element, and no others. Each is named by
// its value or by its label.
//
// A script sets them and dispatches the events of a choice, input and change:
// Chromium shows the list of a drop-down in a window of its own, which takes no
// input of the DevTools protocol. It returns an [ElementError], a
// [StaleRefError], ErrBusy or why the turn ended.
func (e *Element) Select(ctx context.Context, values []string) error {
	r, err := ask[report](ctx, e, "choose", values, map[string]any{"by": pageDeadline(ctx)})
	if err != nil || r.Missing == "" {
		return err
	}
	if r.Missing == pagejs.Untyped {
		r.Missing = NoSelect
	}
	return e.failure(r)
}

// SetChecked clicks a checkbox, radio or switch unless it is as wanted, and waits
// until it is. It returns what Click returns.
func (e *Element) SetChecked(ctx context.Context, want bool) error {
	is, err := e.checkedBy(ctx, nil, pageDeadline(ctx))
	if err != nil || is == want {
		return err
	}
	if err := e.Click(ctx, Click{}); err != nil {
		return err
	}
	is, err = e.checkedBy(ctx, &want, earlier(pageDeadline(ctx), time.Now().Add(reaction)))
	if err == nil && is != want {
		err = e.failure(report{Missing: Unchanged})
	}
	return err
}

// reaction is how long a control may take after a click to change its state: those
// of frameworks are rendered anew later.
const reaction = time.Second

// checkedBy returns whether the element is checked. If a state is wanted, it waits
// for that state until by. An element that has no such state is an [ElementError].
func (e *Element) checkedBy(ctx context.Context, wanted *bool, by time.Time) (bool, error) {
	for fresh := false; ; fresh = true {
		r, err := ask[struct {
			report
			Checked *bool
		}](ctx, e, "checked", wanted, by, fresh)
		switch {
		case err != nil:
			return false, err
		case r.Missing != "":
			return false, e.failure(r.report)
		case r.Internals:
			if err := e.askInternals(ctx); err != nil {
				return false, err
			}
		case r.Checked == nil:
			return false, e.failure(report{Missing: Uncheckable})
		default:
			return *r.Checked, nil
		}
	}
}

// Fill gives a control its value, of whatever sort it is: a select the option of
// this value or label, a checkbox, radio or switch the state true or false, and any
// other control the text. It returns what Type returns.
func (e *Element) Fill(ctx context.Context, value string) (holds *string, err error) {
	sort, err := ask[string](ctx, e, "sortOf")
	switch {
	case err != nil:
		return nil, err
	case sort == "select":
		return nil, e.Select(ctx, []string{value})
	case sort == "check" && (value == "true" || value == "false"):
		return nil, e.SetChecked(ctx, value == "true")
	}
	return e.Type(ctx, value)
}
