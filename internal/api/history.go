package api

import (
	"context"
	"errors"

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
	Resend bool `json:"resend,omitempty" doc:"if the page is the answer to a form, send the form again, which may be a second order" tool:"+"`
	Hard   bool `json:"hard,omitempty" doc:"load the page and its resources from the network, and nothing from the cache" tool:"-"`
}

// reload loads the page again. If a form was posted to get the page, the reload would send it again.
// A browser asks its user before that; here the caller has to say so. If the form was sent, and no
// page has come in time, the error must not lead the caller to send it once more.
func reload(ctx context.Context, t *call.Turn, r reloadRequest) (destination, error) {
	how := page.Reloading{Hard: r.Hard, Resend: r.Resend}
	posts := false
	d, err := moveInHistory(ctx, t, r.Showing, func(ctx context.Context) (err error) {
		if r.Resend {
			if posts, err = t.Page.Posted(ctx); err != nil {
				return err
			}
		}
		return t.Page.Reload(ctx, how)
	})
	if slow, ok := errors.AsType[*op.Error](err); ok && posts && slow.Code == op.Deadline {
		err = call.AfterInput(slow.Hinted("the form was sent again: see what it has done before you send it once more"))
	}
	return d, err
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
