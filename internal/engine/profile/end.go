package profile

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"chela/internal/engine/browser"
)

// awaitEnd waits until a browser has ended, keeps its memory, and gives a portable profile back.
// That may take a while, as other machines are told.
func (p *Profile) awaitEnd(b *browser.Browser, c *carrier, kept, gone chan struct{}) {
	defer close(gone)
	begun := time.Now()
	again := p.keepLast(b, b.Memory())
	lived := time.Since(begun)
	close(kept)
	c.finish(b)
	if again {
		p.startAgain(lived)
	}
}

// keepLast keeps the memory of a browser that has gone. If the browser was stopped, it keeps only what
// outlasts the stop: the next browser may take the memory over before the stop goes on. It reports
// whether the next browser must be started without a call, to keep empty tabs ready.
func (p *Profile) keepLast(b *browser.Browser, memory browser.Memory) (again bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	lost := !b.WasClosed()
	if !lost {
		memory = Stopping{Forget: p.forget}.rest(memory)
	}
	if err := p.keepMemoryLocked(memory, lost); err != nil {
		slog.Warn("a browser has ended", "profile", p.Name, "error", err)
	}
	p.browser, p.carrier = nil, nil // still those of b: the next browser starts after awaitGone
	return p.warm > 0 && lost && !p.closed
}

// keepMemoryLocked keeps the memory of the last browser for the next one, and writes it to a file.
// The last browser was either lost or stopped. No browser may be running. The error comes from the
// file system. Even then, the next browser of this server takes the memory over.
func (p *Profile) keepMemoryLocked(m browser.Memory, lost bool) error {
	p.memory, p.lost = m, lost
	switch {
	case p.renders():
		return nil
	case lost:
		return p.session.save(p.lastSetupLocked().lasting(m))
	}
	return p.session.close(p.lastSetupLocked().lasting(m))
}

// lasting returns the part of a browser's memory that outlasts the server. Of a browser that somebody
// else has started, that is only [browser.Memory.Fresh]: its tabs may be the user's own.
func (s Setup) lasting(m browser.Memory) browser.Memory {
	if s.Connected() {
		return m.Fresh()
	}
	return m
}

// lastSetupLocked returns how the last browser was started. If this server has started none, it
// returns how one would be started now, without asking whether one runs at the profile's URL.
func (p *Profile) lastSetupLocked() Setup {
	if p.launched.Name != "" {
		return p.launched
	}
	s, _ := setupOf(p.config.Current(), p.Name)
	return s
}

// lastMemory waits until the last browser has ended, and returns its memory. It must not be called
// while a browser runs. A browser that was lost ends by itself.
func (p *Profile) lastMemory(ctx context.Context) (browser.Memory, error) {
	p.mu.Lock()
	kept := p.kept
	p.mu.Unlock()
	if err := await(ctx, kept); err != nil {
		return browser.Memory{}, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.memory, nil
}

// awaitGone waits until nothing of the last browser is left: a portable profile was given back. The
// next browser must not start before that. The error is the cause of ctx.
func (p *Profile) awaitGone(ctx context.Context) error {
	p.mu.Lock()
	gone := p.gone
	p.mu.Unlock()
	return await(ctx, gone)
}

// await waits until a channel is closed. The error is the cause of ctx.
func await(ctx context.Context, closed <-chan struct{}) error {
	select {
	case <-closed:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Stop closes the browser, or ends its start. It forgets the tabs, also those of a lost browser, and
// those that this machine has saved for others, see stopSaved. If the last state of a browser that ran
// could not be saved, Stop tries once more. It reports whether a browser ran or was
// starting. The error is the cause of ctx, or comes from [browser.Browser.Close] or the file system.
// With UnlessTaken it can be a [*page.TakenError]. With Forget it is a [*config.NewerError] if a newer
// chela has written the session cookies: they stay.
func (p *Profile) Stop(ctx context.Context, how Stopping) (ran bool, err error) {
	if how.Forget {
		p.mu.Lock()
		err := p.mayTakeOverLocked()
		p.mu.Unlock()
		if err != nil {
			return false, err
		}
	}
	started, err := p.endStart(ctx)
	if err != nil {
		return false, err
	}
	switch ran, err = p.stopRunning(ctx, how); {
	case err != nil || how.leave:
	case !ran:
		err = p.stopSaved(ctx, how)
	case p.notesStop():
		if unsaved := p.stopSaved(ctx, how); how.Forget {
			err = unsaved
		}
	}
	return ran || started, err
}

// Stopping says how a browser is stopped.
type Stopping struct {
	Forget      bool `json:"forget,omitempty"`      // drop the session cookies; all other cookies stay
	UnlessTaken bool `json:"unlessTaken,omitempty"` // change nothing if a person has taken over a tab

	leave bool // if the profile is portable, another machine will continue with the tabs
}

// rest returns what this machine keeps of a memory when its browser is stopped in this way.
func (how Stopping) rest(m browser.Memory) browser.Memory {
	m = m.Closed()
	if how.Forget {
		m = m.WithoutSession()
	}
	return m
}

// stopRunning does what Stop does, but does not wait for a start that is under way. It waits until a
// portable profile was given back, or until ctx ends: the profile is given back even after that.
func (p *Profile) stopRunning(ctx context.Context, how Stopping) (ran bool, err error) {
	if how.UnlessTaken {
		tabs, err := p.tabs(ctx)
		if err := errors.Join(err, checkTakenIn(tabs)); err != nil {
			return false, err
		}
	}
	p.mu.Lock()
	b, c, gone, ran := p.browser, p.carrier, p.gone, p.runningLocked() != nil
	p.forget = p.forget || how.Forget
	p.mu.Unlock()
	if b != nil { // b may also be a lost browser whose processes have not ended
		c.prepareEnd(ctx, b, how)
		err = b.Close(ctx)
		defer await(ctx, gone)
		ctx = context.WithoutCancel(ctx) // the browser has ended and its memory is there at once, so this need not end with ctx
	}
	if _, ended := p.lastMemory(ctx); ended != nil {
		return ran, errors.Join(err, ended)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.browser != nil || p.starting != nil { // a call has started the next browser meanwhile
		return ran, err
	}
	p.restored = nil
	return ran, errors.Join(err, p.keepMemoryLocked(how.rest(p.memory), false))
}

// endStart ends the start that is under way, and reports whether there was one. A browser that hangs
// as it starts is killed. The start may also succeed at this moment: then the browser runs. The error
// is the cause of ctx.
func (p *Profile) endStart(ctx context.Context) (found bool, err error) {
	p.mu.Lock()
	s := p.starting
	p.mu.Unlock()
	if s == nil {
		return false, nil
	}
	s.end(ErrStartStopped)
	return true, await(ctx, s.done)
}

// awaitStart waits until the start that is under way, if any, has succeeded or failed. The error is
// the cause of ctx.
func (p *Profile) awaitStart(ctx context.Context) error {
	p.mu.Lock()
	s := p.starting
	p.mu.Unlock()
	if s == nil {
		return nil
	}
	return await(ctx, s.done)
}

// Remembered returns the tabs of a lost browser that a session may see. The next browser opens them
// again when they are used. While a browser runs, there are none.
func (p *Profile) Remembered(ctx context.Context, session string) []browser.Info {
	if p.Running() != nil {
		return nil
	}
	memory, err := p.lastMemory(ctx)
	if err != nil {
		return nil
	}
	return memory.TabsOf(session, p.limits.Hosts(session) != nil)
}
