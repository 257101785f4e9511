package page

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/chromedp/cdproto/runtime"
	"github.com/go-json-experiment/json"

	"chela/internal/cdp"
	"chela/internal/pagejs"
)

// errWorldGone says that the document a call was for has been replaced.
var errWorldGone = errors.New("the document has gone")

// An answer is what a function of the page script will return.
type answer[R any] struct {
	reply *cdp.Reply[runtime.CallFunctionOnResult]
	world *world
	fn    string
	args  []any
}

// send calls a function of the page script and does not wait. Objects of the
// page among the args are passed before the others, and times as the document
// counts them. A page that takes the call after ctx has ended does not run the
// function.
//
// The first call in a document has no such limit, as the document's clock is not
// known yet. What changes a page is never the first: it needs a ref, which an
// answer of the document has brought, or begins with awake.
func send[R any](ctx context.Context, w *world, fn string, args ...any) answer[R] {
	var notAfter any
	if w.clock.known() {
		notAfter = deadline(ctx)
	}
	return answer[R]{cdp.Send(w.session, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
		FunctionDeclaration: "function([fn,notAfter,...plain],...objects){return chela.run(fn,notAfter,[...objects,...plain])}",
		UniqueContextID:     w.uniqueID,
		Arguments:           arguments(w.clock, append([]any{fn, notAfter}, args...)),
		ReturnByValue:       new(true),
		AwaitPromise:        new(true),
		Silent:              new(true),
	}), w, fn, args}
}

// call calls a function of the page script and waits for its answer. The page's
// functions end by themselves, so none at the deadline means a busy page.
func call[R any](ctx context.Context, w *world, fn string, args ...any) (R, error) {
	return send[R](ctx, w, fn, args...).wait(ctx)
}

// wait returns what the function answered. That the call came too late is
// ErrBusy, however the reply and the end of ctx met here. If by our clock there
// is time left, the document's had been read wrong: the answer brought it, and
// the call is sent again.
func (a answer[R]) wait(ctx context.Context) (R, error) {
	for {
		var none R
		res, err := a.reply.Wait(ctx)
		if err == nil && scriptMissing(res) {
			cdp.Send(a.world.session, runtime.Evaluate, runtime.EvaluateParams{Expression: pagejs.Source(), UniqueContextID: a.world.uniqueID, Silent: new(true)})
			a = a.again(ctx)
			res, err = a.reply.Wait(ctx)
		}
		if err != nil {
			return none, fmt.Errorf("page function %s: %w", a.fn, pageError(ctx, err))
		}
		out, err := answered[R](res, a.world.clock, time.Now())
		switch {
		case !errors.Is(err, errLate) && err != nil:
			return none, fmt.Errorf("page function %s: %w", a.fn, err)
		case err == nil:
			return out, nil
		case expired(ctx):
			return none, fmt.Errorf("page function %s: %w: %w", a.fn, ErrBusy, err)
		}
		a = a.again(ctx)
	}
}

func (a answer[R]) again(ctx context.Context) answer[R] {
	return send[R](ctx, a.world, a.fn, a.args...)
}

// errLate says that the page took a call after its deadline, and did not do it.
var errLate = errors.New("the call came too late")

// answered reads what run answered in the page, and the document's clock from it.
func answered[R any](res runtime.CallFunctionOnResult, c *clock, arrival time.Time) (R, error) {
	var out struct {
		Late  bool
		Now   float64
		Value R
	}
	var none R
	if res.ExceptionDetails != nil {
		return none, errors.New(exceptionText(res.ExceptionDetails))
	}
	if err := json.Unmarshal(res.Result.Value, &out, json.MatchCaseInsensitiveNames(true)); err != nil {
		return none, err
	}
	c.readAt(arrival, out.Now)
	if out.Late {
		return none, errLate
	}
	return out.Value, nil
}

// scriptMissing reports whether a document has no page script: it was ended
// while it began, with a script that had kept the document before from leaving.
func scriptMissing(res runtime.CallFunctionOnResult) bool {
	return res.ExceptionDetails != nil && strings.Contains(exceptionText(res.ExceptionDetails), "chela is not defined")
}

// pageError says what a failed call to the page means.
func pageError(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if ctx.Err() != nil && errors.Is(context.Cause(ctx), err) {
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return fmt.Errorf("%w: %w", ErrBusy, err)
		}
		return err
	}
	if e, ok := errors.AsType[*cdp.Error](err); ok && documentGone(e.Message) {
		return fmt.Errorf("%w: %w", errWorldGone, err)
	}
	if errors.Is(err, cdp.ErrDetached) {
		return fmt.Errorf("%w: %w", errWorldGone, err)
	}
	return err
}

// documentGone reports whether Chromium's message means that a script context ended.
func documentGone(message string) bool {
	for _, sign := range []string{"context", "ContextId", "navigated or closed", "Not attached to an active page", "Promise was collected", "find object with given id"} {
		if strings.Contains(message, sign) {
			return true
		}
	}
	return false
}

// arguments puts the plain values into one, as the protocol's types leave out
// values that are empty, and the objects behind it. A time becomes what the
// document's clock shows then.
func arguments(c *clock, args []any) []*runtime.CallArgument {
	list := make([]*runtime.CallArgument, 1, 2)
	var plain []any
	for _, arg := range args {
		if id, ok := arg.(runtime.RemoteObjectID); ok {
			list = append(list, object(id))
		} else {
			plain = append(plain, arg)
		}
	}
	inPage := func(t time.Time) ([]byte, error) { return json.Marshal(c.at(t)) }
	list[0] = value(plain, json.WithMarshalers(json.MarshalFunc(inPage)))
	return list
}

func object(id runtime.RemoteObjectID) *runtime.CallArgument {
	return &runtime.CallArgument{ObjectID: id}
}

func value(v any, o ...json.Options) *runtime.CallArgument {
	raw, err := json.Marshal(v, o...)
	if err != nil {
		panic(fmt.Sprintf("page: an argument is not JSON: %v", err))
	}
	return &runtime.CallArgument{Value: raw}
}

func exceptionText(d *runtime.ExceptionDetails) string {
	if d.Exception != nil && d.Exception.Description != "" {
		return d.Exception.Description
	}
	if d.Exception != nil && len(d.Exception.Value) > 0 {
		return d.Text + " " + string(d.Exception.Value)
	}
	return d.Text
}
