package profile

import (
	"context"
	"fmt"
	"time"

	"chela/internal/browser"
	"chela/internal/chrome"
)

// startTime bounds the start of a browser.
const startTime = 30 * time.Second

// A start is a browser on its way, for all callers that wait for it.
type start struct {
	done    chan struct{} // closed when the rest is final
	browser *browser.Browser
	err     error
}

// Browser returns the running browser, and starts it if none runs.
// It is [Profile.Start] for callers to whom windows do not matter.
func (p *Profile) Browser(ctx context.Context) (*browser.Browser, error) {
	return p.Start(ctx, nil)
}

// Start returns the running browser, and starts it if none runs: headless or
// not, if the caller says so. It is started once for all callers that wait, and
// takes at most 30 s. Ctx limits the wait only: the start goes on after that,
// and the next call finds it. Errors are [ErrClosed], a [*NotAllowedError], a
// [*RepeatedError], a [*NoDisplayError], a [*chrome.NotFoundError], a
// [*StartError], and [ErrStarting] with the cause of ctx.
func (p *Profile) Start(ctx context.Context, headless *bool) (*browser.Browser, error) {
	running, s, err := p.startOrJoin(headless)
	if running != nil || err != nil {
		return running, err
	}
	select {
	case <-s.done:
		return s.browser, s.err
	case <-ctx.Done():
		return nil, fmt.Errorf("%w: %w", ErrStarting, context.Cause(ctx))
	}
}

// startOrJoin returns the browser that runs, or else the start that is under way,
// which it begins if there is none.
func (p *Profile) startOrJoin(headless *bool) (*browser.Browser, *start, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if b := p.runningLocked(); b != nil {
		return b, nil, nil
	}
	if p.starting != nil {
		return nil, p.starting, nil
	}
	if err := p.mayStartLocked(); err != nil {
		return nil, nil, err
	}
	m, err := decide(headless, p.config.Current().Browser.Headless)
	if err != nil {
		return nil, nil, err
	}
	p.mode = m
	p.starting = &start{done: make(chan struct{})}
	go p.start(p.starting, m)
	return nil, p.starting, nil
}

// mayStartLocked returns why no browser may be started now: [ErrClosed], a
// [*NotAllowedError], or a [*RepeatedError].
func (p *Profile) mayStartLocked() error {
	c := p.config.Current()
	switch {
	case p.closed:
		return ErrClosed
	case !c.Browser.Enabled:
		return &NotAllowedError{Profile: p.Name, File: c.File}
	case c.Browser.AttachOnly:
		return &NotAllowedError{Profile: p.Name, File: c.File, AttachOnly: true}
	}
	return p.failures.mayTry(time.Now())
}

// start launches the browser and hands it to those who wait. If the profiles
// were closed meanwhile, nobody would end the browser any more, so it is closed
// here before anybody gets it.
func (p *Profile) start(s *start, m mode) {
	ctx, cancel := context.WithTimeout(context.Background(), startTime)
	defer cancel()
	s.browser, s.err = p.launch(ctx, m)
	p.mu.Lock()
	p.starting = nil
	if p.browser = s.browser; s.browser != nil {
		p.gone = make(chan struct{})
		go p.awaitEnd(s.browser, p.gone)
	}
	p.failures.note(s.err, time.Now())
	tooLate := p.closed && s.browser != nil
	p.mu.Unlock()
	if tooLate {
		s.browser.Close(ctx)
	}
	close(s.done)
}

func (p *Profile) launch(ctx context.Context, m mode) (*browser.Browser, error) {
	c := p.config.Current()
	settings := c.Browser
	executable, err := chrome.Find(settings.ExecutablePath)
	if err != nil {
		return nil, err
	}
	memory, err := p.lastMemory(ctx)
	if err != nil {
		return nil, err
	}
	host, err := browser.Launch(ctx, chrome.Options{
		Executable: executable, UserDataDir: c.State.UserData(p.Name), LockHeld: true, // the server's, on the state directory
		Headless: m.Headless, NoSandbox: settings.NoSandbox,
		ExtraArgs: settings.ExtraArgs, ProfileName: p.Name, Color: settings.Color,
	})
	if err != nil {
		return nil, &StartError{err}
	}
	b, err := browser.Start(ctx, host, browser.Options{Memory: memory, Keep: p.session().write, Files: p.files})
	if err != nil {
		return nil, &StartError{err}
	}
	return b, nil
}
