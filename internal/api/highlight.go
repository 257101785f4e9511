package api

import (
	"context"

	"chela/internal/api/call"
	"chela/internal/op"
)

// A highlightRequest shows a person, or a screenshot, which element a ref is. It is not an act, since
// it sends no input. Chromium draws the box above the page, so the document does not change. The
// page can notice only that it was scrolled.
type highlightRequest struct {
	call.On
	op.Timeout
	Ref string `json:"ref" digits:"true" doc:"ref of the element"`
}

// highlight answers when the box is drawn, with only the fields that every operation on a tab has.
// The box is removed by the next act, navigation or highlight of the tab. It returns the errors of
// the ref, and an error if the element cannot be scrolled into view. The headless shell draws nothing
// over pages, and is refused.
func highlight(ctx context.Context, t *call.Turn, r highlightRequest) (call.Done, error) {
	if t.Tab.Browser().Describe().HeadlessShell {
		return call.Done{}, op.Errorf(op.NotSupported, "the headless shell does not draw highlights").
			Hinted("take a screenshot with labels, or start another browser: chela install --channel chromium")
	}
	el, err := t.Page.Element(ctx, r.Ref)
	if err != nil {
		return call.Done{}, err
	}
	return call.Done{}, el.Highlight(ctx)
}
