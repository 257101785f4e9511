package browser

import (
	"cmp"
	"slices"
	"time"

	"chela/internal/engine/page"
)

// restore lists the tabs of the last browser again. It is called before any target can be attached.
// The pages of these tabs are only placeholders, see [page.Gone]:
//
//   - In a browser that chela has launched, each tab opens its address again when it is used, see
//     [Tab.Revive].
//   - In a browser that somebody else has started, the targets of the tabs may still exist. Those
//     are attached next, see resumeLocked. A tab without a target was closed meanwhile, see
//     finishRestoreLocked.
//
// The handle of the tab that a session has used last is restored even if that tab is gone: see
// [sessionUse].
func (b *Browser) restore(m Memory) {
	b.mu.Lock() // a save that is planned meanwhile must not write half of it
	defer b.mu.Unlock()
	settings, lost := m.Settings.Restored()
	for _, origin := range m.Unkept {
		lost = append(lost, "sessionStorage that was loaded for "+origin)
	}
	b.tabs.last, b.tabs.swept, b.visited, b.pending = m.LastTab, m.Swept, m.Origins, m.Pending
	b.jar.cookies, b.settings.common, b.grants = m.Cookies, settings, m.Grants
	for _, key := range m.Isolated {
		b.isolateLocked(key).emptied = true
	}
	for _, s := range m.Tabs {
		t := b.restoredTab(s)
		if s.Isolated != "" { // cookies and storage of isolated sessions were only in the browser's memory
			t.context = b.isolateLocked(s.Isolated)
			t.addLost("cookies and storage of the isolated session")
		}
		t.addLost(lost...)
		b.tabs.list = append(b.tabs.list, t)
	}
	for key, at := range m.Used {
		b.tabs.of(key).last = at
	}
	for key, id := range m.Current {
		b.tabs.of(key).current = id
	}
	b.restoring = true
}

// restoredTab makes a tab from its [SavedTab].
func (b *Browser) restoredTab(s SavedTab) *Tab {
	t := newTab(b, page.Gone(s.TargetID, s.URL, page.Callbacks{Network: b.network}))
	t.restoreTakeover(s)
	t.page.ContinueRefs(s.Refs)
	t.journal = cmp.Or(s.Journal, t.journal)
	t.ID, t.former, t.label, t.owner, t.used, t.lease = s.ID, s.Former, s.Label, s.Owner, time.Now(), s.Lease
	t.title, t.url, t.lost, t.viewport, t.ofUser, t.unowned = s.Title, s.URL, s.Lost, s.Viewport, s.OfUser, s.Unowned
	if s.Journal == nil && s.URL != "" && s.URL != page.Blank { // the tab's event log was not saved; it had at least the request for the document
		t.addLost("console messages and requests")
	}
	if s.Downloads {
		t.addLost("downloads that were under way or in no answer")
	}
	return t
}

// resumeLocked looks for a restored tab that had the same target as the tab fresh, and gives it the
// page of fresh. It reports whether there is such a tab.
func (b *Browser) resumeLocked(fresh *Tab) bool {
	t := byTarget(b.tabs.list, fresh.page.ID)
	if t == nil {
		return false
	}
	t.continueIn(fresh.page)
	t.page, t.title, t.url, t.context, t.viewportMissing = fresh.page, fresh.title, fresh.url, fresh.context, true
	return true
}

// finishRestoreLocked is called when all existing targets of the browser are attached. It puts
// restored tabs before the others in the list. In a browser that chela has not launched, it removes
// those without a target.
func (b *Browser) finishRestoreLocked(m Memory) {
	b.restoring = false
	if !b.about.Own {
		b.tabs.list = slices.DeleteFunc(b.tabs.list, func(t *Tab) bool { return lostPage(t.page.Err()) })
	}
	isNew := func(t *Tab) int {
		if slices.ContainsFunc(m.Tabs, func(s SavedTab) bool { return s.ID == t.ID }) {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(b.tabs.list, func(x, y *Tab) int { return isNew(x) - isNew(y) })
	b.kept.raise()
}

// addLost records what the tab loses when it is opened again, besides what every tab loses.
func (t *Tab) addLost(what ...string) {
	t.lost = slices.Clone(t.lost) // a copy, since a Memory may have the slice
	for _, each := range what {
		if !slices.Contains(t.lost, each) {
			t.lost = append(t.lost, each)
		}
	}
}

// addLost records for every tab what the browser could not take over.
func (b *Browser) addLost(what []string) {
	if len(what) == 0 {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, t := range b.tabs.list {
		t.addLost(what...)
	}
	b.kept.raise()
}
