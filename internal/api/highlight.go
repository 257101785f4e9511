package api

import (
	"context"

	"chela/internal/op"
)

// A highlightRequest shows a person, or a screenshot, which element a ref is.
type highlightRequest struct {
	On
	op.Timeout
	Ref string `json:"ref" doc:"element"`
}

// highlight answers when the box is drawn, with the fields of every operation on a tab alone.
func highlight(ctx context.Context, t *Turn, r highlightRequest) (noResult, error) {
	el, err := t.page.Element(ctx, r.Ref)
	if err != nil {
		return noResult{}, err
	}
	return noResult{}, el.Highlight(ctx)
}
