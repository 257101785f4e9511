package api

import (
	"context"

	"chela/internal/api/call"
	"chela/internal/op"
)

// A highlightRequest shows a person, or a screenshot, which element a ref is. It is no act: it
// sends no input, and the document stays as it is, as Chromium draws the box above the page.
// The page cannot notice it, but for being scrolled.
type highlightRequest struct {
	call.On
	op.Timeout
	Ref string `json:"ref" digits:"true" doc:"element"`
}

// highlight answers when the box is drawn, with the fields of every operation on a tab alone. The
// box is removed by the next act, navigation or highlight of the tab. It returns the errors of the
// ref, and an error if the element cannot be scrolled into view.
func highlight(ctx context.Context, t *call.Turn, r highlightRequest) (call.Done, error) {
	el, err := t.Page.Element(ctx, r.Ref)
	if err != nil {
		return call.Done{}, err
	}
	return call.Done{}, el.Highlight(ctx)
}
