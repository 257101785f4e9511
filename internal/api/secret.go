package api

import (
	"context"

	"chela/internal/api/call"
	"chela/internal/engine/page"
)

// enterSecret enters the secret of a name in the element of a ref; without a ref, in what has the
// focus. If the page has made something else of the value, it returns a note that says so. What the
// field holds is in no answer.
func enterSecret(ctx context.Context, t *call.Turn, ref, name string) (note string, err error) {
	el, err := elementOrFocus(ctx, t, ref)
	if err != nil {
		return "", err
	}
	differs, err := t.EnterSecret(ctx, name, el)
	if differs {
		note = "the field holds something else than the secret: the page has changed or shortened it"
	}
	return note, err
}

func elementOrFocus(ctx context.Context, t *call.Turn, ref string) (*page.Element, error) {
	if ref == "" {
		return t.Page.Focused(ctx)
	}
	return t.Page.Element(ctx, ref)
}
