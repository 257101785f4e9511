package browser

import (
	"cmp"
	"net/url"
	"slices"

	"chela/internal/engine/page"
)

// DialogElsewhere returns another tab with an open dialog that may keep this tab from answering, and
// the dialog; nil if there is none. A dialog blocks all pages in its renderer process. Chromium does
// not report which process a page is in. Pages share one if they are of one site, or if one has
// opened the other, and then only within a browser context.
func (t *Tab) DialogElsewhere() (*Tab, page.Dialog) {
	for _, other := range t.akin() {
		if waiting := other.Page().Dialogs().Pending; len(waiting) > 0 {
			return other, waiting[0]
		}
	}
	return nil, page.Dialog{}
}

// akin lists the other tabs that may share a renderer process with this one.
func (t *Tab) akin() (list []*Tab) {
	b := t.browser
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, other := range b.tabs.list {
		if other != t && other.context == t.context && (other.firstOpener() == t.firstOpener() || sameHost(other.url, t.url)) {
			list = append(list, other)
		}
	}
	return list
}

// Kin lists the other tabs that the tab's page can lead elsewhere, by their names or as its opener. It has
// opened them, directly or through others, or they have opened it. All have the same owner.
func (t *Tab) Kin() []*Tab {
	t.browser.mu.Lock()
	defer t.browser.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(t.browser.tabs.list), func(other *Tab) bool {
		return other == t || other.context != t.context || other.owner != t.owner || other.firstOpener() != t.firstOpener()
	})
}

// firstOpener returns the handle of the tab whose page has opened this one, directly or through
// others; or the tab's own handle.
func (t *Tab) firstOpener() string {
	for t.opener != nil {
		t = t.opener
	}
	return cmp.Or(t.first, t.ID)
}

// dropClosedOpenersLocked forgets the first closed tab among the openers of t, and so all before it. It
// is called when t opens a tab. Otherwise each tab of a chain would keep all before it, with their
// event logs. A page can open a tab, close its own, and so on for days.
func (b *Browser) dropClosedOpenersLocked(t *Tab) {
	open := b.allLocked()
	for ; t.opener != nil; t = t.opener {
		if !slices.Contains(open, t.opener) {
			t.first, t.opener = t.firstOpener(), nil
			return
		}
	}
}

func sameHost(a, b string) bool {
	x, errX := url.Parse(a)
	y, errY := url.Parse(b)
	return errX == nil && errY == nil && x.Hostname() != "" && x.Hostname() == y.Hostname()
}
