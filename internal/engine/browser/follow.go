package browser

import (
	"context"
	"slices"

	"chela/internal/engine/cdp"
	"chela/internal/engine/journal"
)

// FollowTabs calls the function report with the tabs that callers can name, at once and whenever
// the browser's state has changed. It returns the cause of ctx when ctx ends, or [cdp.ErrClosed]
// when the browser ends.
func (b *Browser) FollowTabs(ctx context.Context, report func([]*Tab)) error {
	for {
		b.mu.Lock()
		tabs, changed := slices.Clone(b.tabs.list), b.changed
		b.mu.Unlock()
		report(tabs)
		select {
		case <-changed:
		case <-b.done:
			return cdp.ErrClosed
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
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
