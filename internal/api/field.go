package api

import (
	"context"

	"chela/internal/api/call"
	"chela/internal/engine/page"
	"chela/internal/op"
)

// A fieldRequest names one field, and has no other parameters.
type fieldRequest struct{ onRef }

// Check returns an error in chela's own words: OpenClaw does not have the acts that use this
// request.
func (r fieldRequest) Check() error {
	if r.Ref != "" {
		return nil
	}
	return op.Errorf(op.ActInvalid, "ref is required").Hinted("take a snapshot and give a ref from it")
}

// checkBox clicks a checkbox, radio button or switch unless it is checked, and fails if
// it is not afterwards.
func checkBox(ctx context.Context, t *call.Turn, r fieldRequest) (call.Done, error) {
	return actOn(ctx, t, r.Ref, func(ctx context.Context, el *page.Element) error { return el.SetChecked(ctx, true) })
}

// uncheckBox does nothing if the box is unchecked already. A radio button cannot be
// unchecked by itself: that is an error.
func uncheckBox(ctx context.Context, t *call.Turn, r fieldRequest) (call.Done, error) {
	return actOn(ctx, t, r.Ref, func(ctx context.Context, el *page.Element) error { return el.SetChecked(ctx, false) })
}

// focusElement sets the focus by script, so there are no mouse events. If the focus opens
// something, such as a list of suggestions, that opens as usual. An element that cannot take the
// focus is an error.
func focusElement(ctx context.Context, t *call.Turn, r fieldRequest) (call.Done, error) {
	return actOn(ctx, t, r.Ref, func(ctx context.Context, el *page.Element) error { return el.Focus(ctx) })
}

// noteEmpty is the note on a combobox without text in which Delete changed nothing.
const noteEmpty = "its text was empty already: if a value is shown beside it, click what removes that"

// clearField removes the text of a field. If the page puts another text there, the answer has that
// text.
func clearField(ctx context.Context, t *call.Turn, r fieldRequest) (done typeResult, err error) {
	_, err = actOn(ctx, t, r.Ref, func(ctx context.Context, el *page.Element) error {
		value, wasEmpty, err := el.Clear(ctx)
		done.Value = (*op.PageText)(value)
		if wasEmpty {
			done.Note = noteEmpty
		}
		return err
	})
	return done, err
}
