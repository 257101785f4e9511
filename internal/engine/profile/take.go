package profile

import (
	"context"
	"crypto/rand"
	"log/slog"

	"chela/internal/engine/browser"
)

// take takes a portable profile, and returns the memory for its next browser. The carrier is nil
// for any other profile. Errors are a [*NotKeptError], a [*config.NewerError], and a [*TakeError]
// with the error of the [Keeper].
func (p *Profile) take(ctx context.Context, s Setup, memory browser.Memory) (*carrier, browser.Memory, error) {
	keeper := p.keeper.Load()
	switch {
	case !s.Portable:
		return nil, memory, nil
	case keeper == nil:
		return nil, memory, &NotKeptError{p.Name}
	}
	local, err := p.local()
	if err != nil {
		return nil, memory, err
	}
	if local.Holder == "" {
		local.Holder = rand.Text()
	}
	taken, err := (*keeper).Take(ctx, local)
	if err != nil {
		return nil, memory, &TakeError{p.Name, err}
	}
	local.Generation = taken.Generation
	c := &carrier{
		profile: p, holding: taken.Holding, local: local, changed: make(chan struct{}, 1), end: make(chan struct{}), ended: make(chan struct{}),
	}
	content, err := readCarried(taken.Content)
	if err == nil {
		memory, err = c.choose(memory, content, taken)
	}
	if err == nil && !c.fetched {
		err = p.saveLocal(local) // otherwise it is saved when the state from another machine is in the browser
	}
	if err != nil {
		taken.Release(ctx)
		return nil, memory, &TakeError{p.Name, err}
	}
	return c, memory, nil
}

// choose returns the memory for the next browser. If another machine has had the profile since this
// one, the data here are out of date, and are moved to the trash. Otherwise the data here are as
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
		return content.Memory, nil
	}
	to, err := p.trash().take(p.Name, p.userData(), "user-data")
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
