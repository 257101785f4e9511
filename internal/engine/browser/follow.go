package browser

import (
	"context"
	"slices"

	"chela/internal/engine/cdp"
)

// FollowTabs calls the function report with the tabs that callers can name, at once and whenever
// the browser's state has changed, until ctx ends. Errors come from report, or are the cause of
// ctx, or [cdp.ErrClosed] when the browser has ended.
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
