package profile

import (
	"context"
	"crypto/rand"
	"log/slog"
	"maps"
	"slices"

	"chela/internal/engine/browser"
)

// take takes a portable profile, and returns the memory for its next browser. The carrier is nil
// for any other profile. Errors are a [*NotKeptError], a [*config.NewerError], and a [*TakeError]
// with the error of the [Keeper].
func (p *Profile) take(ctx context.Context, s Setup, memory browser.Memory) (*carrier, browser.Memory, error) {
	if !s.Portable {
		return nil, memory, nil
	}
	c, content, taken, err := p.hold(ctx)
	if err != nil {
		return nil, memory, err
	}
	memory, err = c.choose(memory, content, taken)
	if err == nil && !c.fetched {
		err = p.saveLocal(c.local) // otherwise it is saved when the state from another machine is in the browser
	}
	if err != nil {
		taken.Release(ctx)
		return nil, memory, &TakeError{p.Name, err}
	}
	return c, memory, nil
}

// hold takes a portable profile from the keeper, and returns its content. Errors are the
// same as for take.
func (p *Profile) hold(ctx context.Context) (c *carrier, content carried, taken Taken, err error) {
	keeper := p.keeper.Load()
	if keeper == nil {
		return nil, content, taken, &NotKeptError{p.Name}
	}
	local, err := p.local()
	if err != nil {
		return nil, content, taken, err
	}
	if local.Holder == "" {
		local.Holder = rand.Text()
	}
	if taken, err = (*keeper).Take(ctx, local); err != nil {
		return nil, content, taken, &TakeError{p.Name, err}
	}
	if content, err = readCarried(taken.Content); err != nil {
		taken.Release(ctx)
		return nil, content, taken, &TakeError{p.Name, err}
	}
	local.Generation = taken.Generation
	c = &carrier{
		profile: p, holding: taken.Holding, local: local, changed: make(chan struct{}, 1), end: make(chan struct{}), ended: make(chan struct{}),
	}
	return c, content, taken, nil
}

// stopSaved does to the saved content of a portable profile what a stop does to its browser, while no
// machine runs one. Otherwise the next browser would have the tabs again, and the cookies that the stop
// forgets. With UnlessTaken the error can be a [*page.TakenError]. Other errors are the same as
// for take.
func (p *Profile) stopSaved(ctx context.Context, how Stopping) error {
	if !p.Setup().Portable || p.keeper.Load() == nil {
		return nil
	}
	if err := p.lockExclusive(ctx); err != nil {
		return err
	}
	defer p.unlockExclusive()
	if p.Running() != nil { // a call has started the next browser meanwhile
		return nil
	}
	c, content, taken, err := p.hold(ctx)
	if err != nil {
		return err
	}
	defer c.abort(nil)
	if how.UnlessTaken {
		if err := checkTakenIn(content.Memory.TabsOf("", false)); err != nil {
			return err
		}
	}
	if taken.Same {
		err = p.saveLocal(c.local)
	}
	if err == nil && taken.Content != nil {
		content.Memory = how.rest(content.Memory)
		maps.DeleteFunc(content.Hosts, func(session string, _ []string) bool { return !slices.Contains(content.Memory.Isolated, session) })
		err = c.put(ctx, content)
	}
	if err != nil {
		return &TakeError{p.Name, err}
	}
	return nil
}

// choose returns the memory for the next browser. If another machine has had the profile since this
// one, the data here are out of date, and are moved away, see outdated. Otherwise the data here are as
// new as the saved content, or newer. After a stop, the memory here has no tabs, but the saved
// content has the tabs that were left for other machines. No handle that was used on this machine or
// another one is used again.
func (c *carrier) choose(memory browser.Memory, content carried, taken Taken) (browser.Memory, error) {
	p := c.profile
	content.Memory.LastTab = max(content.Memory.LastTab, memory.LastTab)
	c.from = content
	switch {
	case taken.Content == nil:
		return memory, nil
	case taken.Same && p.wasLost():
		return memory, nil
	case taken.Same:
		memory = content.Memory
		for session, hosts := range content.Hosts {
			if !slices.Equal(hosts, p.limits.Hosts(session)) { // the session was ended since
				memory = memory.Without(session)
			}
		}
		return memory, nil
	}
	to, err := p.outdated().take(p.Name, p.userData(), "user-data")
	if err != nil {
		return memory, err
	}
	slog.Info("a profile comes from another machine", "profile", p.Name, "tabs", len(content.Memory.Tabs), "own data moved to", to)
	p.forgetRestored()
	c.fetched = true
	memory = content.Memory
	for session, hosts := range content.Hosts {
		if err := p.limits.SetHosts(session, hosts); err != nil {
			slog.Warn("tabs of a session do not come along: it is limited to other hosts here", "profile", p.Name, "session", session, "error", err)
			memory = memory.Without(session)
		}
	}
	return memory, nil
}

func (p *Profile) wasLost() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.lost
}

func (p *Profile) forgetRestored() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.restored = nil
}
