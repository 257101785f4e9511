package api

import (
	"context"
	"errors"

	"chela/internal/api/call"
	"chela/internal/engine/profile"
	"chela/internal/op"
)

// A startRequest starts a browser, or does nothing if it runs.
type startRequest struct {
	call.InProfile
	op.Timeout
	Headless *bool `json:"headless,omitempty" wrong:"Invalid headless value. Use \"true\" or \"false\"." doc:"true: run without windows; false: with windows; when left out, as the configuration says"`
}

// startResult is the status of a browser that runs.
type startResult struct {
	OK bool `json:"ok" doc:"always true"`
	call.BrowserStatus
}

// Terminal returns the text for the command line.
func (s startResult) Terminal() string { return s.Summary() }

// start starts the browser, unless it runs. The parameter headless applies to this run of the
// browser. Without it, the settings decide.
func start(ctx context.Context, s *call.Service, r startRequest) (startResult, error) {
	p, err := s.Profiles.Named(r.Profile)
	if err != nil {
		return startResult{}, err
	}
	call.ReportStart(ctx, p)
	if _, err = p.Start(ctx, r.Headless); err != nil {
		return startResult{}, err
	}
	status := s.StatusOf(ctx, p)
	if r.Headless != nil && *r.Headless != status.Headless {
		status.Notice = "the browser ran already, " + inMode(status.Headless) + ": stop it, then start it " + inMode(*r.Headless)
	}
	return startResult{true, status}, nil
}

func inMode(headless bool) string {
	if headless {
		return "without windows"
	}
	return "with windows"
}

// stopResult is the status of a browser that does not run.
type stopResult struct {
	OK      bool `json:"ok" doc:"always true"`
	Stopped bool `json:"stopped" doc:"the browser was running, and was stopped"`
	call.BrowserStatus
}

// A stopRequest stops a browser. Session cookies are kept unless Forget is set, as agents
// stop browsers to free memory far more often than to log out.
type stopRequest struct {
	call.InProfile
	Forget bool `json:"forget,omitempty" doc:"delete session cookies, and with them the logins that they hold"`
}

// Terminal returns the text for the command line.
func (s stopResult) Terminal() string { return s.Summary() }

// stop stops the browser. If none runs, it succeeds as well, and stopped is false in the answer. It
// then forgets the tabs that the next browser would open again.
// For a browser that chela does not start it says that the browser was stopped, as in OpenClaw:
// chela does not drive it any more.
func stop(ctx context.Context, s *call.Service, r stopRequest) (stopResult, error) {
	p, err := s.Profiles.Named(r.Profile)
	if err != nil {
		return stopResult{}, err
	}
	stopped, err := p.Stop(ctx, profile.Stopping{Forget: r.Forget, UnlessTaken: call.ByAgent(ctx)})
	if stopped || err == nil {
		s.DiscardRecords(p.Name)
	}
	if _, unsaved := errors.AsType[*profile.TakeError](err); unsaved && stopped {
		return stopResult{}, call.PrefixedError("the browser was stopped, but its saved logins could not be removed: ", op.AsError(call.Explain(err)))
	}
	if err != nil {
		return stopResult{}, err
	}
	return stopResult{true, stopped || !p.Setup().Launched(), s.AskedStatus(ctx, p)}, nil
}

// nothing is the request of operations that have no arguments.
type nothing struct{}

// okResult is the answer of an operation that has no result.
type okResult struct {
	OK bool `json:"ok" doc:"always true"`
}

// shutdown answers before the server ends: otherwise its caller could not read the answer. By then
// the server accepts no further connections, so the caller's next call does not reach it.
func shutdown(_ context.Context, s *call.Service, _ nothing) (okResult, error) {
	s.Shutdown()
	return okResult{true}, nil
}
