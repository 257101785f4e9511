package api

import (
	"context"

	"chela/internal/api/call"
	"chela/internal/engine/page"
	"chela/internal/op"
)

// A historyRequest goes to another entry of the tab's history, or reloads the current one.
type historyRequest struct {
	call.On
	op.Timeout
	call.Showing
}

// back goes to the previous entry of the history and answers when it has loaded. The refs of the
// page are new, as after every navigation. It returns an error if there is no previous entry.
func back(ctx context.Context, t *call.Turn, r historyRequest) (destination, error) {
	return moveInHistory(ctx, t, r.Showing, t.Page.Back)
}

// forward goes to the next entry of the history, as back goes to the previous one.
func forward(ctx context.Context, t *call.Turn, r historyRequest) (destination, error) {
	return moveInHistory(ctx, t, r.Showing, t.Page.Forward)
}

// A reloadRequest loads the page again.
type reloadRequest struct {
	call.On
	op.Timeout
	call.Showing
	Resend bool `json:"resend,omitempty" doc:"if the page is the answer to a form, send the form again, which may be a second order" tool:"-"`
	Hard   bool `json:"hard,omitempty" doc:"load the page and its resources from the network, and nothing from the cache" tool:"-"`
}

// reload loads the page again. If a form was posted to get the page, the reload would send it again.
// A browser asks its user before that; here the caller has to say so.
func reload(ctx context.Context, t *call.Turn, r reloadRequest) (destination, error) {
	if t.Page.Posted() && !r.Resend {
		return destination{}, op.Errorf(op.Conflict, "the page is the answer to a form, and a reload would send the form again").
			Hinted("navigate to its address, which sends no form, or reload with resend")
	}
	return moveInHistory(ctx, t, r.Showing, func(ctx context.Context) error { return t.Page.Reload(ctx, r.Hard) })
}

// moveInHistory runs a navigation that names no address, and makes its answer. The status belongs
// to the new document. There is none if the document stayed, as for entries of pushState. It
// returns [page.ErrNoHistory] and the errors of every navigation.
func moveInHistory(ctx context.Context, t *call.Turn, s call.Showing, navigate func(context.Context) error) (destination, error) {
	return navigateAndShow(ctx, t, s, func(ctx context.Context) (destination, error) {
		return navigateTo(ctx, t, "the page", func(ctx context.Context) (page.Arrival, error) {
			visits := t.Page.Visits()
			err := navigate(ctx)
			return t.Page.ArrivalSince(visits), err
		})
	})
}
