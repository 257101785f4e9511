package browser

import (
	"slices"
	"time"
)

// idleTime is how long no call must have come before a spare tab is made, since making one delays
// calls.
const idleTime = 100 * time.Millisecond

// keepSpare begins to keep a spare tab: an empty one, made while no call is under way, that the
// next [Session.Open] takes. Making a tab takes longer than loading most pages. A browser with
// windows keeps none, as the user would see it, nor does one that is not our own.
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

// makeSpare has the spare tab made, if there is none. It does nothing while a call is under way:
// onIdle has it called again when that has ended.
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
		t, _ := b.BrowserContext.makeTab("") // an error here will also occur in, and be reported by, the next call that opens a tab
		b.mu.Lock()
		defer b.mu.Unlock()
		u.refilling = false
		b.keepAsSpareLocked(t)
	})
}

// keepAsSpareLocked makes a tab that no call waits for the spare one, if one is to be
// kept and there is none. Otherwise it closes the tab.
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

// takeSpare returns the spare tab, if there is one that is alive, else nil. It is no longer the
// spare tab then.
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
