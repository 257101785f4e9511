package api

import (
	"context"

	"chela/internal/api/call"
	"chela/internal/engine/page"
	"chela/internal/engine/setting"
	"chela/internal/op"
)

// enterSecret enters the secret of a name in an element; if el is nil, in what has the focus. If the
// page changes the value, it returns a note that says so. No answer has what the field holds.
func enterSecret(ctx context.Context, t *call.Turn, el *page.Element, name string) (note string, err error) {
	if el == nil {
		if el, err = t.Page.Focused(ctx); err != nil {
			return "", err
		}
	}
	differs, err := t.EnterSecret(ctx, name, el)
	if differs {
		note = "the field holds something else than the secret: the page has changed or shortened it"
	}
	return note, err
}

// keepSecrets reads the secrets that the texts of a setting name, as secret:NAME, so that their
// values can be sent to the origins. Each secret must be allowed for all the origins. The setting
// itself keeps the texts, not the values.
func keepSecrets(ctx context.Context, t *call.Turn, origins []setting.Origin, texts ...string) error {
	for _, text := range texts {
		name, ok := op.Sealed(text).Secret()
		if !ok {
			continue
		}
		for _, origin := range origins {
			if origin == setting.AnyOrigin || origin.IsFirst() {
				return op.Errorf(op.SecretPlace, "a secret is sent to the origins that it is for, and not to any").Hinted("name the origins")
			}
			if err := t.Service.KeepSecret(ctx, name, string(origin), t.Tab); err != nil {
				return err
			}
		}
	}
	return nil
}
