package browser

import (
	"slices"

	"chela/internal/engine/page"
)

// swaps collects tabs for which the next look-up of a tab may find replacements. The list vanished
// has listed tabs whose targets have gone. The list appeared has new tabs whose opener is not
// known.
//
// Chromium may give a page another target: when it needs memory, it discards the page of a
// background tab. When the user shows the tab again, Chromium loads the address in a new target.
// The protocol does not say that the two belong together: one target is destroyed, another one is
// attached. Without this file, the caller's handle would end with the old target, though the user
// still sees the tab.
//
// The browser's mu guards the fields.
type swaps struct{ vanished, appeared []*Tab }

// maxSwaps limits how many tabs are collected for the next look-up. In a browser that somebody works
// with, there may be none for days, and each tab keeps its event log.
const maxSwaps = 100

// replacements maps each vanished tab to the new tab that stands for it, where there is proof:
//
//   - Both are in one browser context, and show the same address. It is not the address of an
//     empty tab.
//   - No other tab that vanished or appeared shows this address.
//   - No page has opened either of them. A page may also close what it opens, and open something
//     else.
//
// Without proof, the tab counts as closed, and its handle is refused. The caller then has to look
// for the tab again. That is better than a handle that comes to mean another tab: a caller could
// act on a page that it has never seen.
func (s swaps) replacements() map[*Tab]*Tab {
	found := map[*Tab]*Tab{}
	for _, old := range s.vanished {
		gone, came := old.sameAddress(s.vanished), old.sameAddress(s.appeared)
		if len(gone) == 1 && len(came) == 1 && old.url != page.Blank && old.url != "" && !old.openedByPage() && !came[0].openedByPage() {
			found[old] = came[0]
		}
	}
	return found
}

func (t *Tab) openedByPage() bool { return t.opener != nil || t.first != "" }

// sameAddress returns the tabs of the BrowserContext of t that show the address of t.
func (t *Tab) sameAddress(tabs []*Tab) []*Tab {
	return slices.DeleteFunc(slices.Clone(tabs), func(x *Tab) bool { return x.url != t.url || x.context != t.context })
}

// followLocked moves the handles of tabs whose targets Chromium has replaced to the new targets. It
// is called when a call looks for a tab, or when maxSwaps tabs are collected, but not at each event.
// One event reports the end of the old target, and another reports the new one. They come in either
// order, and the pair can be seen only when both have come.
func (b *Browser) followLocked() {
	b.tabs.follow(b.swaps.replacements())
	b.swaps = swaps{}
}

// follow gives each old tab the page of its new one, and removes the new one. The handle of the
// removed tab is not used again. The next call on the tab gives the page the viewport of the tab.
func (l *tabList) follow(replaced map[*Tab]*Tab) {
	for old, fresh := range replaced {
		old.addFormerLocked()
		old.continueIn(fresh.page)
		old.pageState, old.viewportMissing = fresh.pageState, true
		if i := slices.Index(l.list, fresh); i >= 0 {
			l.list[i] = old
		}
	}
}
