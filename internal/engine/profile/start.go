package profile

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"chela/internal/engine/browser"
	"chela/internal/engine/chrome"
	"chela/internal/wall/proxy"
)

// startTime is the usual limit for the start of a browser, see connectTime.
const startTime = 30 * time.Second

// A start is one attempt to start a browser. It is kept while it is under way. All callers that
// need the browser wait for the same start.
type start struct {
	setup   Setup                   // the settings of the profile when the start was requested
	end     context.CancelCauseFunc // ends the start before it is done, see Profile.endStart
	done    chan struct{}           // closed when the other fields have their final values
	browser *browser.Browser
	err     error
}

// Browser returns the running browser, and starts it if none runs. It is [Profile.Start] for
// callers that do not care about windows.
func (p *Profile) Browser(ctx context.Context) (*browser.Browser, error) {
	return p.Start(ctx, nil)
}

// Start returns the running browser, and starts it if none runs. The parameter headless says
// whether a browser that is started now has no windows; nil: the caller does not care. A browser that
// runs or is being started may be of the other mode: the caller compares. The browser is started once
// for all callers that wait, in at most connectTime. If ctx ends, the start goes on, and the next call
// finds the browser. A browser that somebody else starts is only connected to.
//
// Before a start, the error is a [*WindowsError], [ErrClosed], an [*UnknownError], a
// [*NotAllowedError], an [*config.NewerError] or a [*RepeatedError]. A start fails with a
// [*NoDisplayError], a [*NoWindowsError], a [*chrome.NotFoundError], a [*PortError], a [*StartError]
// or a [*ReachError]. If the profile is stopped meanwhile, it is [ErrStartStopped]. If ctx ends
// first, it is [ErrStarting] or [ErrAllowing] with the cause of ctx.
func (p *Profile) Start(ctx context.Context, headless *bool) (*browser.Browser, error) {
	if b := p.Running(); b != nil && headless == nil { // most calls find a browser that runs
		return b, nil
	}
	setup := p.Setup()
	if headless != nil && !setup.Launched() {
		return nil, &WindowsError{p.Name}
	}
	running, s, err := p.startOrJoin(headless, setup)
	if running != nil || err != nil {
		return running, err
	}
	select {
	case <-s.done:
		return s.browser, s.err
	case <-ctx.Done():
		if setup.Driver == ExistingSession {
			return nil, fmt.Errorf("%w: %w", ErrAllowing, context.Cause(ctx))
		}
		return nil, fmt.Errorf("%w: %w", ErrStarting, context.Cause(ctx))
	}
}

// startOrJoin returns the running browser. If none runs, it returns the start that is under way, or
// begins one.
func (p *Profile) startOrJoin(headless *bool, setup Setup) (*browser.Browser, *start, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if b := p.runningLocked(); b != nil {
		return b, nil, nil
	}
	if p.starting != nil {
		return nil, p.starting, nil
	}
	if err := p.mayStartLocked(setup); err != nil {
		return nil, nil, err
	}
	var m mode
	if setup.Launched() {
		var err error
		if m, err = decideMode(headless, setup); err != nil {
			return nil, nil, err
		}
	}
	p.mode = m
	ctx, end := context.WithCancelCause(context.Background())
	p.starting = &start{setup: setup, end: end, done: make(chan struct{})}
	go p.start(ctx, p.starting, m)
	return nil, p.starting, nil
}

// mayStartLocked returns why no browser may be started or connected to now: [ErrClosed], an
// [*UnknownError], a [*NotAllowedError], a [*StrictError], a [*config.NewerError], or a
// [*RepeatedError]. The UnknownError is for a profile that was removed from the configuration.
func (p *Profile) mayStartLocked(s Setup) error {
	c := p.config.Current()
	switch {
	case p.closed:
		return ErrClosed
	case s.Missing:
		return &UnknownError{p.Name, c.Browser.ProfileNames()}
	case !c.Browser.Enabled:
		return &NotAllowedError{Profile: p.Name, File: c.File}
	case !s.Launched() && !s.Connected():
		return &NotAllowedError{Profile: p.Name, File: c.File, AttachOnly: true}
	}
	if err := p.checkStrict(s); err != nil {
		return err
	}
	if err := p.mayTakeOverLocked(); err != nil {
		return err
	}
	return p.failures.mayTry(s, time.Now())
}

// mayTakeOverLocked returns a [*config.NewerError] if a newer version of chela has written the
// profile's session.json. The next browser then cannot take over what the last one has left there.
// The user may have moved the file away since it was read, so it is read again.
func (p *Profile) mayTakeOverLocked() error {
	if p.session.checkVersion() != nil {
		p.readSessionLocked()
		return p.session.checkVersion()
	}
	return nil
}

// start launches the browser and passes it to the callers that wait. If the profiles were closed
// meanwhile, nobody would end the browser any more, so start closes it before anybody gets it.
func (p *Profile) start(ctx context.Context, s *start, m mode) {
	defer s.end(nil)
	ctx, cancel := context.WithTimeout(ctx, connectTime(p.config.Current().Browser))
	defer cancel()
	var setup Setup
	if s.err = p.exclusive.Lock(ctx); s.err == nil {
		defer p.exclusive.Unlock() // not before the profile has the browser: data in use must not be moved away
		setup, s.browser, s.err = p.launch(ctx, m)
	}
	stopped := s.browser == nil && context.Cause(ctx) == ErrStartStopped
	if stopped {
		s.err = ErrStartStopped
	}
	p.mu.Lock()
	p.starting = nil
	if s.browser != nil { // else the last browser may still be ending
		p.browser = s.browser
		p.launched, p.forget, p.kept, p.gone = setup, false, make(chan struct{}), make(chan struct{})
		if setup.Connected() {
			p.restored = nil // it was of a browser that chela launched
		}
		if p.warm > 0 {
			s.browser.KeepSpares(p.warm)
		}
		go p.awaitEnd(s.browser, p.carrier, p.kept, p.gone)
	}
	if !stopped {
		p.failures.note(s.setup, s.err, time.Now())
	}
	tooLate := p.closed && s.browser != nil
	p.mu.Unlock()
	if tooLate {
		s.browser.Close(ctx)
	}
	close(s.done)
}

// launch starts the browser with the current settings of the profile. If the profile was removed
// since the start was requested, the error is an [*UnknownError].
func (p *Profile) launch(ctx context.Context, m mode) (Setup, *browser.Browser, error) {
	c := p.config.Current()
	s, ok := setupOf(c, p.Name)
	if !ok {
		return s, nil, &UnknownError{p.Name, c.Browser.ProfileNames()}
	}
	if err := p.config.State().MakeProfileFolder(p.Name); err != nil { // also for a browser elsewhere: what is done in it is recorded here
		return s, nil, &StartError{p.Name, err}
	}
	if s = p.detectRunning(ctx, s); s.Found {
		if err := p.checkStrict(s); err != nil {
			return s, nil, err
		}
		slog.Warn("a browser runs at cdpUrl already: it is connected to, and not ended", "profile", p.Name, "cdpUrl", s.CDPURL())
	}
	if s.Connected() {
		b, err := p.connect(ctx, s)
		return s, b, err
	}
	if s.ExposeCDP && s.Port == 0 {
		port, err := p.givePort()
		if err != nil {
			return s, nil, err
		}
		s.Port = port
	}
	b, err := p.launchAs(ctx, s, m)
	return s, b, err
}

// launchAs launches a browser. A portable profile is taken first, and given back if that fails.
func (p *Profile) launchAs(ctx context.Context, s Setup, m mode) (*browser.Browser, error) {
	executable, err := chrome.Find(s.Executable)
	if err != nil {
		return nil, err
	}
	memory, err := p.memoryFor(ctx, s)
	if err != nil {
		return nil, err
	}
	if err := s.checkPort(); err != nil {
		return nil, err
	}
	c, memory, err := p.take(ctx, s, memory)
	if err != nil {
		return nil, err
	}
	ctx, cancel := c.whileHeld(ctx)
	defer cancel()
	b, err := p.launchChromium(ctx, s, m, executable, func(network *proxy.Proxy) browser.Options { return p.browserOptions(memory, network, c) })
	if err == nil {
		err = c.begin(ctx, b)
	}
	if err != nil {
		c.abort(b)
		if context.Cause(ctx) == ErrNotHeld {
			return nil, &TakeError{p.Name, ErrNotHeld}
		}
		return nil, &StartError{p.Name, err}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.carrier = c
	return b, nil
}

func (p *Profile) launchChromium(ctx context.Context, s Setup, m mode, executable chrome.Executable, options func(*proxy.Proxy) browser.Options) (*browser.Browser, error) {
	network, err := p.wall.open(s)
	if err != nil {
		return nil, err
	}
	o := s.options(executable, p.config.State().UserData(p.Name), network)
	o.Headless, o.Port = m.Headless, s.openPort()
	host, err := browser.Launch(ctx, o)
	if err != nil {
		network.Close()
		return nil, err
	}
	network.Admit(host.Describe().PID)
	if flags := s.FlagsWithoutEffect(); len(flags) > 0 {
		slog.Warn("browser.extraArgs: flags without effect, as the network policy would not hold with them", "profile", p.Name, "flags", flags)
	}
	if port := s.openPort(); port != 0 {
		network.Own(port)
		slog.Warn("exposeCdp: each program of this machine can drive the browser by its port", "profile", p.Name, "port", port)
	}
	return browser.Start(ctx, host, options(network))
}

// browserOptions returns the options for the profile's next browser. The browser of the [Renderer]
// keeps nothing. If the profile is portable, the carrier c also saves what another machine needs.
func (p *Profile) browserOptions(memory browser.Memory, network *proxy.Proxy, c *carrier) browser.Options {
	if p.renders() {
		return browser.Options{Files: p.files, Network: network, OnlyEphemeral: true}
	}
	keep := func(m browser.Memory) error {
		c.touch()
		return p.session.save(m)
	}
	return browser.Options{
		Memory: memory, Keep: keep, Sweep: p.cleanup, Hosts: p.limits.Hosts, Files: p.files, Network: network, Drops: p.drops, Portable: c != nil,
	}
}

// options returns the options for launching a browser of the setup.
func (s Setup) options(executable chrome.Executable, userData string, network *proxy.Proxy) chrome.Options {
	return chrome.Options{
		Executable: executable, UserDataDir: userData, LockHeld: true, // the server holds the lock of the state directory
		Proxy: network.URL(), NoSandbox: s.NoSandbox, IgnoreCertificates: s.IgnoreHTTPSErrors, ExtraArgs: s.ExtraArgs,
		ProfileName: s.Name, Color: s.Color,
	}
}
