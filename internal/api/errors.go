package api

import (
	"context"
	"errors"
	"syscall"

	"chela/internal/cdp"
	"chela/internal/op"
	"chela/internal/page"
)

// explain gives a failure of the floors below its text, code and hint. An
// [op.Error] is one already; that its input was sent is added to it. What is not
// known here is returned as it is, and reaches the caller as internal.
func explain(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*op.Error](err); ok {
		marked := *e
		marked.Sent = e.Sent || errors.Is(err, page.ErrSent)
		return &marked
	}
	load, failed := errors.AsType[*page.LoadError](err)
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return op.Errorf(op.NoSpace, "the disk is full: %v", err).Hinted("free some space, then call again")
	case failed:
		return op.Errorf(op.PageFailed, "navigation failed: %s at %s", load.Text, load.URL).Hinted("%s", loadHint(load.Text))
	case errors.Is(err, page.ErrCrashed):
		return op.Errorf(op.TabCrashed, "the tab crashed").Hinted("the next call opens it again; refs are stale")
	case errors.Is(err, page.ErrReplaced):
		return op.Errorf(op.PageFailed, "the page went elsewhere during the call").Hinted("try again: another page is there now")
	case errors.Is(err, page.ErrClosed):
		return op.Errorf(op.TabClosed, "the tab was closed").Hinted("list the tabs")
	case errors.Is(err, cdp.ErrClosed):
		return op.Errorf(op.BrowserLost, "the browser ended during the call").Hinted("call again: it is started anew; take a new snapshot before acting")
	case errors.Is(err, page.ErrSent):
		e := op.Errorf(op.PageBusy, "the page took the input, but did not answer in time: its script is busy").
			Hinted("take a snapshot to see what came of it before you act again")
		e.Sent = true
		return e
	case errors.Is(err, page.ErrBusy):
		return op.Errorf(op.PageBusy, "the page did not answer in time: its script is busy").Hinted("wait and try again, or navigate away or close the tab: that ends the script")
	case errors.Is(err, page.ErrOccupied):
		return op.Errorf(op.Deadline, "not done in time: other calls were at work on the tab until the deadline").Hinted("try again, with a larger timeoutMs if they take long")
	case errors.Is(err, op.ErrDeadline), errors.Is(err, context.DeadlineExceeded):
		return op.Errorf(op.Deadline, "not done in time").Hinted("try again with a larger timeoutMs")
	case errors.Is(err, context.Canceled):
		return op.Errorf(op.Canceled, "the call was canceled")
	}
	return err
}

func loadHint(text string) string {
	switch text {
	case "net::ERR_CONNECTION_REFUSED":
		return "nothing listens there: check the address and the port"
	case "net::ERR_NAME_NOT_RESOLVED":
		return "there is no such host: check the address"
	case "net::ERR_ABORTED":
		return "the server sent no page: a download, or nothing"
	}
	return "check the address, and that the server is up"
}
