package browser

import (
	"slices"

	"chela/internal/base/sitedata"
)

// maxOrigins limits how many origins are remembered.
const maxOrigins = 500

// visited lists the origins that tabs have shown; the one that was shown last is at the end.
// Chromium has no command that lists which origins have storage, so [Browser.SaveState] saves the
// storage of the origins in this list. The list outlives the browser, as the storage does. A change
// makes a new list, since a [Memory] may hold the old one.
type visited []string

// add adds the origin of an address that a tab shows, and reports whether this has changed the
// list.
func (v *visited) add(address string) bool {
	origin := sitedata.OriginOf(address)
	if old := *v; origin == "" || len(old) > 0 && old[len(old)-1] == origin {
		return false
	}
	next := make([]string, 0, len(*v)+1)
	for _, o := range *v {
		if o != origin {
			next = append(next, o)
		}
	}
	next = append(next, origin)
	*v = next[max(0, len(next)-maxOrigins):]
	return true
}

// AddOrigin makes SaveState also save the storage of an origin, as if a tab had shown it.
func (bc *BrowserContext) AddOrigin(origin string) {
	bc.browser.mu.Lock()
	defer bc.browser.mu.Unlock()
	bc.visit(origin)
}

// visit records the origin of an address that a tab shows. The browser's mu must be held.
func (bc *BrowserContext) visit(address string) {
	if bc == &bc.browser.BrowserContext {
		bc.browser.storage.touch(address)
	}
	if bc.visited.add(address) {
		bc.browser.kept.raise()
	}
}

// originsToSave lists the origins that may have storage. These are the origins that tabs have
// shown, those of lost tabs that are not opened again yet, and additional ones: the parameter
// further.
func (bc *BrowserContext) originsToSave(further []string) []string {
	bc.browser.mu.Lock()
	all := slices.Clone(bc.visited)
	bc.browser.mu.Unlock()
	for _, t := range bc.tabs() {
		all = append(all, sitedata.OriginOf(t.reopenURL()))
	}
	all = append(all, further...)
	slices.Sort(all)
	all = slices.Compact(all)
	return slices.DeleteFunc(all, func(origin string) bool { return origin == "" })
}
