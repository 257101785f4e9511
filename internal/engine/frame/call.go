package frame

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/chromedp/cdproto/runtime"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"chela/internal/engine/cdp"
)

// An Answer is the pending result of a call of a function of the page script.
type Answer[R any] struct {
	World *World // the world in which the function was called

	reply *cdp.Reply[runtime.CallFunctionOnResult]
	first any // see World.RunFirst
	fn    string
	args  []any
}

// Send calls a function of the page script and does not wait for the answer. Objects of the page
// among the args (a [runtime.RemoteObjectID]) are passed before the others. Each [time.Time] is
// passed as milliseconds on the document's clock.
//
// A busy page may run the call long after ctx has ended. The caller has got an error by then, so
// the page must not change any more. Therefore the call carries its deadline, and chela.run in the
// page does not run the function after that. Only the first call in a document has no deadline,
// because the document's clock is not known yet.
//
// So the first call in a document must never change the page. A call that changes the page comes
// later. It needs a ref from an earlier answer of the document, or waits for the answer of a
// function that changes nothing.
func Send[R any](ctx context.Context, w *World, fn string, args ...any) Answer[R] {
	return send[R](ctx, w, w.takeFirst(), fn, args)
}

func send[R any](ctx context.Context, w *World, first any, fn string, args []any) Answer[R] {
	var notAfter any
	if w.Clock.known() {
		notAfter = Deadline(ctx)
	}
	reply := cdp.Send(w.Session, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
		FunctionDeclaration: "function([fn,notAfter,base,carry,subject,first,...plain],...objects){return chela.run(fn,notAfter,base,carry,subject,first,[...objects,...plain])}",
		UniqueContextID:     w.UniqueID,
		Arguments:           arguments(w.Clock, append([]any{fn, notAfter, w.base.Load(), carriesRefs(ctx), subjectOf(ctx), first}, args...)),
		ReturnByValue:       new(true),
		AwaitPromise:        new(true),
		Silent:              new(true),
	})
	return Answer[R]{w, reply, first, fn, args}
}

// Call calls a function of the page script and waits for its answer. Functions that wait in the
// page end by themselves before the deadline of ctx. If the page has not answered by then, the
// error is [ErrBusy]. If the document was replaced, it is [ErrGone]. An exception of the function
// is an error with its text. Other errors are the cause of ctx, or why the session ended.
func Call[R any](ctx context.Context, w *World, fn string, args ...any) (R, error) {
	return Send[R](ctx, w, fn, args...).Wait(ctx)
}

// Done returns a channel that is closed when the page has answered, or never will.
func (a Answer[R]) Done() <-chan struct{} { return a.reply.Done() }

// Wait returns the function's answer. Errors are the same as for [Call].
//
// If the page got the call after the deadline, it has not run the function, and Wait returns
// ErrBusy. But if time is left by our clock, the conversion to the document's clock was wrong. The
// answer has brought the right time, so the call is sent again.
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

// errLate says that the page got a call after its deadline, and did not run it. Or the function ended
// itself, since its time was over before it changed anything: see TOO_LATE in run.js.
var errLate = errors.New("the call came too late")

// waitOnce waits for the answer to one call. If the document has no page script, it provides the
// script and calls again.
func (a Answer[R]) waitOnce(ctx context.Context) (R, error) {
	res, err := a.reply.Wait(ctx)
	if err == nil && scriptMissing(res) {
		a.World.Provide()
		res, err = a.sendAgain(ctx).reply.Wait(ctx)
	}
	if err != nil {
		var none R
		return none, Failure(ctx, err)
	}
	return readAnswer[R](ctx, res, a.World.Clock, time.Now())
}

func (a Answer[R]) sendAgain(ctx context.Context) Answer[R] {
	return send[R](ctx, a.World, a.first, a.fn, a.args)
}

// scriptMissing reports whether a call failed because the document has no page script. Chromium
// runs the page script when a document begins. But when chela terminates a script that keeps the
// earlier document from leaving, that can also end the page script of the new document. Then the
// global variable chela is undefined, or an element with the id chela.
func scriptMissing(res runtime.CallFunctionOnResult) bool {
	if res.ExceptionDetails == nil {
		return false
	}
	text := ExceptionText(res.ExceptionDetails)
	return strings.Contains(text, "chela is not defined") || strings.Contains(text, "chela.run is not a function")
}

// readAnswer decodes the answer of chela.run in the page. It also sets the clock to the document's
// time in the answer, and reports the [Subject] of the call if ctx asks for it.
func readAnswer[R any](ctx context.Context, res runtime.CallFunctionOnResult, c *Clock, arrival time.Time) (R, error) {
	var out struct {
		Late    bool
		Now     float64
		Value   R
		Subject *Subject
	}
	var none R
	if res.ExceptionDetails != nil {
		return none, errors.New(ExceptionText(res.ExceptionDetails))
	}
	if err := json.Unmarshal(res.Result.Value, &out, json.MatchCaseInsensitiveNames(true), jsontext.AllowInvalidUTF8(true)); err != nil {
		return none, err
	}
	c.Read(arrival, out.Now)
	if out.Late {
		return none, errLate
	}
	reportSubject(ctx, out.Subject)
	return out.Value, nil
}

// arguments returns the arguments of a call: first one list of all plain values, then each object.
// The plain values are in a list because cdproto leaves out an argument that is empty, see [Value].
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

// asArgument converts an argument for the call: a time, even one among options, becomes
// milliseconds on the document's clock. A JSON marshaler for time.Time would be simpler. But
// package json would prepare that marshaler again for each call and type, which took a quarter of
// the time of a call.
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

// Object returns a remote object as an argument of a function in the page.
func Object(id runtime.RemoteObjectID) *runtime.CallArgument {
	return &runtime.CallArgument{ObjectID: id}
}

// Value returns a value as an argument of a function in the page. An empty text, list or object
// becomes undefined there: package cdproto leaves it out. Value panics for a value that JSON cannot
// represent.
func Value(v any) *runtime.CallArgument {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("frame: an argument is not JSON: %v", err))
	}
	return &runtime.CallArgument{Value: raw}
}

// Deadline returns the deadline of ctx, or the time a minute from now if ctx has none.
func Deadline(ctx context.Context) time.Time {
	if deadline, ok := ctx.Deadline(); ok {
		return deadline
	}
	return time.Now().Add(time.Minute)
}

// Expired reports whether ctx has ended, or its deadline has passed but its timer has not run yet.
func Expired(ctx context.Context) bool { return ctx.Err() != nil || !time.Now().Before(Deadline(ctx)) }
