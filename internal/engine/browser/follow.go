package browser

import (
	"context"
	"slices"
	"time"

	"chela/internal/engine/cdp"
	"chela/internal/engine/journal"
)

// FollowTabs calls the function report with the tabs that callers can name, at once and whenever
// the browser's state has changed. It also does so when a lease or a takeover ends by the clock. It
// returns the cause of ctx when ctx ends, or [cdp.ErrClosed] when the browser ends.
func (b *Browser) FollowTabs(ctx context.Context, report func([]*Tab)) error {
	for {
		b.mu.Lock()
		tabs, changed, ended := slices.Clone(b.tabs.list), b.changed, b.nextEndLocked()
		b.mu.Unlock()
		report(tabs)
		select {
		case <-changed:
		case <-ended:
		case <-b.done:
			return cdp.ErrClosed
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// nextEndLocked returns a channel that receives when the next lease or takeover of a tab ends by the
// clock. It is nil if there is none.
func (b *Browser) nextEndLocked() <-chan time.Time {
	now := time.Now()
	var next time.Time
	for _, t := range b.tabs.list {
		for _, end := range []time.Time{t.leaseLocked(now).Until, t.control.Taken().Until} {
			if !end.IsZero() && (next.IsZero() || end.Before(next)) {
				next = end
			}
		}
	}
	if next.IsZero() {
		return nil
	}
	return time.After(next.Sub(now))
}

// FollowJournals listens to the event logs of all tabs, until ctx or the browser ends. It calls the
// function listener once for each tab. It also calls report as [Browser.FollowTabs] does, each time
// after it has begun to listen to new tabs.
func (b *Browser) FollowJournals(ctx context.Context, listener func(*Tab) journal.Listener, report func([]*Tab)) {
	listening := map[*Tab]func(){}
	b.FollowTabs(ctx, func(tabs []*Tab) {
		for _, t := range tabs {
			if listening[t] == nil {
				listening[t] = t.Journal().Listen(listener(t))
			}
		}
		for t, stop := range listening {
			if !slices.Contains(tabs, t) {
				stop()
				delete(listening, t)
			}
		}
		report(tabs)
	})
	for _, stop := range listening {
		stop()
	}
}
