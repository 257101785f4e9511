package browser

import (
	"maps"
	"slices"

	"chela/internal/base/sitedata"
)

// pendingSessions has the sessionStorage that was loaded from a saved state and waits for tabs. The
// key is the origin. Each entry of a list is for one tab that navigates there. A change makes a new
// map, since a [Memory] may hold the old one.
type pendingSessions map[string][][]sitedata.StorageItem

// This method returns p and the parameter other merged. For an origin that is in both, it takes the
// sessionStorage from other, as a load does with localStorage.
func (p pendingSessions) with(other pendingSessions) pendingSessions {
	all := maps.Clone(p)
	if all == nil {
		return other
	}
	maps.Copy(all, other)
	return all
}

// This method returns a copy of p that lacks the first sessionStorage of an origin, because a tab
// got it.
func (p pendingSessions) without(origin string) pendingSessions {
	rest := maps.Clone(p)
	if list := rest[origin]; len(list) > 1 {
		rest[origin] = list[1:]
	} else {
		delete(rest, origin)
	}
	return rest
}

// maxPendingKept limits how many bytes of pending sessionStorage are written to the file for the
// next browser. Each change of a [Memory] writes the whole file.
const maxPendingKept = 256 << 10

// kept returns what is written for the next browser, and the origins that have too much to be
// written.
func (p pendingSessions) kept() (kept pendingSessions, unkept []string) {
	room := maxPendingKept
	for _, origin := range slices.Sorted(maps.Keys(p)) {
		size := 0
		for _, items := range p[origin] {
			size += sitedata.Size(items)
		}
		if size > room {
			unkept = append(unkept, origin)
			continue
		}
		room -= size
		if kept == nil {
			kept = pendingSessions{}
		}
		kept[origin] = p[origin]
	}
	return kept, unkept
}

// PendingSessions returns, for each origin, the sessionStorage for the next tab that navigates
// there. It is usually nil.
func (bc *BrowserContext) PendingSessions() map[string][]sitedata.StorageItem {
	bc.browser.mu.Lock()
	defer bc.browser.mu.Unlock()
	if len(bc.pending) == 0 {
		return nil
	}
	first := map[string][]sitedata.StorageItem{}
	for origin, list := range bc.pending {
		if len(list) > 0 {
			first[origin] = list[0]
		}
	}
	return first
}

// DropPendingSession forgets the first pending sessionStorage of an origin, because a tab got it.
func (bc *BrowserContext) DropPendingSession(origin string) {
	bc.browser.mu.Lock()
	defer bc.browser.mu.Unlock()
	bc.pending = bc.pending.without(origin)
	bc.browser.kept.raise()
}

// dropPending forgets the sessionStorage that waits for tabs.
func (bc *BrowserContext) dropPending() {
	bc.browser.mu.Lock()
	defer bc.browser.mu.Unlock()
	bc.pending = nil
	bc.browser.kept.raise()
}
