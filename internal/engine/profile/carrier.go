package profile

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
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
	from    carried // state from another machine; empty: this machine had the profile last, and uses its own data
	fetched bool    // the state in from must still be loaded into the browser

	changed chan struct{} // has a value if something is to be saved
	end     chan struct{} // closed to end saving
	ended   chan struct{} // closed when saving has ended

	mu    sync.Mutex // guards the rest; held while saving
	final *carried   // state that was read from the browser before it was stopped; nil: it was not stopped yet
	saved []byte     // state that was saved last
}

// begin gives the browser the state from another machine, if there is any. Then it records that
// this machine has the profile, and begins to save. A nil carrier does nothing.
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
		c.from = carried{}
	}
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

// run saves each change, until the carrier ends. It abandons the browser if another machine may
// have the profile.
func (c *carrier) run(b *browser.Browser) {
	defer close(c.ended)
	wait := saveDelay
	changed, due := c.changed, (<-chan time.Time)(nil) // the loop waits for one of them, the other is nil
	for {
		select {
		case <-changed:
			changed, due = nil, time.After(wait)
			continue
		case <-due:
			changed, due = c.changed, nil
		case <-c.holding.Lost():
			c.abandon(b)
			return
		case <-c.end:
			return
		}
		begun := time.Now()
		err := c.save(b)
		wait = max(saveDelay, saveShare*time.Since(begun))
		switch {
		case errors.Is(err, ErrNotHeld):
			c.abandon(b)
			return
		case err != nil:
			slog.Warn("a portable profile could not be saved", "profile", c.profile.Name, "error", err)
			c.touch()
		}
	}
}

func (c *carrier) abandon(b *browser.Browser) {
	slog.Warn("the browser of a portable profile is ended, as another machine may have the profile", "profile", c.profile.Name)
	b.Abandon(context.Background())
}

// save saves the state that another machine would need now to go on with the profile.
func (c *carrier) save(b *browser.Browser) error {
	ctx, cancel := context.WithTimeout(context.Background(), saveTime)
	defer cancel()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.final != nil {
		return nil
	}
	now, err := b.Portable(ctx)
	select {
	case <-b.Lost():
		return nil // finish saves the rest
	default:
	}
	if err != nil {
		return err
	}
	return c.saveLocked(ctx, c.withHosts(now))
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

func (c *carrier) saveLocked(ctx context.Context, now carried) error {
	raw, err := json.Marshal(now)
	if err != nil || bytes.Equal(raw, c.saved) {
		return err
	}
	if err := c.holding.Save(ctx, raw); err != nil {
		return err
	}
	c.saved = raw
	return nil
}

// prepareEnd is called before a browser is stopped. It reads from the browser what another machine
// needs to go on.
func (c *carrier) prepareEnd(ctx context.Context, b *browser.Browser, how Stopping) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	now, err := b.Portable(ctx)
	if err != nil {
		slog.Warn("the last changes of a portable profile could not be read", "profile", c.profile.Name, "error", err)
		now = b.LastPortable()
	}
	if !how.leave {
		now.Memory = now.Memory.Closed()
	}
	if how.Forget {
		now.Memory = now.Memory.WithoutSession()
	}
	final := c.withHosts(now)
	c.final = &final
}

// erase removes the saved state, so that no other machine continues with it. It is called while no
// browser runs.
func (c *carrier) erase(ctx context.Context) error {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return errors.Join(c.saveLocked(ctx, carried{Version: config.StateVersion}), c.profile.saveLocal(c.local))
}

// abort ends a browser for which begin has failed, and gives the profile back. The carrier and the
// browser may be nil.
func (c *carrier) abort(b *browser.Browser) {
	ctx, cancel := context.WithTimeout(context.Background(), lastTime)
	defer cancel()
	if b != nil {
		b.Close(ctx)
	}
	if c != nil {
		c.holding.Release(ctx)
	}
}

// finish saves the last state of a browser that has ended, and gives the profile back.
func (c *carrier) finish(b *browser.Browser) {
	if c == nil {
		return
	}
	close(c.end)
	<-c.ended
	ctx, cancel := context.WithTimeout(context.Background(), lastTime)
	defer cancel()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.final == nil {
		final := c.withHosts(b.LastPortable())
		c.final = &final
	}
	if err := c.saveLocked(ctx, *c.final); err != nil && !errors.Is(err, ErrNotHeld) {
		slog.Warn("the last changes of a portable profile could not be saved", "profile", c.profile.Name, "error", err)
	}
	if err := c.holding.Release(ctx); err != nil {
		slog.Warn("a portable profile could not be given back: other machines wait until its lease ends", "profile", c.profile.Name, "error", err)
	}
}
