package page

import "context"

// Focus waits until the element can be focused, and focuses it by script. It returns an
// [ElementError], a [StaleRefError], ErrBusy or why the turn ended.
func (e *Element) Focus(ctx context.Context) error {
	r, err := ask[report](ctx, e, "focusOn", ScriptDeadline(ctx))
	if err == nil && r.Missing != "" {
		err = e.failure(r)
	}
	return err
}
