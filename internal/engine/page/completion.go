package page

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/chromedp/cdproto/runtime"

	"chela/internal/engine/cdp"
	"chela/internal/engine/frame"
)

// Complete runs a script of the caller in the main world, where scripts of the page run, like the
// console of the developer tools. It returns the completion value of the expression or the last
// statement. A promise is awaited, and a function is called. A script with a return statement runs
// as the body of a function. The result is JSON, nil for undefined. Errors are the same as for
// [Page.Evaluate].
func (p *Page) Complete(ctx context.Context, script string) (json.RawMessage, error) {
	if err := p.AwaitAnswer(ctx); err != nil { // a script sent to a busy page would run after its caller has got an error
		return nil, frame.Failure(ctx, err)
	}
	raw, err := p.complete(ctx, p.scriptWorld(), script)
	if err != nil {
		endScript(ctx, p.session)
	}
	return raw, scriptFailure(ctx, err)
}

// scriptWorld returns the main frame's main world, where scripts of the page run. If the page
// forbids all scripts, there is no main world, and the result is the isolated world of the page
// script.
func (p *Page) scriptWorld() *frame.World {
	p.mu.Lock()
	defer p.mu.Unlock()
	if w := p.main().MainWorld; w != nil {
		return w
	}
	return p.main().World
}

// complete runs the script of [Page.Complete] in the world w. If w is nil, because the document has
// just gone, the error is frame.ErrGone.
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
		return nil, largeResultError(large)
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
		return jsonOf(res.Result), nil
	}
	return callFunction(ctx, w, calledOrItself, frame.Object(res.Result.ObjectID))
}

// completeBody runs a script that cannot be parsed by itself as the body of a function. If it
// cannot be parsed as a body either, completeBody returns the error of the first attempt, which is
// the parameter otherwise.
func (p *Page) completeBody(ctx context.Context, w *frame.World, script string, otherwise error) (json.RawMessage, error) {
	raw, err := callFunction(ctx, w, bodySource(script))
	if e, ok := errors.AsType[*ScriptError](err); ok && e.Syntax {
		return nil, otherwise
	}
	return raw, err
}

// calledOrItself is the source of a JavaScript function that calls its argument if that is a
// function, and otherwise returns the argument.
var calledOrItself = functionSource("return typeof el === 'function' ? el() : el;")

// completionGroup is the object group of completion values, until they are released.
const completionGroup = "chela-completion"

func releaseCompletion(s *cdp.Session) {
	cdp.Send(s, runtime.ReleaseObjectGroup, runtime.ReleaseObjectGroupParams{ObjectGroup: completionGroup})
}
