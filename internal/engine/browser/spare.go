package browser

import (
	"slices"
	"time"
)

// idleTime is the time without a call after which a spare tab is made. Making one delays calls.
const idleTime = 100 * time.Millisecond

// keepSpare begins to keep spare tabs. A spare tab is an empty tab for the next [Session.Open],
// made while no call is under way. Making a tab takes longer than loading most pages. No spare tabs
// are kept in a browser with windows, where the user would see them, or in a browser that chela has
// not started.
//
// If only [Browser.InEphemeralContext] opens pages, each spare tab is in a browser context of its
// own.
func (b *Browser) keepSpare() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.about.Own && b.about.Headless {
		b.unlisted.refill = time.AfterFunc(idleTime, b.makeSpare)
	}
}

// KeepSpares sets how many spare tabs are kept from now on, and closes those beyond that number. A
// browser with tabs of callers keeps at least one.
func (b *Browser) KeepSpares(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	u := &b.unlisted
	if !b.onlyEphemeral {
		n = max(1, n)
	}
	u.keep = n
	for len(u.spares) > n {
		last := u.spares[len(u.spares)-1]
		u.spares = u.spares[:len(u.spares)-1]
		b.dropSpareLocked(last)
	}
	if u.refill != nil {
		u.refill.Reset(idleTime)
	}
}

// Spares returns how many spare tabs are ready.
func (b *Browser) Spares() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.unlisted.spares)
}

// onIdle is called when a call has finished its work on a page.
func (b *Browser) onIdle() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.unlisted.refill != nil {
		b.unlisted.refill.Reset(idleTime)
	}
}

// makeSpare begins to make a spare tab, if there are too few. It does nothing while a call is under
// way: onIdle plans the next makeSpare when that call has ended.
func (b *Browser) makeSpare() {
	b.mu.Lock()
	defer b.mu.Unlock()
	u := &b.unlisted
	busy := func(t *Tab) bool { return t.page.Occupied() }
	if b.conn.Err() != nil || u.refilling || len(u.spares) >= u.keep || len(u.creations) > 0 ||
		slices.ContainsFunc(u.list, busy) || slices.ContainsFunc(b.tabs.list, busy) {
		return
	}
	u.refilling = b.background.beginLocked(func() {
		t := b.newSpare()
		b.mu.Lock()
		defer b.mu.Unlock()
		u.refilling = false
		b.keepAsSpareLocked(t)
		if t != nil {
			u.refill.Reset(idleTime) // make the next spare tab after this time
		}
	})
}

// newSpare makes a spare tab. An error is not reported here: the next call that opens a tab gets it
// as well.
func (b *Browser) newSpare() (t *Tab) {
	if b.onlyEphemeral {
		t, _ = b.makeEphemeral(nil, func() {})
		return t
	}
	t, _ = b.BrowserContext.makeTab("")
	return t
}

// keepAsSpareLocked turns a tab that no call waits for into a spare tab, if there are too few of
// them. Otherwise it closes the tab.
func (b *Browser) keepAsSpareLocked(t *Tab) {
	u := &b.unlisted
	switch {
	case t == nil:
	case u.refill != nil && len(u.spares) < u.keep && (t.context == &b.BrowserContext) != b.onlyEphemeral:
		u.spares = append(u.spares, t)
		b.notifyLocked()
	default:
		b.dropSpareLocked(t)
	}
}

// takeSpare returns a spare tab that is alive, and removes it from the spare tabs. If there is
// none, it returns nil.
func (b *Browser) takeSpare() *Tab {
	b.mu.Lock()
	defer b.mu.Unlock()
	u := &b.unlisted
	if u.refill != nil { // a call that never uses the page does not lead to onIdle, which also sets this timer
		u.refill.Reset(idleTime)
	}
	for len(u.spares) > 0 {
		t := u.spares[0]
		if u.spares = u.spares[1:]; t.page.Err() == nil {
			return t
		}
		b.dropSpareLocked(t)
	}
	return nil
}

// dropSpareLocked closes a spare tab in the background.
func (b *Browser) dropSpareLocked(t *Tab) {
	if t.context.ephemeral {
		b.removeEphemeralLocked(t, func() {})
		return
	}
	b.discardLocked(t)
}
