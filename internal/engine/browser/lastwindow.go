package browser

import (
	"context"
	"slices"
)

// keepWindow makes a spare tab before t is closed, if t has the only window of the browser. Each
// tab has a window of its own. When the last window ends, Chromium deletes all session cookies, as
// if the user had left, though the browser goes on. Where no spare tabs are kept, the user sees the
// windows, and expects the deletion.
func (b *Browser) keepWindow(ctx context.Context, t *Tab) {
	b.mu.Lock()
	needed := b.unlisted.refill != nil && t.context == &b.BrowserContext && !b.hasWindowLocked()
	b.mu.Unlock()
	if !needed {
		return
	}
	spare, err := b.awaitMade(ctx, func() (*Tab, error) { return b.BrowserContext.makeTab("") }, b.keepAsSpareLocked)
	if err != nil {
		return // the tab is closed all the same
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.keepAsSpareLocked(spare)
}

// hasWindowLocked reports whether the default browser context has a usable tab that chela is not
// closing.
func (b *Browser) hasWindowLocked() bool {
	return slices.ContainsFunc(b.allLocked(), func(t *Tab) bool {
		return t.context == &b.BrowserContext && !t.closing && t.page.Err() == nil
	})
}
