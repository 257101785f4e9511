package page

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/chromedp/cdproto/runtime"

	"chela/internal/engine/cdp"
	"chela/internal/engine/frame"
)

// Complete runs a script of the caller in the page's own world, as the console of a browser's
// developer tools does, and returns its completion value: that of an expression, or of the last
// statement. A promise is awaited, and a function is called. A script that returns a value, as
// the body of a function does, is one. The result is JSON, nil for undefined. Errors are those
// of [Page.Evaluate].
func (p *Page) Complete(ctx context.Context, script string) (json.RawMessage, error) {
	if err := p.AwaitAnswer(ctx); err != nil { // a script that ran later would do so when its caller has long been answered
		return nil, frame.Failure(ctx, err)
	}
	raw, err := p.complete(ctx, p.scripted(), script)
	if err != nil {
		endScript(ctx, p.session)
	}
	return raw, scriptEnd(ctx, err)
}

// scripted is the main frame's own world or, where the page forbids scripts altogether and so
// has none, that of the page script.
func (p *Page) scripted() *frame.World {
	p.mu.Lock()
	defer p.mu.Unlock()
	if w := p.main().MainWorld; w != nil {
		return w
	}
	return p.main().World
}

// complete is Complete in a world; nil if the document has just gone.
func (p *Page) complete(ctx context.Context, w *frame.World, script string) (json.RawMessage, error) {
	if w == nil {
		return nil, frame.ErrGone
	}
	defer releaseCompletion(w.Session)
	res, err := cdp.CallWithin(ctx, w.Session, runtime.Evaluate, runtime.EvaluateParams{
		Expression: script, UniqueContextID: w.UniqueID, ObjectGroup: completionGroup,
		AwaitPromise: new(true), UserGesture: new(true), ReplMode: new(true),
	}, maxResult)
	if large, ok := errors.AsType[*cdp.LargeError](err); ok {
		return nil, beginningOf(large)
	}
	if err != nil {
		return nil, frame.Failure(ctx, err)
	}
	if d := res.ExceptionDetails; d != nil {
		err := scriptError(d)
		if e, ok := errors.AsType[*ScriptError](err); ok && e.Syntax {
			return p.completeBody(ctx, w, script, err)
		}
		return nil, err
	}
	if res.Result.ObjectID == "" {
		return result(res.Result), nil
	}
	return call(ctx, w, calledOrItself, frame.Object(res.Result.ObjectID))
}

// completeBody runs a script that cannot be parsed by itself as the body of a function. The error
// is otherwise if that is no body either.
func (p *Page) completeBody(ctx context.Context, w *frame.World, script string, otherwise error) (json.RawMessage, error) {
	raw, err := call(ctx, w, body(script))
	if e, ok := errors.AsType[*ScriptError](err); ok && e.Syntax {
		return nil, otherwise
	}
	return raw, err
}

// calledOrItself is a function that calls what it is given, if that is a function.
var calledOrItself = answering("return typeof el === 'function' ? el() : el;")

// completionGroup names the objects that are completion values, until they are released.
const completionGroup = "chela-completion"

func releaseCompletion(s *cdp.Session) {
	cdp.Send(s, runtime.ReleaseObjectGroup, runtime.ReleaseObjectGroupParams{ObjectGroup: completionGroup})
}
