package browser

import (
	"slices"

	"chela/internal/page"
)

// swaps are the listed tabs that have gone, and those that came, without a
// command of ours since the tabs were last looked at. Chromium may give a page
// another target, as it does when it discards the page of a background tab and
// loads it again: then one tab goes and one comes. It is guarded by the
// browser's mu.
type swaps struct{ vanished, appeared []*Tab }

// claimed takes out a tab that came for a reason that is known.
func (s *swaps) claimed(t *Tab) {
	s.appeared = slices.DeleteFunc(s.appeared, func(x *Tab) bool { return x == t })
}

// replacements returns the new tab of each that vanished, where there is proof:
// both show the same address, no other tab that went or came does, and no page
// opened either, since what a page opens it may also close. Without proof a
// handle would come to mean another tab.
func (s swaps) replacements() map[*Tab]*Tab {
	found := map[*Tab]*Tab{}
	for _, old := range s.vanished {
		gone, came := showing(s.vanished, old.url), showing(s.appeared, old.url)
		if len(gone) == 1 && len(came) == 1 && old.url != page.Blank && old.url != "" && old.opener == nil && came[0].opener == nil {
			found[old] = came[0]
		}
	}
	return found
}

func showing(tabs []*Tab, url string) []*Tab {
	return slices.DeleteFunc(slices.Clone(tabs), func(t *Tab) bool { return t.url != url })
}

// followLocked moves handles to new targets where Chromium has replaced one.
func (b *Browser) followLocked() {
	for old, fresh := range b.swaps.replacements() {
		old.former = append(old.former, old.page.ID)
		old.page, old.title, old.url = fresh.page, fresh.title, fresh.url
		if i := slices.Index(b.tabs, fresh); i >= 0 {
			b.tabs[i] = old
		}
	}
	b.swaps = swaps{}
}
