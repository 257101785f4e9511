package call

import (
	"context"

	"chela/internal/engine/browser"
	"chela/internal/engine/profile"
	"chela/internal/op"
	"chela/internal/record/trace"
)

// startedBrowser returns the profile's browser. If it has to be started, the caller gets a progress
// report.
func startedBrowser(ctx context.Context, p *profile.Profile) (*browser.Browser, error) {
	if p.Running() == nil {
		ReportStart(ctx, p)
	}
	return p.Browser(ctx)
}

// ReportStart reports to the caller that a browser is started, or connected to.
func ReportStart(ctx context.Context, p *profile.Profile) {
	text := "starting the browser"
	switch s := p.Setup(); {
	case s.Driver == profile.ExistingSession:
		text = "connecting to the user's browser, where the user has to allow it"
	case !s.Launched():
		text = "connecting to the browser"
	}
	op.Progress(ctx, 0, 0, text)
}

// Running returns the profile's browser, if it runs.
func (s *Service) Running(in InProfile) (*profile.Profile, *browser.Browser, error) {
	p, err := s.Profiles.Named(in.Profile)
	if err != nil {
		return nil, nil, err
	}
	return p, p.Running(), nil
}

// mustRun returns the profile's browser, which must run. If the browser was lost, it is started
// again, with its tabs. If the profile's browser is one that chela only connects to, mustRun
// connects to it. An error then says why the connection failed, and not that no browser runs.
func (s *Service) mustRun(ctx context.Context, in InProfile) (*browser.Browser, error) {
	p, b, err := s.Running(in)
	switch {
	case err != nil || b != nil:
		return b, err
	case len(p.Remembered(ctx, op.Session(ctx))) > 0, !p.AskedSetup(ctx).Launched():
		return startedBrowser(ctx, p)
	}
	return nil, op.Errorf(op.Conflict, "browser not running").Hinted("open a page, or start the browser")
}

// Started returns the profile's browser, and starts it if need be.
func (s *Service) Started(ctx context.Context, in InProfile) (*browser.Browser, error) {
	p, err := s.Profiles.Named(in.Profile)
	if err != nil {
		return nil, err
	}
	return startedBrowser(ctx, p)
}

// Session returns a view of a browser: the tabs that the session of a call may use.
func Session(ctx context.Context, b *browser.Browser) browser.Session {
	key := op.Session(ctx)
	if key == op.Person {
		return b.Person(key)
	}
	return b.Session(key)
}

// EmptyTab opens a tab in the session of the call. If isolated is set, the session gets a
// BrowserContext of its own first.
func (s *Service) EmptyTab(ctx context.Context, in InProfile, isolated bool) (tab *browser.Tab, err error) {
	err = s.InBrowser(ctx, in, func(b *browser.Browser) (err error) {
		if isolated {
			if err := Session(ctx, b).Isolate(); err != nil {
				return err
			}
		}
		tab, err = Session(ctx, b).Open(ctx)
		return err
	})
	if err == nil {
		trace.Of(ctx).On(tab)
		noteOf(ctx).on(tab)
		noteOf(ctx).acts()
	}
	return tab, err
}

// inRunning calls the function do with the profile's browser, which must run.
func (s *Service) inRunning(ctx context.Context, in InProfile, do func(*browser.Browser) error) error {
	b, err := s.mustRun(ctx, in)
	if err != nil {
		return err
	}
	return do(b)
}

// InBrowser calls the function do with the profile's browser. If that browser is lost, it calls do
// again with the next one, see [browser.RetryInNext].
func (s *Service) InBrowser(ctx context.Context, in InProfile, do func(*browser.Browser) error) error {
	return browser.RetryInNext(ctx, func(ctx context.Context) (*browser.Browser, error) { return s.Started(ctx, in) }, do)
}
