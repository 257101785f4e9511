package call

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"sync/atomic"

	"chela/internal/engine/journal"
	"chela/internal/op"
	"chela/internal/record/trace"
	"chela/internal/wall/excerpt"
)

// Traces are the traces under way, by profile.
type Traces struct {
	count atomic.Int32 // number of running traces: while it is 0, Of takes no lock

	mu      sync.Mutex                 // guards the rest
	running map[string]*trace.Recorder // recorders of traces, by profile
}

// Of returns the trace of a profile, or nil. Every call uses it, so it takes no lock where nothing
// is traced.
func (t *Traces) Of(profile string) *trace.Recorder {
	if t.count.Load() == 0 {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.running[profile]
}

// Begin makes r the trace of a profile, unless it has one. If two calls start one at the same time,
// the second is refused here.
func (t *Traces) Begin(profile string, r *trace.Recorder) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.running[profile] != nil {
		return false
	}
	if t.running == nil {
		t.running = map[string]*trace.Recorder{}
	}
	t.running[profile] = r
	t.count.Add(1)
	return true
}

// Take returns the trace of a profile, or nil, and forgets it.
func (t *Traces) Take(profile string) *trace.Recorder {
	t.mu.Lock()
	defer t.mu.Unlock()
	r := t.running[profile]
	if r != nil {
		delete(t.running, profile)
		t.count.Add(-1)
	}
	return r
}

// Keep gives a trace back to its profile, after the trace has ended and could not be saved. The
// next call to stop the trace tries again.
func (t *Traces) Keep(profile string, r *trace.Recorder) {
	if !t.Begin(profile, r) { // a call has begun another one meanwhile
		r.Discard()
	}
}

// Discard ends the trace of a profile, if it has one, and saves nothing. This happens when the
// browser is stopped, as the description of trace start says.
func (t *Traces) Discard(profile string) {
	if r := t.Take(profile); r != nil {
		r.Discard()
	}
}

// discardAll ends all traces without a file.
func (t *Traces) discardAll() {
	t.mu.Lock()
	var names []string
	for name := range t.running {
		names = append(names, name)
	}
	t.mu.Unlock()
	for _, name := range names {
		t.Discard(name)
	}
}

// traced returns a context in which the call is recorded, if its profile is traced, and the action
// to end when the call ends. If nothing is traced, the action is nil, and its methods do nothing.
// An unknown profile is no error here, since the call itself reports it.
func (s *Service) traced(ctx context.Context, o *op.Op, args op.Args) (context.Context, *trace.Action) {
	if s.Traces.count.Load() == 0 {
		return ctx, nil
	}
	p, err := s.Profiles.Named(o.ProfileIn(args))
	if err != nil {
		return ctx, nil
	}
	r := s.Traces.Of(p.Name)
	if r == nil {
		return ctx, nil
	}
	if op.Session(ctx) == op.Person {
		args = withoutEntered(o, args)
	}
	a := r.Begin(tracedCall(o, args, r.Secrets()))
	if caller := op.Caller(ctx); caller != "" {
		a.Log("called by %s", caller)
	}
	return trace.With(ctx, a), a
}

// RunPart runs an action of a batch, and records it as a part of the batch. The
// parameter args has the arguments as the caller has given them. The action runs on target, see
// [op.Call.Run].
func RunPart(ctx context.Context, c *op.Call, args op.Args, target any) (json.RawMessage, error) {
	part := noteOf(ctx).beginPart(c.Op, args)
	raw, err := runTraced(part.with(ctx), c, args, target)
	part.end(ctx, raw, Explain(err))
	return raw, err
}

// runTraced runs an action of a batch, and records it in the trace, if there is one.
func runTraced(ctx context.Context, c *op.Call, args op.Args, target any) (json.RawMessage, error) {
	whole := trace.Of(ctx)
	if whole == nil {
		return c.Run(ctx, target)
	}
	action := whole.Part(tracedCall(c.Op, args, whole.Secrets()))
	ctx = trace.With(ctx, action)
	action.Before(ctx)
	raw, err := c.Run(ctx, target)
	action.After(ctx)
	action.End(tracedError(Explain(err), action.Secrets()))
	return raw, err
}

// traceEffects logs in the trace what a call has begun. For example, a navigation or a download
// explains why a click took long.
func (t *Turn) traceEffects(a *trace.Action) {
	if a == nil {
		return
	}
	for _, effect := range t.effects.Begun() {
		a.Log("began: %s", effect)
	}
}

// maxTraced bounds the text of one argument in a trace, in bytes.
const maxTraced = 4096

// tracedCall describes a call for a trace. Arguments that are secrets, and secrets in addresses, are
// replaced unless the trace has secrets. Long arguments are cut.
//
// The title is the command: its name and the arguments that need no flag. The ref is taken from
// args, so the viewer knows the element even if its parameter is cut or replaced.
func tracedCall(o *op.Op, args op.Args, secrets bool) trace.Call {
	c := trace.Call{Name: o.Name(), Title: o.Name(), Params: map[string]json.RawMessage{}}
	for name, raw := range args {
		if p, _ := o.Param(name); p.Secret && !secrets {
			raw = quoted(journal.Secret)
		} else if !secrets {
			raw = withoutAddressSecrets(raw)
		}
		if len(raw) > maxTraced {
			raw = quoted(string(raw[:maxTraced]) + "…")
		}
		c.Params[name] = raw
	}
	for _, arg := range o.Args {
		if value := textOf(c.Params[arg.Param]); arg.Param != "" && value != "" {
			c.Title += " " + titled(value)
		}
	}
	for _, name := range trace.RefParams {
		if c.Ref == "" {
			c.Ref = textOf(args[name])
		}
	}
	return c
}

// titled returns a value as a short single line, for a title.
func titled(value string) string {
	value, _, _ = strings.Cut(value, "\n")
	return excerpt.Shorten(value, 80)
}

// textOf returns an argument as text: a string without its quotes, a list of them with spaces
// between, else its JSON.
func textOf(raw json.RawMessage) string {
	var text string
	var list []string
	switch {
	case json.Unmarshal(raw, &text) == nil:
		return text
	case json.Unmarshal(raw, &list) == nil:
		return strings.Join(list, " ")
	}
	return string(raw)
}

// quoted returns a text as JSON.
func quoted(text string) json.RawMessage {
	raw, _ := json.Marshal(text) // cannot fail
	return raw
}

// tracedError returns the error of a call as a trace shows it, with its hint. Secrets in addresses are
// replaced unless the trace has secrets.
func tracedError(err error, secrets bool) error {
	if err == nil {
		return nil
	}
	text := err.Error()
	if e, ok := errors.AsType[*op.Error](err); ok && e.Hint != "" {
		text += "\ntry: " + e.Hint
	}
	if !secrets {
		text = journal.TextWithoutSecrets(text)
	}
	return errors.New(text)
}
