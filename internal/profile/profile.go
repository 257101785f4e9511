// Package profile is the named browsers: their settings, which ones run, and
// what the next browser of a profile takes over from the last one.
package profile

import (
	"context"
	"sync"

	"chela/internal/browser"
	"chela/internal/config"
	"chela/internal/media"
	"chela/internal/page"
)

// Default is the name of the profile whose browser chela launches.
const Default = "chela"

// aliases are other names that the default profile is called by.
var aliases = map[string]bool{"": true, Default: true, "openclaw": true, "clawd": true}

// A Manager holds the profiles. There is one.
type Manager struct{ profile *Profile }

// NewManager returns the profiles of a configuration; none runs yet. A profile
// whose browser was lost together with the server before this one still has its
// tabs, from its session file.
func NewManager(c *config.Live, f *media.Roots) *Manager {
	p := &Profile{Name: Default, config: c, files: f, gone: make(chan struct{})}
	close(p.gone)
	p.memory = p.session().read()
	return &Manager{p}
}

// Named returns the profile of this name, or an [*UnknownError].
func (m *Manager) Named(name string) (*Profile, error) {
	if !aliases[name] {
		return nil, &UnknownError{name}
	}
	return m.profile, nil
}

// Remember writes what has changed in the browsers, for those that may have to
// take over from them. It is called after each call.
func (m *Manager) Remember() {
	if b := m.profile.Running(); b != nil {
		b.Remember()
	}
}

// Close stops all browsers, for good. Errors are those of [Profile.Stop].
func (m *Manager) Close(ctx context.Context) error {
	m.profile.mu.Lock()
	m.profile.closed = true
	m.profile.mu.Unlock()
	_, err := m.profile.Stop(ctx, false)
	return err
}

// A Profile is a named browser, running or not.
type Profile struct {
	Name string

	config *config.Live
	files  *media.Roots

	mu       sync.Mutex       // guards the rest
	browser  *browser.Browser // that runs, or has been lost and has not ended yet; or nil
	starting *start           // the browser on its way, or nil
	mode     mode             // of browser
	gone     chan struct{}    // closed when memory is what is left of the last browser
	memory   browser.Memory   // for the next browser
	failures failures
	closed   bool // no browser starts any more
}

// Running returns the browser if it runs, else nil.
func (p *Profile) Running() *browser.Browser {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.runningLocked()
}

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

// Settings returns what all tabs are set to, also those of a browser that was lost
// and will be started again. The error is the cause of ctx.
func (p *Profile) Settings(ctx context.Context) (page.Common, error) {
	if b := p.Running(); b != nil {
		return b.Settings(), nil
	}
	memory, err := p.lastMemory(ctx)
	return memory.Settings, err
}

// Mode reports whether the browser has no windows, or would have none if it were
// started now, and what decided that: request, env, config,
// linux-display-fallback or default.
func (p *Profile) Mode() (headless bool, source string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	m := p.mode
	if p.runningLocked() == nil {
		m, _ = decide(nil, p.config.Current().Browser.Headless)
	}
	return m.Headless, m.Source
}
