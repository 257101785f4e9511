package call

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"chela/internal/engine/page"
	"chela/internal/op"
)

// Reached says what was unusual about the way to a document.
type Reached struct {
	StatusText string `json:"statusText,omitempty" doc:"the HTTP status in words, unless it is a success: 404 Not Found"`
	Hint       string `json:"hint,omitempty" doc:"what to do about the status, or about a failure to load"`
}

// ReachedBy describes an arrival.
func ReachedBy(a page.Arrival) (r Reached) {
	if success := a.Status >= 200 && a.Status < 300; a.Status != 0 && !success {
		r.StatusText = strings.TrimSpace(fmt.Sprint(a.Status, " ", http.StatusText(a.Status)))
	}
	if a.WantsLogin {
		again := "navigate again"
		if a.Posted {
			again = "reload with resend, which sends the form again"
		}
		r.Hint = "give the name and password that the server wants with chela set credentials, then " + again
	}
	return r
}

// Kept explains the error of a navigation that the page has prevented. The page has asked whether to
// leave it (beforeunload), and the answer was to stay. Chromium only reports that the navigation was
// cancelled. Other errors stay as they are.
func (t *Turn) Kept(err error) error {
	if failed, ok := errors.AsType[*page.LoadError](err); !ok || failed.Text != "net::ERR_ABORTED" {
		return err
	}
	for _, d := range t.Page.Dialogs().Recent {
		if d.Type == "beforeunload" && !d.Accepted && d.ClosedAt.After(t.began) {
			return op.Errorf(op.Conflict, "the tab stayed: its page asked whether to leave it (beforeunload), and the answer was to dismiss that (%s)", d.ClosedBy).
				Hinted("navigate again, and accept the dialog")
		}
	}
	return err
}

// loadFailure explains why a page shows Chromium's error page; nil if it does not.
func loadFailure(ctx context.Context, p *page.Page) *op.Error {
	failed, ok := errors.AsType[*page.LoadError](p.LoadFailed(ctx))
	if !ok {
		return nil
	}
	return op.AsError(Explain(failed))
}
