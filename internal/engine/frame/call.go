package frame

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/chromedp/cdproto/runtime"
	"github.com/go-json-experiment/json"

	"chela/internal/engine/cdp"
	"chela/internal/reading/pagejs"
)

// An Answer is the pending result of a function of the page script.
type Answer[R any] struct {
	World *World // that was asked

	reply *cdp.Reply[runtime.CallFunctionOnResult]
	fn    string
	args  []any
}

// Send calls a function of the page script and does not wait. Objects of the page among the args (a
// [runtime.RemoteObjectID]) are passed before the others. Each [time.Time] is passed as the
// document's clock shows it then, in milliseconds.
//
// The page may take the call long after ctx has ended and our caller has its answer. Nothing may
// happen in the page then. So the call carries its deadline, and the document does not run the
// function after that. Only the first call in a document has no such limit, as the document's clock
// is not known yet.
//
// So the first call must never change the page. A call that changes it needs a ref, which an answer
// of the document has brought. Or it is sent after a function that changes nothing has answered.
func Send[R any](ctx context.Context, w *World, fn string, args ...any) Answer[R] {
	var notAfter any
	if w.Clock.known() {
		notAfter = Deadline(ctx)
	}
	reply := cdp.Send(w.Session, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
		FunctionDeclaration: "function([fn,notAfter,base,...plain],...objects){return chela.run(fn,notAfter,base,[...objects,...plain])}",
		UniqueContextID:     w.UniqueID,
		Arguments:           arguments(w.Clock, append([]any{fn, notAfter, w.base.Load()}, args...)),
		ReturnByValue:       new(true),
		AwaitPromise:        new(true),
		Silent:              new(true),
	})
	return Answer[R]{w, reply, fn, args}
}

// Call calls a function of the page script and waits for its answer. Functions that wait in the
// page end by themselves before the deadline of ctx. A page that has not answered by then is busy:
// [ErrBusy]. [ErrGone] says that the document was replaced. What the function threw is an error
// with its text. What ended ctx or the session is returned as it is.
func Call[R any](ctx context.Context, w *World, fn string, args ...any) (R, error) {
	return Send[R](ctx, w, fn, args...).Wait(ctx)
}

// Done is closed when the page has answered, or never will.
func (a Answer[R]) Done() <-chan struct{} { return a.reply.Done() }

// Wait returns what the function answered, and the same errors as [Call].
//
// A page that took the call after its deadline has not run the function. That is ErrBusy, never a
// zero value. But if our clock says that there is time left, we had read the document's clock
// wrong. The answer brought the right time, and the call is sent again.
func (a Answer[R]) Wait(ctx context.Context) (R, error) {
	for {
		out, err := a.waitOnce(ctx)
		late := errors.Is(err, errLate)
		switch {
		case err == nil:
			return out, nil
		case late && Expired(ctx):
			return out, fmt.Errorf("page function %s: %w: %w", a.fn, ErrBusy, err)
		case !late:
			return out, fmt.Errorf("page function %s: %w", a.fn, err)
		}
		a = a.sendAgain(ctx)
	}
}

// errLate says that the page took a call after its deadline, and did not run it.
var errLate = errors.New("the call came too late")

// waitOnce returns what the function answered to one call. If a document has no page script, it
// provides it and calls again.
func (a Answer[R]) waitOnce(ctx context.Context) (R, error) {
	res, err := a.reply.Wait(ctx)
	if err == nil && scriptMissing(res) {
		a.World.provide(pagejs.Source())
		res, err = a.sendAgain(ctx).reply.Wait(ctx)
	}
	if err != nil {
		var none R
		return none, Failure(ctx, err)
	}
	return readAnswer[R](res, a.World.Clock, time.Now())
}

func (a Answer[R]) sendAgain(ctx context.Context) Answer[R] {
	return Send[R](ctx, a.World, a.fn, a.args...)
}

// scriptMissing reports whether a document has no page script. Chromium runs it when the document
// begins. If a script of the page kept the earlier document from leaving and was terminated, ours
// can end with it. Without it, the global variable chela may be an element of the page with that
// id.
func scriptMissing(res runtime.CallFunctionOnResult) bool {
	if res.ExceptionDetails == nil {
		return false
	}
	text := ExceptionText(res.ExceptionDetails)
	return strings.Contains(text, "chela is not defined") || strings.Contains(text, "chela.run is not a function")
}

// readAnswer reads what chela.run answered in the page, and the document's clock from it.
func readAnswer[R any](res runtime.CallFunctionOnResult, c *Clock, arrival time.Time) (R, error) {
	var out struct {
		Late  bool
		Now   float64
		Value R
	}
	var none R
	if res.ExceptionDetails != nil {
		return none, errors.New(ExceptionText(res.ExceptionDetails))
	}
	if err := json.Unmarshal(res.Result.Value, &out, json.MatchCaseInsensitiveNames(true)); err != nil {
		return none, err
	}
	c.Read(arrival, out.Now)
	if out.Late {
		return none, errLate
	}
	return out.Value, nil
}

// arguments puts the plain values into one, as the protocol's types leave out values that are
// empty, and the objects after it.
func arguments(c *Clock, args []any) []*runtime.CallArgument {
	list := make([]*runtime.CallArgument, 1, 2)
	var plain []any
	for _, arg := range args {
		if id, ok := arg.(runtime.RemoteObjectID); ok {
			list = append(list, Object(id))
		} else {
			plain = append(plain, asArgument(c, arg))
		}
	}
	list[0] = Value(plain)
	return list
}

// asArgument returns an argument as it is passed. A time, even one among options, becomes what the
// document's clock shows then. A JSON marshaler for times would do the same everywhere. But the
// json package would prepare it anew for each call and type, which took a quarter of the time of a
// call.
func asArgument(c *Clock, arg any) any {
	switch arg := arg.(type) {
	case time.Time:
		return c.At(arg)
	case map[string]any:
		options := make(map[string]any, len(arg))
		for name, value := range arg {
			options[name] = asArgument(c, value)
		}
		return options
	}
	return arg
}

// Object is an object of the page as an argument of a function there.
func Object(id runtime.RemoteObjectID) *runtime.CallArgument {
	return &runtime.CallArgument{ObjectID: id}
}

// Value is a value as an argument of a function in the page. It panics for a value that JSON cannot
// represent.
func Value(v any) *runtime.CallArgument {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("frame: an argument is not JSON: %v", err))
	}
	return &runtime.CallArgument{Value: raw}
}

// Deadline returns the deadline of ctx; in a minute if it has none.
func Deadline(ctx context.Context) time.Time {
	if deadline, ok := ctx.Deadline(); ok {
		return deadline
	}
	return time.Now().Add(time.Minute)
}

// Expired reports whether ctx has ended, or its deadline has passed and the timer that ends it has
// yet to run.
func Expired(ctx context.Context) bool { return ctx.Err() != nil || !time.Now().Before(Deadline(ctx)) }
