// Package profile has the named browsers: their settings, which ones run, and what the next browser
// of a profile takes over from the last one.
//
// A browser is started once for all callers that wait for it. The start goes on even when the
// deadline of a call has passed (start.go). A browser that cannot start is not tried again at once
// (failures.go). Somebody else may have started a browser on the profile's data. Such a browser is
// ended only if its lock and its command line prove that it uses these data (package chrome).
package profile

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"chela/internal/base/config"
	"chela/internal/base/media"
	"chela/internal/base/mutex"
	"chela/internal/engine/browser"
	"chela/internal/engine/extension"
	"chela/internal/engine/journal"
	"chela/internal/engine/setting"
	"chela/internal/wall/limits"
)

// A Manager holds the profiles. A server has one Manager.
//
// The profiles and their settings are read from the configuration at each call, since it can change
// while browsers run. The state of a profile's browser is in its [Profile], which is made at the
// first use of the profile.
type Manager struct {
	Drops journal.Drops // counts of what the event logs of all tabs have dropped

	config *config.Live
	files  *media.Roots
	wall   *wall
	limits *limits.Limits
	relay  *extension.Relay
	keeper atomic.Pointer[Keeper] // see KeepBy; nil: portable profiles cannot run

	changing sync.Mutex // held while profiles in the configuration are changed

	mu       sync.Mutex // guards the rest; taken before the mutex of a profile
	profiles map[string]*Profile
	closed   bool
}

// NewManager returns the profiles of a configuration; none runs yet.
func NewManager(c *config.Live, f *media.Roots, l *limits.Limits) *Manager {
	m := &Manager{config: c, files: f, limits: l, wall: newWall(c, f.Temp), profiles: map[string]*Profile{}}
	m.relay = relayOf(c, m.OwnPort)
	c.OnChange(m.reconfigure)
	return m
}

// reconfigure applies to all browsers what a changed configuration says of running ones: the network
// policy, and when tabs are closed.
func (m *Manager) reconfigure() {
	for _, b := range m.Running() {
		b.Reconfigure()
	}
}

// Named returns the profile of this name, which may be an alias; "" is the default profile. The
// error is an [*UnknownError]. A profile that was removed from the configuration can be used as
// long as its browser runs, so that the browser can be stopped.
func (m *Manager) Named(name string) (*Profile, error) {
	c := m.config.Current()
	name = c.Browser.ProfileName(name)
	m.mu.Lock()
	defer m.mu.Unlock()
	p := m.profiles[name]
	switch {
	case !exists(c, name) && (p == nil || p.renders() || p.Running() == nil):
		return nil, &UnknownError{name, c.Browser.ProfileNames()}
	case p == nil:
		p = m.newProfileLocked(name)
	}
	return p, nil
}

// newProfileLocked adds a profile. If its last browser was lost together with its server, the tabs
// are read from the session file.
func (m *Manager) newProfileLocked(name string) *Profile {
	p := &Profile{
		Name: name, config: m.config, files: m.files, wall: m.wall, limits: m.limits, relay: m.relay, drops: &m.Drops, keeper: &m.keeper, changing: &m.changing,
		kept: make(chan struct{}), gone: make(chan struct{}), exclusive: mutex.New(), closed: m.closed,
	}
	p.session.state, p.session.profile = m.config.State(), name
	close(p.kept)
	close(p.gone)
	if !p.renders() {
		p.readSessionLocked()
	}
	m.profiles[name] = p
	return p
}

// readSessionLocked reads the memory of the last browser from the session file. An earlier server may
// have launched that browser, and now the profile has one that somebody else starts: see lasting.
func (p *Profile) readSessionLocked() {
	memory, lost := p.session.read()
	memory = p.lastSetupLocked().lasting(memory)
	p.memory, p.lost, p.restored = memory, !lost.IsZero(), restoredFrom(memory, lost)
}

// A Listed is a profile, with its browser if that runs.
type Listed struct {
	Setup                    // how the browser would be started now
	Browser *browser.Browser // nil: no browser runs
	InForce Setup            // how Browser was started; without a browser, the same as Setup
	Pending []string         // settings that have changed since the browser was started, and apply from its next start
}

// List lists all profiles: those of the configuration, those that always exist, and those that were
// removed from the configuration while their browser runs.
func (m *Manager) List() (list []Listed) {
	all := m.config.Current().Browser.ProfileNames()
	m.mu.Lock()
	for _, name := range slices.Sorted(maps.Keys(m.profiles)) {
		if p := m.profiles[name]; !slices.Contains(all, name) && !p.renders() && p.Running() != nil {
			all = append(all, name)
		}
	}
	m.mu.Unlock()
	for _, name := range all {
		if p, err := m.Named(name); err == nil {
			list = append(list, p.Listed())
		}
	}
	return list
}

// Running returns the browsers that run.
func (m *Manager) Running() (running []*browser.Browser) {
	for _, p := range m.loaded() {
		if b := p.Running(); b != nil {
			running = append(running, b)
		}
	}
	return running
}

// loaded returns the profiles that were used since the server started.
func (m *Manager) loaded() []*Profile {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Collect(maps.Values(m.profiles))
}

// Remember writes what the next browser of a profile needs to a file, if that has changed, in case
// the present browser is lost. It is called after each call.
func (m *Manager) Remember(name string) {
	p, err := m.Named(name)
	if err != nil {
		return
	}
	p.mu.Lock()
	b, c := p.browser, p.carrier // even a browser that was just lost: what a call has changed before its answer must be saved
	p.mu.Unlock()
	if b != nil {
		b.Remember()
		c.touch()
	}
}

// Close stops all browsers. No browser can be started after that. Errors come from [Profile.Stop].
func (m *Manager) Close(ctx context.Context) error {
	m.mu.Lock()
	m.closed = true
	m.mu.Unlock()
	return errors.Join(m.each(func(p *Profile) error { return p.close(ctx) }), m.relay.Close())
}

// Stop stops all browsers. Another machine may go on with a portable profile. Errors come from
// [Profile.Stop].
func (m *Manager) Stop(ctx context.Context) error {
	return m.each(func(p *Profile) error { return p.Leave(ctx) })
}

// each calls the function do for all profiles that were used, each in a goroutine, and returns when
// all calls have returned. It joins their errors.
func (m *Manager) each(do func(*Profile) error) error {
	all := m.loaded()
	errs := make([]error, len(all))
	var doing sync.WaitGroup
	for i, p := range all {
		doing.Go(func() { errs[i] = do(p) })
	}
	doing.Wait()
	return errors.Join(errs...)
}

// A Profile is a named browser, running or not.
type Profile struct {
	Name  string
	Calls journal.TabCalls // calls on the profile's tabs

	config    *config.Live
	files     *media.Roots
	wall      *wall                   // shared with the manager
	limits    *limits.Limits          // shared with the manager
	relay     *extension.Relay        // shared with the manager
	drops     *journal.Drops          // shared with the manager
	keeper    *atomic.Pointer[Keeper] // shared with the manager
	changing  *sync.Mutex             // shared with the manager
	session   sessionStore
	exclusive mutex.Mutex // locked while a browser is launched, or data are moved away

	mu       sync.Mutex       // guards the rest
	browser  *browser.Browser // the browser that runs, or one that was lost and has not ended yet; or nil
	starting *start           // the browser on its way, or nil
	mode     mode             // mode in which browser was started
	launched Setup            // settings with which browser was started
	forget   bool             // browser is being stopped, and its session cookies are dropped
	carrier  *carrier         // saves the state of browser for other machines; nil unless the profile is portable
	kept     chan struct{}    // closed when the last browser has ended and memory is up to date
	gone     chan struct{}    // closed after kept, when a portable profile was given back as well
	memory   browser.Memory   // the memory for the next browser
	lost     bool             // the last browser was lost, not stopped
	restored *Restored        // restored after the last server was killed, and not reported yet; or nil
	failures failures
	crashes  int  // how many browsers in a row were lost soon after their start, see startAgain
	warm     int  // how many empty tabs the browser keeps ready; 0: it starts with the first call
	closed   bool // no browser starts any more
}

// close stops the browser, for good. Another machine may go on with a portable profile.
func (p *Profile) close(ctx context.Context) error {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	return p.Leave(ctx)
}

// Setup returns how the browser would be started now. If the profile was removed from the
// configuration, it returns how the running browser was started.
func (p *Profile) Setup() Setup {
	s, ok := setupOf(p.config.Current(), p.Name)
	p.mu.Lock()
	defer p.mu.Unlock()
	if !ok {
		s = p.launched
		s.Missing, s.IsDefault = true, false
		return s
	}
	s.Found = p.launched.Found && s.mayBeFound() && s.URL == p.launched.URL && p.runningLocked() != nil
	return s
}

// Listed returns the profile as a list has it.
func (p *Profile) Listed() Listed {
	now := p.Setup()
	p.mu.Lock()
	defer p.mu.Unlock()
	l := Listed{Setup: now, Browser: p.runningLocked(), InForce: now}
	if l.Browser != nil {
		l.InForce, l.Pending = p.launched, now.changedFrom(p.launched)
	}
	return l
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

// Settings returns the settings of all tabs, even if the browser was lost and will be started
// again. The error is the cause of ctx.
func (p *Profile) Settings(ctx context.Context) (setting.Common, error) {
	if b := p.Running(); b != nil {
		return b.Settings(), nil
	}
	memory, err := p.lastMemory(ctx)
	return memory.Settings, err
}

// Mode reports whether the browser is headless, or would be if it were started now. The result
// source says what decides that: request, env, profile, config, linux-display-fallback, executable or
// default. For a browser that somebody else has started, the result is what the browser has reported.
func (p *Profile) Mode() (headless bool, source string) {
	now := p.Setup()
	if b := p.Running(); b != nil && !b.Describe().Own {
		return b.Describe().Headless, "default"
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	m := p.mode
	if p.runningLocked() == nil {
		m, _ = decideMode(nil, now)
	}
	return m.Headless, m.Source
}
