package api

import (
	"context"
	"errors"

	"chela/internal/api/call"
	"chela/internal/api/words"
	"chela/internal/engine/profile"
	"chela/internal/op"
	"chela/internal/record/trace"
)

// traceRows returns operations that record what callers do. They are functions of a [call.Service],
// because a trace is about all tabs of a browser. It must also be possible to end a trace while a
// page has a dialog open. A trace is for people, who look at it in a viewer.
func traceRows() []*op.Op {
	return []*op.Op{
		op.Define("POST /trace/start", "trace start",
			"Record what is done in all tabs of the browser, for Playwright's trace viewer. The trace has the calls, what the page showed "+
				"before and after each, pictures, console and requests. It ends with trace stop; if the browser is stopped before, there is no file.",
			traceStart, op.Looks, op.Limit(20*s, 1*s, 120*s), op.Says("trace started"), op.NotForAgents),
		op.Define("POST /trace/stop", "trace stop", "End the trace and save it as a file, which npx playwright show-trace opens.",
			traceStop, op.Looks, op.Limit(60*s, 1*s, 120*s), op.Example("--out trace.zip"), op.NotForAgents),
	}
}

// A traceRequest says what a trace is to have. The tab may be any tab of the browser. The defaults
// are OpenClaw's.
type traceRequest struct {
	call.On
	op.Timeout
	Screenshots *bool `json:"screenshots,omitempty" flag:"screenshots,!no-screenshots" default:"true" doc:"record pictures of each tab, as a filmstrip"`
	Snapshots   *bool `json:"snapshots,omitempty" flag:"snapshots,!no-snapshots" default:"true" doc:"record the page before and after each call"`
	Sources     bool  `json:"sources,omitempty" doc:"accepted without effect, because calls come from no source files"`
	Secrets     bool  `json:"secrets,omitempty" doc:"record credentials, cookies and values whose names suggest a secret, instead of replacing them; text that calls type is recorded either way" reveals:"true"`
}

// traceResult is the tab that a trace was begun or ended on. If a trace is stopped without a
// browser, it has no tab.
type traceResult struct {
	OK       bool        `json:"ok" doc:"always true"`
	TargetID op.Handle   `json:"targetId,omitempty" doc:"target id of the tab"`
	URL      op.PageText `json:"url,omitempty" doc:"address that the tab shows"`
}

// errTracing is worded as in OpenClaw. A profile has one trace, as a context of Playwright has.
var errTracing = op.Errorf(op.Conflict, "Error: Trace already running. Stop the current trace before starting a new one.").
	Hinted("stop it by trace stop")

// traceStart begins a trace of the browser that the tab is in, and starts the browser if need be.
//
// It returns errTracing, the errors of finding or opening the tab, and the errors of the file
// system. It looks for a running trace first, so that a call that is refused starts no browser.
func traceStart(ctx context.Context, s *call.Service, r traceRequest) (traceResult, error) {
	p, err := s.Profiles.Named(r.Profile)
	if err != nil {
		return traceResult{}, err
	}
	if s.Traces.Of(p.Name) != nil {
		return traceResult{}, errTracing
	}
	t, _, err := s.Turn(ctx, r.Want())
	if err != nil {
		return traceResult{}, err
	}
	dir, err := s.Files.Staging()
	if err != nil {
		return traceResult{}, err
	}
	recorder, err := trace.Start(dir, trace.Options{
		Pictures: on(r.Screenshots), Snapshots: on(r.Snapshots), Secrets: r.Secrets, Title: "profile " + p.Name,
	})
	if err != nil {
		return traceResult{}, err
	}
	if !s.Traces.Begin(p.Name, recorder) { // another call was faster
		recorder.Discard()
		return traceResult{}, errTracing
	}
	recorder.Follow(t.Tab.Browser())
	return traceResult{true, op.Handle(t.Page.ID), words.Shown(t.Page.URL())}, nil
}

// on returns the value of a switch that is on by default.
func on(given *bool) bool { return given == nil || *given }

// A traceStopRequest says where the trace is to be saved. A path outside of the folder for
// temporary files is refused, because the server writes the file with the rights of its user.
type traceStopRequest struct {
	call.On
	op.Timeout
	Path op.Record `json:"path,omitempty" doc:"file below the folder of temporary files (/tmp/chela); browser-trace-<uuid>.zip when left out"`
}

// traceStopResult is a trace that was saved.
type traceStopResult struct {
	traceResult
	Path      op.File `json:"path" doc:"where the trace was saved"`
	Truncated bool    `json:"truncated,omitempty" doc:"the trace is not complete, because it lasted too long or something in it was too large"`
	Missing   string  `json:"missing,omitempty" doc:"why the trace is not complete"`
}

// Text returns where the trace is.
func (r traceStopResult) Text() string {
	return words.Lines("TRACE:"+string(r.Path), words.Prefixed("the trace is not complete: ", r.Missing))
}

// traceStop saves the trace. It needs no tab, but a tab that is named must exist. If the path is
// refused, the trace goes on. The errors for the path and for a missing trace are worded as in
// OpenClaw. It also returns the errors of finding the tab and of the file system.
func traceStop(ctx context.Context, s *call.Service, r traceStopRequest) (traceStopResult, error) {
	p, err := s.Profiles.Named(r.Profile)
	if err != nil {
		return traceStopResult{}, err
	}
	if s.Traces.Of(p.Name) == nil {
		return traceStopResult{}, notTraced("start one by trace start")
	}
	place, err := s.Files.Trace(string(r.Path))
	if err != nil {
		return traceStopResult{}, call.ExplainPath(err)
	}
	of, err := tracedTab(ctx, p, r.TargetID)
	if err != nil {
		return traceStopResult{}, err
	}
	// If two calls stop the trace at the same time, only one of them gets it.
	recorder := s.Traces.Take(p.Name)
	if recorder == nil {
		return traceStopResult{}, notTraced("another call has stopped it")
	}
	missing, err := recorder.Stop(ctx, place.Put)
	if errors.Is(err, trace.ErrKept) {
		s.Traces.Keep(p.Name, recorder)
		return traceStopResult{}, call.ExplainPath(err)
	}
	return traceStopResult{of, op.File(place.Path()), missing != "", missing}, call.ExplainPath(err)
}

// notTraced returns the error of a profile without a trace, with OpenClaw's text.
func notTraced(hint string) error {
	return op.Errorf(op.Conflict, "Error: No active trace. Start a trace before stopping it.").Hinted("%s", hint)
}

// tracedTab returns the tab that a call names, or else the current one. It returns no tab if the
// browser has ended: its trace can still be saved. The error says that no tab has the name.
func tracedTab(ctx context.Context, p *profile.Profile, name string) (traceResult, error) {
	b := p.Running()
	if b == nil {
		return traceResult{OK: true}, nil
	}
	tab, err := call.Session(ctx, b).Find(name)
	if err != nil && name != "" {
		return traceResult{}, err
	}
	if tab == nil || err != nil {
		return traceResult{OK: true}, nil
	}
	return traceResult{true, op.Handle(tab.Page().ID), words.Shown(tab.Page().URL())}, nil
}
