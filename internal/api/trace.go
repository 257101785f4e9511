package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"chela/internal/engine/journal"
	"chela/internal/engine/profile"
	"chela/internal/op"
	"chela/internal/record/trace"
)

// traceRows record what callers do. They are functions of a [Service], as a trace is about all tabs
// of a browser. It must also be possible to end one while a page has a dialog open. A trace is for
// people, who look at it in a viewer.
func traceRows() []*op.Op {
	return []*op.Op{
		op.Define("POST /trace/start", "trace start",
			"Record what is done in all tabs of the browser, for Playwright's trace viewer. The trace has the calls, what the page showed "+
				"before and after each, pictures, console and requests. It ends with trace stop, or without a file when the browser is stopped.",
			traceStart, op.Limit(20*s, 1*s, 120*s), op.Says("trace started"), op.NotForAgents),
		op.Define("POST /trace/stop", "trace stop", "End the trace and save it as a file, which npx playwright show-trace opens.",
			traceStop, op.Limit(60*s, 1*s, 120*s), op.Example("--out trace.zip"), op.NotForAgents),
	}
}

// A traceRequest says what a trace is to have. The tab may be any of the browser. The defaults
// are OpenClaw's.
type traceRequest struct {
	On
	op.Timeout
	Screenshots *bool `json:"screenshots,omitempty" flag:"screenshots,!no-screenshots" default:"true" doc:"with a filmstrip of each tab"`
	Snapshots   *bool `json:"snapshots,omitempty" flag:"snapshots,!no-snapshots" default:"true" doc:"with the page before and after each call"`
	Sources     bool  `json:"sources,omitempty" doc:"accepted, and without effect: calls come from no source files"`
	Secrets     bool  `json:"secrets,omitempty" doc:"credentials, cookies and what is named like a secret as they are, not replaced; what calls type is there either way" reveals:"true"`
}

// traceResult is the tab that a trace was begun or ended on. If a trace is stopped without a
// browser, it has no tab.
type traceResult struct {
	OK       bool       `json:"ok" doc:"always true"`
	TargetID string     `json:"targetId,omitempty" doc:"target id of the tab"`
	URL      op.Foreign `json:"url,omitempty" doc:"address that the tab shows"`
}

// traces are those under way.
type traces struct {
	count atomic.Int32 // of running: while it is 0, calls look no further

	mu      sync.Mutex                 // guards the rest
	running map[string]*trace.Recorder // by profile
}

// of returns the trace of a profile, or nil. Each call comes by here, so where nothing is
// traced it takes no lock.
func (t *traces) of(profile string) *trace.Recorder {
	if t.count.Load() == 0 {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.running[profile]
}

// begin makes r the trace of a profile, unless it has one. If two calls start one at the same time,
// the second is refused here.
func (t *traces) begin(profile string, r *trace.Recorder) bool {
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

// take returns the trace of a profile, or nil, and forgets it.
func (t *traces) take(profile string) *trace.Recorder {
	t.mu.Lock()
	defer t.mu.Unlock()
	r := t.running[profile]
	if r != nil {
		delete(t.running, profile)
		t.count.Add(-1)
	}
	return r
}

// discard ends the trace of a profile, if it has one, without a file. That is so when the
// browser is stopped, as the description of trace start says.
func (t *traces) discard(profile string) {
	if r := t.take(profile); r != nil {
		r.Discard()
	}
}

// discardAll ends all traces without a file.
func (t *traces) discardAll() {
	t.mu.Lock()
	var names []string
	for name := range t.running {
		names = append(names, name)
	}
	t.mu.Unlock()
	for _, name := range names {
		t.discard(name)
	}
}

// errTracing is worded as in OpenClaw. A profile has one trace, as a context of Playwright has.
var errTracing = op.Errorf(op.Conflict, "Error: Trace already running. Stop the current trace before starting a new one.").
	Hinted("stop it by trace stop")

// traceStart begins a trace of the browser that the tab is in, and starts the browser if need be.
//
// It returns errTracing, the errors of finding or opening the tab, and the errors of the file
// system. The first is looked for at once, so that a call that is refused starts no browser.
func traceStart(ctx context.Context, s *Service, r traceRequest) (traceResult, error) {
	p, err := s.profiles.Named(r.Profile)
	if err != nil {
		return traceResult{}, err
	}
	if s.traces.of(p.Name) != nil {
		return traceResult{}, errTracing
	}
	t, _, err := s.turn(ctx, r.call())
	if err != nil {
		return traceResult{}, err
	}
	dir, err := s.files.Staging()
	if err != nil {
		return traceResult{}, err
	}
	recorder, err := trace.Start(dir, trace.Options{
		Pictures: on(r.Screenshots), Snapshots: on(r.Snapshots), Secrets: r.Secrets, Title: "profile " + p.Name,
	})
	if err != nil {
		return traceResult{}, err
	}
	if !s.traces.begin(p.Name, recorder) { // another call was faster
		recorder.Discard()
		return traceResult{}, errTracing
	}
	recorder.Follow(t.tab.Browser())
	return traceResult{true, t.page.ID, shown(t.page.URL())}, nil
}

// on is a switch that is on unless it is turned off.
func on(given *bool) bool { return given == nil || *given }

// A traceStopRequest says where the trace is to be saved. A path elsewhere is refused: the file
// is written by the server, with the rights of its user.
type traceStopRequest struct {
	On
	op.Timeout
	Path op.Place `json:"path,omitempty" doc:"file below the folder of temporary files (/tmp/chela); browser-trace-<uuid>.zip when left out"`
}

// traceStopResult is a trace that was saved.
type traceStopResult struct {
	traceResult
	Path      op.File `json:"path" doc:"where it was saved"`
	Truncated bool    `json:"truncated,omitempty" doc:"something is not in it, as it was too large or too long"`
	Missing   string  `json:"missing,omitempty" doc:"why something is not in it"`
}

// Text is where the trace is.
func (r traceStopResult) Text() string {
	return lines("TRACE:"+string(r.Path), prefixed("the trace is not complete: ", r.Missing))
}

// traceStop saves the trace. It needs no tab, but one that is named has to be there. If the path is
// refused, the trace goes on. Errors are worded as in OpenClaw where no trace is recorded and for
// the path. Others are a tab that is not there, and errors of the file system.
func traceStop(ctx context.Context, s *Service, r traceStopRequest) (traceStopResult, error) {
	p, err := s.profiles.Named(r.Profile)
	if err != nil {
		return traceStopResult{}, err
	}
	if s.traces.of(p.Name) == nil {
		return traceStopResult{}, op.Errorf(op.Conflict, "Error: No active trace. Start a trace before stopping it.").
			Hinted("start one by trace start")
	}
	place, err := s.files.Trace(string(r.Path))
	if err != nil {
		return traceStopResult{}, pathError(err)
	}
	of, err := tracedTab(ctx, p, r.TargetID)
	if err != nil {
		return traceStopResult{}, err
	}
	// Only one of two calls that stop the trace at the same time gets it.
	recorder := s.traces.take(p.Name)
	if recorder == nil {
		return traceStopResult{}, op.Errorf(op.Conflict, "Error: No active trace. Start a trace before stopping it.").
			Hinted("another call has stopped it")
	}
	missing, err := recorder.Stop(place.Put)
	if errors.Is(err, trace.ErrKept) {
		s.traces.keep(p.Name, recorder)
		return traceStopResult{}, pathError(err)
	}
	return traceStopResult{of, op.File(place.Path()), missing != "", missing}, pathError(err)
}

// keep gives a profile back its trace, which has ended and could not be saved. The next call to
// stop it tries again.
func (t *traces) keep(profile string, r *trace.Recorder) {
	if !t.begin(profile, r) { // a call has begun another one meanwhile
		r.Discard()
	}
}

// tracedTab is the tab that a call names, or else the current one, if there is one. The browser
// may have ended since; its trace can be saved all the same. The error is that no tab has the
// name.
func tracedTab(ctx context.Context, p *profile.Profile, name string) (traceResult, error) {
	b := p.Running()
	if b == nil {
		return traceResult{OK: true}, nil
	}
	tab, err := seen(ctx, b).Find(name)
	if err != nil && name != "" {
		return traceResult{}, err
	}
	if tab == nil || err != nil {
		return traceResult{OK: true}, nil
	}
	return traceResult{true, tab.Page().ID, shown(tab.Page().URL())}, nil
}

// traced returns the context in which a call is recorded, if its profile is traced, and what to
// call at its end. Where nothing is traced, the action is nil, which ignores what it is given.
// A profile that there is not is no error here, but one of the call itself.
func (s *Service) traced(ctx context.Context, o *op.Op, args op.Args) (context.Context, *trace.Action) {
	if s.traces.count.Load() == 0 {
		return ctx, nil
	}
	p, err := s.profiles.Named(textOf(args["profile"]))
	if err != nil {
		return ctx, nil
	}
	r := s.traces.of(p.Name)
	if r == nil {
		return ctx, nil
	}
	a := r.Begin(tracedCall(o, args, r.Secrets()))
	if caller := op.Caller(ctx); caller != "" {
		a.Log("called by %s", caller)
	}
	return trace.With(ctx, a), a
}

// tracedPart is traced for an action of a batch. It is a part of the batch's own action.
func tracedPart(ctx context.Context, o *op.Op, args op.Args) (context.Context, *trace.Action) {
	whole := trace.Of(ctx)
	if whole == nil {
		return ctx, nil
	}
	a := whole.Part(tracedCall(o, args, whole.Secrets()))
	return trace.With(ctx, a), a
}

// traceEffects logs what a call has begun. A navigation or a download, say, explains why a
// click took long.
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

// tracedCall describes a call for a trace. Arguments that are secrets are replaced, and long ones
// cut.
//
// The title is the command: its name and the arguments that need no flag. The ref is taken from
// args, so the viewer knows the element even if its parameter is cut or replaced.
func tracedCall(o *op.Op, args op.Args, secrets bool) trace.Call {
	c := trace.Call{Name: o.Name(), Title: o.Name(), Params: map[string]json.RawMessage{}}
	for name, raw := range args {
		if p, ok := o.Param(name); ok && p.Secret && !secrets {
			raw = quoted(journal.Secret)
		} else if len(raw) > maxTraced {
			raw = quoted(string(raw[:maxTraced]) + "…")
		}
		c.Params[name] = raw
	}
	for _, arg := range o.Args {
		if value := textOf(c.Params[arg.Param]); arg.Param != "" && value != "" {
			c.Title += " " + titled(value)
		}
	}
	for _, name := range []string{"ref", "inputRef", "startRef"} {
		if c.Ref == "" {
			c.Ref = textOf(args[name])
		}
	}
	return c
}

// titled is a value for a title: one line that is not long.
func titled(value string) string {
	value, _, _ = strings.Cut(value, "\n")
	if runes := []rune(value); len(runes) > 80 {
		return string(runes[:80]) + "…"
	}
	return value
}

// textOf is an argument as text: a string without its quotes, a list of them with spaces
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

// quoted is a text as JSON.
func quoted(text string) json.RawMessage {
	raw, _ := json.Marshal(text) // cannot fail
	return raw
}

// tracedError is the error of a call for a trace: with the advice.
func tracedError(err error) error {
	e, ok := errors.AsType[*op.Error](err)
	if !ok || e.Hint == "" {
		return err
	}
	return fmt.Errorf("%w\ntry: %s", err, e.Hint)
}
