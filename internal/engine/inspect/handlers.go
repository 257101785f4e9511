package inspect

import (
	"context"
	"errors"

	"github.com/chromedp/cdproto/runtime"

	"chela/internal/engine/cdp"
	"chela/internal/engine/frame"
	"chela/internal/reading/pagejs"
)

// maxHandlers limits the bytes of the reply of handlers.js. It runs in the page's world, and the page may have
// replaced what it calls. A longer reply counts as if nothing had changed, with a note.
const maxHandlers = 8 << 20

// askHandlers asks for the event handlers that frameworks, such as React, keep for elements in data
// of their own. Frameworks listen for events on one root element and find the handler themselves,
// so Chromium lists only the listeners of that root. The handlers are in properties of the
// elements, which only scripts of the main world see: see handlers.js. A page without listeners has
// no framework, and is not asked.
func (q *ListenerQuery) askHandlers() {
	if len(q.known.types) == 0 && !q.known.framework || q.handlers != nil {
		return
	}
	q.handlers = cdp.SendWithin(q.world.Session, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
		FunctionDeclaration: pagejs.Handlers, UniqueContextID: q.main.UniqueID,
		Arguments: []*runtime.CallArgument{frame.Value(q.known.framework)}, ReturnByValue: new(true), Silent: new(true),
	}, maxHandlers)
}

// AskHandlersAgain asks for the handlers again, for [ListenerQuery.Collect]. The elements of the page
// may have changed since they were asked for.
func (q *ListenerQuery) AskHandlersAgain() {
	if q.main != nil {
		q.askHandlers()
	}
}

// collectHandlers waits for the handlers, and sends them to the page script. If they are the same as
// before, it sends null, and the page script applies them to the elements that the document has now.
// It reports whether they have changed. It does not wait until the script has them: later commands
// run after this one.
func (q *ListenerQuery) collectHandlers(ctx context.Context) (changed bool, err error) {
	if q.handlers == nil {
		return false, nil
	}
	res, err := q.handlers.Wait(ctx)
	if _, large := errors.AsType[*cdp.LargeError](err); large {
		q.handlers, q.lacks = nil, true
		return false, nil
	}
	if err != nil {
		return false, frame.Failure(ctx, err)
	}
	q.handlers = nil
	now := string(res.Result.Value)
	if res.ExceptionDetails != nil || now == "null" || now == "" {
		return false, nil
	}
	var answer any // nil, which is null in the page: the same as before
	if changed = now != q.known.handlers; changed {
		answer, q.known.handlers = res.Result.Value, now
	}
	frame.Send[struct{}](ctx, q.world, "setHandlers", answer)
	return changed, nil
}
