package api

import (
	"context"

	"chela/internal/engine/page"
	"chela/internal/op"
)

// A historyRequest goes through what the tab has shown.
type historyRequest struct {
	On
	op.Timeout
	showing
}

// back answers when the page before has loaded; its refs are new, as after every
// navigation.
func back(ctx context.Context, t *Turn, r historyRequest) (destination, error) {
	return t.again(ctx, r.showing, t.page.Back)
}

// forward is an error if there is nothing to go forward to, as back is.
func forward(ctx context.Context, t *Turn, r historyRequest) (destination, error) {
	return t.again(ctx, r.showing, t.page.Forward)
}

// A reloadRequest loads the page again.
type reloadRequest struct {
	On
	op.Timeout
	showing
	Hard bool `json:"hard,omitempty" doc:"take nothing from the cache, neither the page nor what belongs to it" tool:"-"`
}

// reload sends a form again that was posted to get the page. A browser asks its user
// before that; here the caller has ordered the reload.
func reload(ctx context.Context, t *Turn, r reloadRequest) (destination, error) {
	return t.again(ctx, r.showing, func(ctx context.Context) error { return t.page.Reload(ctx, r.Hard) })
}

// again answers for navigations that name no address, with what they came to. The status belongs to
// the document that has come since; there is none where the document stayed, as after pushState. It
// returns [page.ErrNoHistory] and the errors of every navigation.
func (t *Turn) again(ctx context.Context, s showing, navigate func(context.Context) error) (destination, error) {
	return t.shown(ctx, s, func(ctx context.Context) (destination, error) {
		return t.reach(ctx, "the page", func(ctx context.Context) (page.Arrival, error) {
			visits := t.page.Visits()
			err := navigate(ctx)
			return t.page.ArrivalSince(visits), err
		})
	})
}
