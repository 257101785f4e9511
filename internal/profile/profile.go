// Package profile is the named browsers: their settings, and which ones run.
package profile

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"chela/internal/browser"
	"chela/internal/chrome"
	"chela/internal/config"
	"chela/internal/media"
)

// Default is the name of the browser that chela runs.
const Default = "chela"

// aliases are other names that the default profile is called by.
var aliases = map[string]bool{"": true, Default: true, "openclaw": true, "clawd": true}

// A Profile is a named browser, running or not.
type Profile struct {
	Name string

	config *config.Config
	files  *media.Roots

	mu       sync.Mutex // guards the rest
	browser  *browser.Browser
	starting *start
	headless mode
	gone     chan struct{}  // of the last browser: closed when memory is what is left of it
	memory   browser.Memory // for the next browser
	failures failures
	closed   bool
}

// A start is a browser on its way, for all who wait for it.
type start struct {
	done    chan struct{} // closed when the rest is set
	browser *browser.Browser
	err     error
}

// A mode is whether a browser has windows, and what decided it.
type mode struct {
	Headless bool
	Source   string
}

// startTime bounds the start of a browser.
const startTime = 30 * time.Second

// Named returns the profile of this name.
func (m *Manager) Named(name string) (*Profile, error) {
	if !aliases[name] {
		return nil, &UnknownError{name}
	}
	return m.profile, nil
}

// Manager holds the profiles.
type Manager struct{ profile *Profile }

// NewManager returns the profiles of a configuration; none runs yet. One whose
// browser was lost with the server before this one still has its tabs.
func NewManager(c *config.Config, f *media.Roots) *Manager {
	p := &Profile{Name: Default, config: c, files: f, gone: make(chan struct{})}
	close(p.gone)
	p.memory = p.session().read()
	return &Manager{p}
}

// Close stops all browsers, for good.
func (m *Manager) Close(ctx context.Context) error {
	m.profile.mu.Lock()
	m.profile.closed = true
	m.profile.mu.Unlock()
	_, err := m.profile.Stop(ctx, false)
	return err
}

// Remember keeps what has changed in the browsers for those that may have to
// take over from them. It is called after each call.
func (m *Manager) Remember() {
	if b := m.profile.Running(); b != nil {
		b.Remember()
	}
}

// Running returns the browser if it runs, else nil.
func (p *Profile) Running() *browser.Browser {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.runningLocked()
}

// runningLocked is Running for who holds mu.
func (p *Profile) runningLocked() *browser.Browser {
	if p.browser == nil {
		return nil
	}
	select {
	case <-p.browser.Lost():
		return nil
	default:
		return p.browser
	}
}

// Browser returns the running browser and starts it if it is not. It is started
// once for all who wait; who stops waiting does not stop it.
func (p *Profile) Browser(ctx context.Context) (*browser.Browser, error) {
	return p.Start(ctx, nil)
}

// Start is Browser for a caller who may want it headless, or not.
func (p *Profile) Start(ctx context.Context, headless *bool) (*browser.Browser, error) {
	p.mu.Lock()
	if b := p.runningLocked(); b != nil {
		p.mu.Unlock()
		return b, nil
	}
	if p.starting == nil {
		if err := p.mayStart(); err != nil {
			p.mu.Unlock()
			return nil, err
		}
		m, err := decide(headless, p.config.Browser.Headless)
		if err != nil {
			p.mu.Unlock()
			return nil, err
		}
		p.headless = m
		p.starting = &start{done: make(chan struct{})}
		go p.start(p.starting, m)
	}
	s := p.starting
	p.mu.Unlock()
	select {
	case <-s.done:
		return s.browser, s.err
	case <-ctx.Done():
		return nil, fmt.Errorf("%w: %w", ErrStarting, context.Cause(ctx))
	}
}

// mayStart returns why no browser may be started now: [ErrClosed], a
// [*NotAllowedError], or a [*RepeatedError].
func (p *Profile) mayStart() error {
	switch {
	case p.closed:
		return ErrClosed
	case !p.config.Browser.Enabled:
		return &NotAllowedError{Profile: p.Name, File: p.config.File}
	case p.config.Browser.AttachOnly:
		return &NotAllowedError{Profile: p.Name, File: p.config.File, AttachOnly: true}
	}
	return p.failures.mayTry()
}

func (p *Profile) start(s *start, m mode) {
	ctx, cancel := context.WithTimeout(context.Background(), startTime)
	defer cancel()
	s.browser, s.err = p.launch(ctx, m)
	p.mu.Lock()
	p.starting = nil
	if p.browser = s.browser; s.browser != nil {
		p.gone = make(chan struct{})
		go p.bury(s.browser, p.gone)
	}
	p.failures.note(s.err)
	stray := p.closed && s.browser != nil
	p.mu.Unlock()
	if stray {
		s.browser.Close(ctx)
	}
	close(s.done)
}

func (p *Profile) launch(ctx context.Context, m mode) (*browser.Browser, error) {
	settings := p.config.Browser
	executable, err := chrome.Find(settings.ExecutablePath)
	if err != nil {
		return nil, err
	}
	memory, err := p.left(ctx)
	if err != nil {
		return nil, err
	}
	host, err := browser.Launch(ctx, chrome.Options{
		Executable: executable, UserDataDir: p.config.State.UserData(p.Name), LockHeld: true, // the server's, on the state directory
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

// bury keeps what is left of a browser when it has gone, and nothing else of it.
func (p *Profile) bury(b *browser.Browser, gone chan struct{}) {
	defer close(gone)
	memory := b.Memory()
	p.session().write(memory)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.memory = memory
	if p.browser == b {
		p.browser = nil
	}
}

// left waits until the last browser has gone, if it is going, and returns what
// is left of it.
func (p *Profile) left(ctx context.Context) (browser.Memory, error) {
	p.mu.Lock()
	gone := p.gone
	p.mu.Unlock()
	select {
	case <-gone:
	case <-ctx.Done():
		return browser.Memory{}, context.Cause(ctx)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.memory, nil
}

// Stop closes the browser; false if it did not run. The tabs are gone then. The
// cookies stay, also those of sessions unless they are to be forgotten.
func (p *Profile) Stop(ctx context.Context, forget bool) (bool, error) {
	p.mu.Lock()
	s := p.starting
	p.mu.Unlock()
	if s != nil {
		select {
		case <-s.done:
		case <-ctx.Done():
			return false, context.Cause(ctx)
		}
	}
	p.mu.Lock()
	b, ran := p.browser, p.runningLocked() != nil
	p.mu.Unlock()
	var err error
	if b != nil { // also one that was lost, and has not ended yet
		err = b.Close(ctx)
	}
	if _, left := p.left(ctx); left != nil {
		return ran, errors.Join(err, left)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.memory = p.memory.Closed()
	if forget {
		p.memory.Cookies = nil
	}
	p.session().write(p.memory)
	return ran, err
}

// Remembered returns the tabs of a browser that was lost, and that the next one
// opens again when they are used; none while a browser runs.
func (p *Profile) Remembered(ctx context.Context) (list []browser.Info) {
	p.mu.Lock()
	running := p.runningLocked() != nil
	p.mu.Unlock()
	memory, err := p.left(ctx)
	if running || err != nil {
		return nil
	}
	for _, t := range memory.Tabs {
		list = append(list, t.Info())
	}
	return list
}

// Mode returns whether the browser has windows, or would have, and why.
func (p *Profile) Mode() (headless bool, source string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.runningLocked() != nil {
		return p.headless.Headless, p.headless.Source
	}
	m, _ := decide(nil, p.config.Browser.Headless)
	return m.Headless, m.Source
}

// decide says whether a browser is to have windows: by the request, else the
// environment, else the settings, else by whether there is a display.
func decide(request, setting *bool) (mode, error) {
	display := hasDisplay()
	m := mode{Headless: !display, Source: "default"}
	env := os.Getenv("CHELA_HEADLESS")
	switch {
	case request != nil:
		m = mode{*request, "request"}
	case env == "1" || env == "0":
		m = mode{env == "1", "env"}
	case setting != nil:
		m = mode{*setting, "config"}
	case !display:
		m.Source = "linux-display-fallback"
	}
	if m.Headless || display {
		return m, nil
	}
	return m, &NoDisplayError{Profile: Default, Source: m.Source}
}
