package page

import (
	"context"

	"github.com/chromedp/cdproto/runtime"

	"chela/internal/cdp"
	"chela/internal/frame"
	"chela/internal/pagejs"
)

// askHandlers asks the page's own world for what its frameworks call for which
// elements: they listen on one root, so that the browser knows of that one only.
// A page that listens for nothing has no framework.
func (q *question) askHandlers() {
	heard := q.heard
	if len(heard.known) == 0 && !heard.rooted || q.handlers != nil {
		return
	}
	q.handlers = cdp.Send(q.to.Session, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
		FunctionDeclaration: pagejs.Handlers, UniqueContextID: q.page.UniqueID,
		Arguments: []*runtime.CallArgument{frame.Value(heard.rooted)}, ReturnByValue: new(true), Silent: new(true),
	})
}

// handlersHeard has the page script know the answer, before anything that is sent
// to it later. It reports whether it is another than the last.
func (q *question) handlersHeard(ctx context.Context) (bool, error) {
	if q.handlers == nil {
		return false, nil
	}
	res, err := q.handlers.Wait(ctx)
	if err != nil {
		return false, frame.Failure(ctx, err)
	}
	q.handlers = nil
	now := string(res.Result.Value)
	if res.ExceptionDetails != nil || now == "null" || now == "" || now == q.heard.handlers {
		return false, nil
	}
	q.heard.handlers = now
	frame.Send[struct{}](ctx, q.to, "handles", res.Result.Value)
	return true, nil
}
