package profile

import (
	"context"
	"errors"
	"reflect"
	"time"

	"chela/internal/engine/browser"
)

// A SessionInfo is a session that uses the browser of a profile, or whose tabs the next
// browser of the profile opens again.
type SessionInfo struct {
	Profile string
	browser.SessionInfo
}

// Sessions lists the sessions of all profiles. It starts no browser.
func (m *Manager) Sessions(ctx context.Context) (list []SessionInfo) {
	for _, p := range m.all() {
		for _, s := range p.sessions(ctx) {
			list = append(list, SessionInfo{p.Name, s})
		}
	}
	return list
}

// EndSession ends a session in the profiles whose names the function in accepts, see
// [browser.Session.End]. The session's tabs that wait to be opened again are dropped. It returns how
// many tabs were closed or dropped. If a person has taken over one of the tabs, the session goes on
// there, and the error is a [*page.TakenError]. If the end could not be written, it is an
// [*UnwrittenEndError]. Other errors come from closing tabs, or are the cause of ctx.
func (m *Manager) EndSession(ctx context.Context, key string, in func(profile string) bool) (closed int, err error) {
	for _, p := range m.all() {
		if !in(p.Name) {
			continue
		}
		n, failed := p.endSession(ctx, key)
		closed += n
		err = errors.Join(err, failed)
	}
	return closed, err
}

// all loads all profiles and returns them. Even a profile that no call has used yet may have tabs,
// left by the last server.
func (m *Manager) all() []*Profile {
	for _, name := range m.config.Current().Browser.ProfileNames() {
		m.Named(name)
	}
	return m.loaded()
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

// endSession ends a session in the running browser of the profile. If none runs, it ends the session
// in what the next browser gets: the memory, and what is saved of a portable profile.
func (p *Profile) endSession(ctx context.Context, key string) (closed int, err error) {
	for {
		if b := p.Running(); b != nil {
			closed, err = b.Session(key).End(ctx)
			return closed, errors.Join(err, unwrittenEnd(key, b.Remember()))
		}
		if err := p.awaitStart(ctx); err != nil {
			return 0, err
		}
		if _, err := p.lastMemory(ctx); err != nil {
			return 0, err
		}
		closed, ended, err := p.endRemembered(key)
		if !ended {
			continue
		}
		saved, failed := p.endSaved(ctx, key)
		if p.Running() == nil { // otherwise the next browser may have the session's tabs already
			return max(closed, saved), errors.Join(err, failed)
		}
	}
}

// endRemembered ends a session in the memory for the next browser. If a browser runs or is being
// started, it has taken over the memory already: endRemembered then does nothing and returns ended
// as false.
func (p *Profile) endRemembered(key string) (closed int, ended bool, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.browser != nil || p.starting != nil {
		return 0, false, nil
	}
	rest, closed, taken := p.memory.End(key)
	if reflect.DeepEqual(rest, p.memory) {
		return 0, true, taken
	}
	if p.restored != nil {
		p.restored = restoredFrom(rest, p.restored.Saved)
	}
	return closed, true, errors.Join(taken, unwrittenEnd(key, p.keepMemoryLocked(rest, p.lost)))
}

// cleanup returns the rules by which chela closes tabs of sessions on its own, from the current
// configuration.
func (p *Profile) cleanup() browser.Cleanup {
	c := p.config.Current().Browser.TabCleanup
	if !c.Enabled {
		return browser.Cleanup{}
	}
	minutes := func(n float64) time.Duration { return time.Duration(n * float64(time.Minute)) }
	return browser.Cleanup{Idle: minutes(c.IdleMinutes), MaxTabs: c.MaxTabsPerSession, Grace: minutes(c.SweepMinutes)}
}
