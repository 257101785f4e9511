package profile

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"sync"
	"time"

	"chela/internal/base/config"
	"chela/internal/engine/browser"
)

// These limit how often a portable profile is saved. A change is saved after saveDelay. If saving
// takes long, the next save waits longer: at most a tenth of the time is spent on saving. What was
// not saved is lost when the machine is killed.
const (
	saveDelay = 2 * time.Second
	saveShare = 10
	saveTime  = 30 * time.Second // how long saving may take while the browser runs
	lastTime  = 2 * time.Second  // how long saving may take when the browser ends
)

// A carrier saves the state of a portable profile's browser, while this machine has the profile.
type carrier struct {
	profile *Profile
	holding Holding
	local   Local
	from    carried // state that was saved last; emptied when the browser has it
	fetched bool    // from is the state of another machine, which must be loaded into the browser

	changed  chan struct{}   // has a value if something is to be saved
	saves    context.Context // context of all saves while the browser runs
	endSaves func()          // ends saves
	end      chan struct{}   // closed when the browser has ended
	ended    chan struct{}   // closed when run has returned
	saved    []byte          // state that was saved last; used by run and, after run has returned, by finish

	mu    sync.Mutex // guards the rest
	how   *Stopping  // how the browser is being stopped; nil: nobody stops it
	final *carried   // state that was read from the browser before it was stopped; nil: it was not read yet
}

// whileHeld returns a context for the start of the browser, which ends with the cause [ErrNotHeld]
// when another machine may have the profile. For a nil carrier, it ends only with ctx.
func (c *carrier) whileHeld(ctx context.Context) (_ context.Context, cancel func()) {
	ctx, end := context.WithCancelCause(ctx)
	if c != nil {
		go func() {
			select {
			case <-c.holding.Lost():
				end(ErrNotHeld)
			case <-ctx.Done():
			}
		}()
	}
	return ctx, func() { end(nil) }
}

// begin gives the browser the state that was saved last. If it is from another machine, begin loads it
// into the browser, and records that this machine has the profile. Then begin has changes saved. A
// nil carrier does nothing.
func (c *carrier) begin(ctx context.Context, b *browser.Browser) error {
	if c == nil {
		return nil
	}
	if c.fetched {
		if err := b.Receive(ctx, c.from.Origins); err != nil {
			return err
		}
		if err := c.profile.saveLocal(c.local); err != nil {
			return err
		}
	} else {
		b.Resume(c.from.Origins)
	}
	c.from = carried{}
	c.saves, c.endSaves = context.WithCancel(context.Background())
	c.touch()
	go c.run(b)
	return nil
}

// touch has the profile saved soon. A nil carrier saves nothing.
func (c *carrier) touch() {
	if c == nil {
		return
	}
	select {
	case c.changed <- struct{}{}:
	default:
	}
}

// run saves each change until the browser has ended. As soon as another machine may have the
// profile, it abandons the browser. It does not wait for a save that is under way then. The store
// may not answer, and the other machine may start its own browser within a second.
func (c *carrier) run(b *browser.Browser) {
	defer close(c.ended)
	refused := make(chan struct{})
	var saving sync.WaitGroup
	saving.Go(func() {
		if errors.Is(c.saveChanges(b), ErrNotHeld) {
			close(refused)
		}
	})
	select {
	case <-c.holding.Lost():
		c.abandon(b)
	case <-refused:
		c.abandon(b)
	case <-c.end:
	}
	c.endSaves()
	saving.Wait()
}

// saveChanges saves each change, until c.saves ends. The error is [ErrNotHeld] if another machine
// has the profile, or else nil.
func (c *carrier) saveChanges(b *browser.Browser) error {
	wait := saveDelay
	for {
		select {
		case <-c.changed:
		case <-c.saves.Done():
			return nil
		}
		select {
		case <-time.After(wait):
		case <-c.saves.Done():
			return nil
		}
		begun := time.Now()
		err := c.save(b)
		wait = max(saveDelay, saveShare*time.Since(begun))
		switch {
		case errors.Is(err, ErrNotHeld):
			return err
		case c.saves.Err() != nil:
			return nil
		case err != nil:
			slog.Warn("a portable profile could not be saved", "profile", c.profile.Name, "error", err)
			c.touch()
		}
	}
}

func (c *carrier) abandon(b *browser.Browser) {
	slog.Warn("the browser of a portable profile is ended, as another machine may have the profile", "profile", c.profile.Name)
	b.Abandon()
}

// save saves the state that another machine would need now to go on with the profile.
func (c *carrier) save(b *browser.Browser) error {
	ctx, cancel := context.WithTimeout(c.saves, saveTime)
	defer cancel()
	now, err := b.Portable(ctx)
	select {
	case <-b.Lost():
		return nil // finish saves the rest
	default:
	}
	if err != nil {
		return err
	}
	return c.put(ctx, c.withHosts(now))
}

// withHosts adds, for each session with tabs, the hosts that the session may open.
func (c *carrier) withHosts(p browser.Portable) carried {
	now := carried{config.StateVersion, p, nil}
	sessions := append([]string(nil), p.Memory.Isolated...)
	for _, t := range p.Memory.Tabs {
		sessions = append(sessions, t.Owner)
	}
	for _, session := range sessions {
		if hosts := c.profile.limits.Hosts(session); hosts != nil {
			if now.Hosts == nil {
				now.Hosts = map[string][]string{}
			}
			now.Hosts[session] = hosts
		}
	}
	return now
}

// put saves a state, unless it was saved last. The saved state then shows a stop that it did not show
// before.
func (c *carrier) put(ctx context.Context, now carried) error {
	raw, err := json.Marshal(now)
	if err != nil {
		return err
	}
	if !bytes.Equal(raw, c.saved) {
		if err := c.holding.Save(ctx, raw); err != nil {
			return err
		}
		c.saved = raw
	}
	if c.local.Stop == nil {
		return nil
	}
	c.local.Stop = nil
	return c.profile.saveLocal(c.local)
}

// prepareEnd is called before a browser is stopped. It reads from the browser what another machine
// needs to go on. A save that is under way ends: finish saves what prepareEnd has read.
func (c *carrier) prepareEnd(ctx context.Context, b *browser.Browser, how Stopping) {
	if c == nil {
		return
	}
	c.mu.Lock()
	if c.how != nil { // two stops at once: what one of them is to forget is forgotten
		how.Forget = how.Forget || c.how.Forget
		how.leave = how.leave && c.how.leave
	}
	c.how = &how
	c.mu.Unlock()
	c.endSaves()
	now, err := b.Portable(ctx)
	if err != nil {
		slog.Warn("the last changes of a portable profile could not be read", "profile", c.profile.Name, "error", err)
		now = b.LastPortable()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	final := c.withHosts(c.how.keep(now))
	c.final = &final
}

// keep returns what is kept of a state when its browser is stopped in this way.
func (how Stopping) keep(of browser.Portable) browser.Portable {
	if !how.leave {
		of.Memory = how.rest(of.Memory)
	}
	return of
}

// erase removes the saved state, so that no other machine continues with it. It is called while no
// browser runs.
func (c *carrier) erase(ctx context.Context) error {
	if c == nil {
		return nil
	}
	return errors.Join(c.put(ctx, carried{Version: config.StateVersion}), c.profile.saveLocal(c.local))
}

// abort ends a browser for which begin has failed, and gives the profile back. If the browser was to
// get the state from another machine, its user data are removed. Otherwise the next attempt would move
// them to where they would replace what the user may want back. The carrier and the browser
// may be nil.
func (c *carrier) abort(b *browser.Browser) {
	ctx, cancel := context.WithTimeout(context.Background(), lastTime)
	defer cancel()
	if b != nil {
		b.Close(ctx)
	}
	if c == nil {
		return
	}
	if c.fetched {
		os.RemoveAll(c.profile.userData())
	}
	c.holding.Release(ctx)
}

// finish saves the last state of a browser that has ended, and gives the profile back. A stop is noted
// before that, see [Local]. So it takes effect later if the state cannot be saved now.
func (c *carrier) finish(b *browser.Browser) {
	if c == nil {
		return
	}
	close(c.end)
	<-c.ended
	ctx, cancel := context.WithTimeout(context.Background(), lastTime)
	defer cancel()
	if err := c.noteStop(); err != nil {
		slog.Warn("the stop of a portable profile could not be noted", "profile", c.profile.Name, "error", err)
	}
	if err := c.put(ctx, c.last(b)); err != nil && !errors.Is(err, ErrNotHeld) {
		slog.Warn("the last changes of a portable profile could not be saved", "profile", c.profile.Name, "error", err)
	}
	if err := c.holding.Release(ctx); err != nil {
		slog.Warn("a portable profile could not be given back: other machines wait until its lease ends", "profile", c.profile.Name, "error", err)
	}
}

// noteStop notes the stop that has ended the browser, if there was one and it was to forget the tabs.
func (c *carrier) noteStop() error {
	c.mu.Lock()
	how := c.how
	c.mu.Unlock()
	if how == nil || how.leave {
		return nil
	}
	done := Stopping{Forget: how.Forget} // no person had a tab, or the browser would run
	c.local.Stop = done.after(c.local.Stop)
	return c.profile.saveLocal(c.local)
}

// last returns the last state of a browser that has ended.
func (c *carrier) last(b *browser.Browser) carried {
	c.mu.Lock()
	how, final := c.how, c.final
	c.mu.Unlock()
	switch {
	case final != nil:
		return *final
	case how != nil: // the browser ended by itself while it was being stopped
		return c.withHosts(how.keep(b.LastPortable()))
	}
	return c.withHosts(b.LastPortable())
}
