package browser

import (
	"context"
	"slices"

	"chela/internal/engine/cdp"
)

// FollowTabs reports the tabs that callers can name, at once and whenever the browser has changed,
// until ctx ends. Errors are the cause of ctx, and [cdp.ErrClosed] when the browser has gone.
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
