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

// margin is what a wait within the page leaves of a deadline, so that its answer arrives in time.
const margin = 200 * time.Millisecond

// An answer is what a function of the page script will return.
type answer[R any] struct {
	reply  *cdp.Reply[runtime.CallFunctionOnResult]
	fn     string
	world  *world
	params runtime.CallFunctionOnParams
}

// send calls a function of the page script, with objects of the page before
// plain args, and does not wait. A page that is busy until ctx has ended will
// not run it: there is nobody to tell.
func send[R any](ctx context.Context, w *world, fn string, args ...any) answer[R] {
	params := runtime.CallFunctionOnParams{
		FunctionDeclaration: "function([notAfter,...plain],...objects){if(Date.now()<notAfter)return chela." + fn + "(...objects,...plain)}",
		UniqueContextID:     w.uniqueID,
		Arguments:           arguments(end(ctx), args),
		ReturnByValue:       new(true),
		AwaitPromise:        new(true),
		Silent:              new(true),
	}
	return answer[R]{cdp.Send(w.session, runtime.CallFunctionOn, params), fn, w, params}
}

// call calls a function of the page script and waits for its answer. The page's
// functions end by themselves, so none at the deadline means a busy page.
func call[R any](ctx context.Context, w *world, fn string, args ...any) (R, error) {
	return send[R](ctx, w, fn, args...).wait(ctx)
}

func (a answer[R]) wait(ctx context.Context) (R, error) {
	var out R
	res, err := a.reply.Wait(ctx)
	if err == nil && res.ExceptionDetails != nil && strings.Contains(exceptionText(res.ExceptionDetails), "chela is not defined") {
		res, err = a.anew(ctx)
	}
	if err != nil {
		return out, fmt.Errorf("page function %s: %w", a.fn, pageError(ctx, err))
	}
	if res.ExceptionDetails != nil {
		return out, fmt.Errorf("page function %s: %s", a.fn, exceptionText(res.ExceptionDetails))
	}
	if len(res.Result.Value) == 0 {
		return out, nil
	}
	err = json.Unmarshal(res.Result.Value, &out, json.MatchCaseInsensitiveNames(true))
	return out, err
}

// anew calls again in a document whose page script was ended while it began,
// with what had kept the document before it from leaving.
func (a answer[R]) anew(ctx context.Context) (runtime.CallFunctionOnResult, error) {
	cdp.Send(a.world.session, runtime.Evaluate, runtime.EvaluateParams{Expression: pagejs.Source(), UniqueContextID: a.world.uniqueID, Silent: new(true)})
	return cdp.Call(ctx, a.world.session, runtime.CallFunctionOn, a.params)
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
// values that are empty, and the objects behind it.
func arguments(notAfter time.Time, args []any) []*runtime.CallArgument {
	plain := []any{notAfter.UnixMilli()}
	list := make([]*runtime.CallArgument, 1, 2)
	for _, arg := range args {
		if id, ok := arg.(runtime.RemoteObjectID); ok {
			list = append(list, object(id))
		} else {
			plain = append(plain, arg)
		}
	}
	list[0] = value(plain)
	return list
}

func object(id runtime.RemoteObjectID) *runtime.CallArgument {
	return &runtime.CallArgument{ObjectID: id}
}

func value(v any) *runtime.CallArgument {
	raw, err := json.Marshal(v)
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

// worldOf waits until the frame has a world of ours.
func (p *Page) worldOf(ctx context.Context, f *frame) (*world, error) {
	var w *world
	err := p.await(ctx, func() bool {
		w = f.world
		return w != nil || f.crashed
	})
	if err != nil {
		return nil, fmt.Errorf("wait for the frame's document: %w", pageError(ctx, err))
	}
	if w == nil {
		return nil, ErrCrashed
	}
	return w, nil
}

// end is when ctx ends.
func end(ctx context.Context) time.Time {
	if deadline, ok := ctx.Deadline(); ok {
		return deadline
	}
	return time.Now().Add(time.Minute)
}

// by is when a wait within the page has to end, as the page's clock counts.
func by(ctx context.Context) int64 { return end(ctx).Add(-margin).UnixMilli() }

// left is how long that is from now.
func left(ctx context.Context) time.Duration { return max(0, time.Until(end(ctx))-margin) }
