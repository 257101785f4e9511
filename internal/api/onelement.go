package api

import (
	"context"
	"slices"

	"chela/internal/api/call"
	"chela/internal/engine/page"
	"chela/internal/op"
)

// onRef is a request about one element.
type onRef struct {
	call.Acting
	Ref string `json:"ref" digits:"true" doc:"ref of the element, from a snapshot" tool:"from a snapshot: e12"`
}

// requires returns an error with OpenClaw's text (the parameter what) unless all conditions are
// true. It is for missing parameters of acts.
func requires(what string, given ...bool) error {
	if slices.Contains(given, false) {
		return op.Errorf(op.ActInvalid, "%s", what)
	}
	return nil
}

// requiresRef returns the error for a missing ref. OpenClaw's text also mentions selectors, which
// chela refuses.
func requiresRef(kind, ref string) error {
	if ref != "" {
		return nil
	}
	return op.Errorf(op.ActInvalid, "%s requires ref or selector", kind).
		Hinted("take a snapshot and give a ref from it: CSS selectors are not taken here")
}

// actOn acts on the element of a ref, and waits for the effects. If the ref is unknown or stale, it
// returns the error of [page.Page.Element] before any input is sent.
func actOn(ctx context.Context, t *call.Turn, ref string, do func(context.Context, *page.Element) error) (call.Done, error) {
	return call.Done{}, t.Page.Act(ctx, func(ctx context.Context) error {
		el, err := t.Page.Element(ctx, ref)
		if err != nil {
			return err
		}
		return do(ctx, el)
	})
}
