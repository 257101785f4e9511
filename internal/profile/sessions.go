package profile

import (
	"context"
	"errors"
	"time"

	"chela/internal/browser"
)

// A SessionInfo is a session that uses the browser of a profile, or whose tabs the next
// browser of the profile opens again.
type SessionInfo struct {
	Profile string
	browser.SessionInfo
}

// Sessions lists the sessions of all profiles. It starts no browser.
func (m *Manager) Sessions(ctx context.Context) (list []SessionInfo) {
	for _, p := range m.every() {
		for _, s := range p.sessions(ctx) {
			list = append(list, SessionInfo{p.Name, s})
		}
	}
	return list
}

// EndSession ends a session in all profiles, see [browser.Session.End]. Tabs that wait to be
// opened again are dropped. It returns how many tabs were closed or dropped. Errors are those
// of closing tabs, and the cause of ctx.
func (m *Manager) EndSession(ctx context.Context, key string) (closed int, err error) {
	for _, p := range m.every() {
		n, failed := p.endSession(ctx, key)
		closed += n
		err = errors.Join(err, failed)
	}
	return closed, err
}

// every are all profiles, also those that no call has asked for yet: they may have tabs of the
// server before this one.
func (m *Manager) every() []*Profile {
	for _, name := range m.config.Current().Browser.ProfileNames() {
		m.Named(name)
	}
	return m.all()
}

func (p *Profile) sessions(ctx context.Context) []browser.SessionInfo {
	if b := p.Running(); b != nil {
		return b.Sessions()
	}
	memory, err := p.lastMemory(ctx)
	if err != nil {
		return nil
	}
	return memory.Sessions()
}

// endSession waits for a start that is under way: the new browser takes over the tabs.
func (p *Profile) endSession(ctx context.Context, key string) (closed int, err error) {
	if err := p.awaitStart(ctx); err != nil {
		return 0, err
	}
	if b := p.Running(); b != nil {
		closed, err = b.Session(key).End(ctx)
		b.Remember()
		return closed, err
	}
	if _, err := p.lastMemory(ctx); err != nil {
		return 0, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.memory, closed = p.memory.Without(key); closed > 0 {
		p.session().write(p.memory)
	}
	return closed, nil
}

// cleanup is when tabs of sessions are closed, as the configuration has it now.
func (p *Profile) cleanup() browser.Cleanup {
	c := p.config.Current().Browser.TabCleanup
	if !c.Enabled {
		return browser.Cleanup{}
	}
	minutes := func(n float64) time.Duration { return time.Duration(n * float64(time.Minute)) }
	return browser.Cleanup{Idle: minutes(c.IdleMinutes), MaxTabs: c.MaxTabsPerSession, Grace: minutes(c.SweepMinutes)}
}
