// Package stage reports the stages of a call, such as waiting for the tab, to metrics and traces.
//
// The code that does a stage does not know who watches. The context of a call carries its
// [Watcher]; without one, nothing is reported.
package stage

import "context"

// A Stage is a part of a call that takes time of its own.
type Stage string

// The stages.
const (
	Hop   Stage = "hop"   // the call is made on a node, from sending it to its answer
	Reach Stage = "reach" // finding the tab, which may start the browser or open the page again
	Wait  Stage = "wait"  // waiting for the turn of the tab
	Turn  Stage = "turn"  // the call has the turn of the tab
	Act   Stage = "act"   // the work of the operation itself, within the turn
	After Stage = "after" // observing what the act has started, such as a navigation, until the page is quiet
)

// An End ends a stage. The parameter err is the error of the stage, or nil.
type End func(err error)

// A Watcher watches the stages of calls.
type Watcher interface {
	// Begin is called when a stage begins. It returns the context for the stages inside this one,
	// and a function that is called when the stage ends.
	Begin(ctx context.Context, s Stage) (context.Context, End)

	// TraceParent returns the header traceparent of W3C Trace Context, for calls to other machines
	// that are made under ctx.
	TraceParent(ctx context.Context) string
}

// ParentHeader is the header by which a call says to which trace it belongs, by W3C Trace Context.
const ParentHeader = "Traceparent"

type (
	watcherKey struct{}
	parentKey  struct{}
)

// With returns a context of a call whose stages are reported to w.
func With(ctx context.Context, w Watcher) context.Context {
	return context.WithValue(ctx, watcherKey{}, w)
}

// Begin reports that a stage of the call of ctx begins.
func Begin(ctx context.Context, s Stage) (context.Context, End) {
	if w, ok := ctx.Value(watcherKey{}).(Watcher); ok {
		return w.Begin(ctx, s)
	}
	return ctx, None
}

// None is the [End] of a stage that nobody watches. It does nothing.
func None(error) {}

// WithParent returns a context of a call that came with the given value of the header
// [ParentHeader]. The value names the caller's trace, to which the call belongs; "" names none.
func WithParent(ctx context.Context, traceParent string) context.Context {
	if traceParent == "" {
		return ctx
	}
	return context.WithValue(ctx, parentKey{}, traceParent)
}

// Parent returns the value of [ParentHeader] with which the call of ctx came; "": there was none.
func Parent(ctx context.Context) string {
	parent, _ := ctx.Value(parentKey{}).(string)
	return parent
}

// TraceParent returns the header traceparent for calls to other machines that are made under ctx;
// "" if the call belongs to no trace. A server that makes no traces passes on the header that came
// with the call.
func TraceParent(ctx context.Context) string {
	if w, ok := ctx.Value(watcherKey{}).(Watcher); ok {
		if own := w.TraceParent(ctx); own != "" {
			return own
		}
	}
	return Parent(ctx)
}
