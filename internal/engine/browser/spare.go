package browser

import (
	"slices"
	"time"
)

// idleTime is how long the browser must have been idle before a spare tab is made. Making one
// delays calls.
const idleTime = 100 * time.Millisecond

// keepSpare begins to keep a spare tab: an empty tab for the next [Session.Open], made while no
// call is under way. Making a tab takes longer than loading most pages. A browser with windows
// keeps none, since the user would see it. Nor does one that chela has not started.
func (b *Browser) keepSpare() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.about.Own && b.about.Headless {
		b.unlisted.refill = time.AfterFunc(idleTime, b.makeSpare)
	}
}

// onIdle is called when a call has finished its work on a page.
func (b *Browser) onIdle() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.unlisted.refill != nil {
		b.unlisted.refill.Reset(idleTime)
	}
}

// makeSpare makes the spare tab in the background, if there is none. It does nothing while a call
// is under way: onIdle plans it again when the call has ended.
func (b *Browser) makeSpare() {
	b.mu.Lock()
	defer b.mu.Unlock()
	u := &b.unlisted
	busy := func(t *Tab) bool { return t.page.Occupied() }
	if b.conn.Err() != nil || u.refilling || u.spare != nil || len(u.creations) > 0 ||
		slices.ContainsFunc(u.list, busy) || slices.ContainsFunc(b.tabs.list, busy) {
		return
	}
	u.refilling = b.background.beginLocked(func() {
		t, _ := b.BrowserContext.makeTab("") // no need to report an error: the next call that opens a tab gets the same
		b.mu.Lock()
		defer b.mu.Unlock()
		u.refilling = false
		b.keepAsSpareLocked(t)
	})
}

// keepAsSpareLocked makes t the spare tab, if one is to be kept and there is none. Otherwise it
// closes t. No call waits for t.
func (b *Browser) keepAsSpareLocked(t *Tab) {
	switch {
	case t == nil:
	case b.unlisted.refill != nil && b.unlisted.spare == nil && t.context == &b.BrowserContext:
		b.unlisted.spare = t
		b.notifyLocked()
	default:
		b.discardLocked(t)
	}
}

// takeSpare returns the spare tab if there is one whose page works, else nil. The browser then has
// no spare tab.
func (b *Browser) takeSpare() *Tab {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := b.unlisted.spare
	b.unlisted.spare = nil
	if t != nil && t.page.Err() != nil {
		b.discardLocked(t)
		return nil
	}
	return t
}
