package profile

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"maps"
	"reflect"
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
	c, content, taken, err := p.hold(ctx, false)
	if err != nil {
		return nil, memory, err
	}
	if memory, err = c.choose(memory, content, taken); err != nil {
		c.abort(nil)
		return nil, memory, &TakeError{p.Name, err}
	}
	return c, memory, nil
}

// hold takes a portable profile from the keeper, and returns its content, without what a stop has
// forgotten that is still to be saved. For again see [Local]. Errors are the same as for take.
func (p *Profile) hold(ctx context.Context, again bool) (c *carrier, content carried, taken Taken, err error) {
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
	local.Again = again
	if taken, err = (*keeper).Take(ctx, local); err != nil {
		return nil, content, taken, &TakeError{p.Name, err}
	}
	c = &carrier{
		profile: p, holding: taken.Holding, local: local, changed: make(chan struct{}, 1), end: make(chan struct{}), ended: make(chan struct{}),
	}
	c.local.Generation = taken.Generation
	content, err = readCarried(taken.Content)
	switch stop := local.Stop; {
	case err != nil || stop == nil:
	case !taken.Same, stop.UnlessTaken && checkTakenIn(content.Memory.TabsOf("", false)) != nil:
		c.local.Stop = nil
	default:
		content = stop.restSaved(content)
	}
	if taken.Same || taken.Content == nil { // otherwise it is saved when the state from another machine is in the browser
		err = cmp.Or(err, p.saveLocal(c.local))
	}
	if err != nil {
		c.abort(nil)
		return nil, content, taken, &TakeError{p.Name, err}
	}
	return c, content, taken, nil
}

// stopSaved does to the saved content of a portable profile what a stop does to its browser. It does
// so if this machine had the profile last, and runs no browser. Otherwise the next browser would have
// the tabs again, and the cookies that the stop forgets.
//
// The stop is noted here first. If the content cannot be saved now, the next take applies the stop.
// With Forget the error is then a [*TakeError]. With UnlessTaken it can be a [*page.TakenError]. Other
// errors are the cause of ctx, a [*config.NewerError], or come from the file system.
func (p *Profile) stopSaved(ctx context.Context, how Stopping) error {
	local, unlock, err := p.lockSaved(ctx)
	if unlock == nil {
		return err
	}
	defer unlock()
	local.Stop = how.after(local.Stop)
	if err := p.saveLocal(local); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, lastTime)
	defer cancel()
	c, content, taken, err := p.hold(ctx, true)
	if err != nil {
		return p.unsaved(how, err)
	}
	defer c.abort(nil)
	if c.local.Stop == nil {
		return checkTakenIn(content.Memory.TabsOf("", false))
	}
	if taken.Content == nil {
		return nil
	}
	if err := c.put(ctx, content); err != nil {
		return p.unsaved(how, &TakeError{p.Name, err})
	}
	return nil
}

// notesStop reports whether a stop is noted that the saved content does not show.
func (p *Profile) notesStop() bool {
	local, err := p.local()
	return err == nil && local.Stop != nil
}

// endSaved ends a session in the saved content of a portable profile, as endRemembered does in the
// memory. It does so if this machine had the profile last, and runs no browser. Otherwise the next
// browser would open the session's tabs again. That the content could not be saved is only logged.
func (p *Profile) endSaved(ctx context.Context, key string) (closed int, err error) {
	_, unlock, err := p.lockSaved(ctx)
	if unlock == nil {
		return 0, err
	}
	defer unlock()
	ctx, cancel := context.WithTimeout(ctx, lastTime)
	defer cancel()
	c, content, _, err := p.hold(ctx, true)
	if err == nil {
		defer c.abort(nil)
		rest, n, taken := content.Memory.End(key)
		if reflect.DeepEqual(rest, content.Memory) {
			return 0, taken
		}
		content.Memory = rest
		if taken == nil {
			delete(content.Hosts, key)
		}
		if err = c.put(ctx, content); err == nil {
			return n, taken
		}
	}
	if !errors.Is(err, ErrNotHeld) { // another machine that has the profile ends the session itself
		slog.Warn("the end of a session could not be saved for a portable profile: its tabs may open again", "profile", p.Name, "session", key, "error", err)
	}
	return 0, nil
}

// lockSaved locks a portable profile, so that its saved content can be changed, and returns what this
// machine knows of it. The function unlock is nil if there is nothing to change: a browser runs, or
// this machine has never had the profile. It is also nil if there is an error: the cause of ctx, a
// [*config.NewerError], or one of the file system.
func (p *Profile) lockSaved(ctx context.Context) (local Local, unlock func(), err error) {
	if !p.Setup().Portable || p.keeper.Load() == nil {
		return local, nil, nil
	}
	if err := p.exclusive.Lock(ctx); err != nil {
		return local, nil, err
	}
	if p.Running() == nil { // otherwise a call has started the next browser meanwhile
		if err = p.awaitGone(ctx); err == nil {
			local, err = p.local()
		}
	}
	if err != nil || local.Generation == 0 {
		p.exclusive.Unlock()
		return local, nil, err
	}
	return local, p.exclusive.Unlock, nil
}

// after returns the stop that does what an earlier stop and this one do; earlier may be nil.
func (how Stopping) after(earlier *Stopping) *Stopping {
	if earlier != nil {
		how.Forget = how.Forget || earlier.Forget
		how.UnlessTaken = how.UnlessTaken && earlier.UnlessTaken
	}
	return &how
}

// unsaved handles the error of a stop that could not change what is saved. It returns the error if
// the stop was to forget logins: another machine may still take the profile with them. What another
// machine has by now is not this machine's to forget.
func (p *Profile) unsaved(how Stopping, err error) error {
	if how.Forget && !errors.Is(err, ErrNotHeld) {
		return err
	}
	slog.Info("a stop does not change what is saved of a portable profile now", "profile", p.Name, "error", err)
	return nil
}

// restSaved returns what is left of a saved content when the profile is stopped in this way.
func (how Stopping) restSaved(content carried) carried {
	content.Memory = how.rest(content.Memory)
	maps.DeleteFunc(content.Hosts, func(session string, _ []string) bool { return !slices.Contains(content.Memory.Isolated, session) })
	return content
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
