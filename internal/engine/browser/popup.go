package browser

import (
	"context"
	"slices"
	"time"

	"chela/internal/engine/page"
)

// These limit how many tabs a page may open: during one act of a call (see BeginAct), and at the
// same time. Chromium's own popup blocker is off, since it silently blocks a popup that a script
// opens some time after the input.
const (
	maxPopups     = 8
	maxPopupsOpen = 20
)

// popupTime is how long [Tab.Popups] waits for tabs to open and load.
const popupTime = 500 * time.Millisecond

// popups are the tabs that a tab's page has opened. The browser's mu guards the fields.
type popups struct {
	count      int    // how many the page has opened since BeginAct
	refused    int    // how many of the counted tabs were closed because there were too many
	unreported []*Tab // tabs that no answer has reported yet
	reported   []*Tab // tabs that an answer has reported, and whose end none has
}

// BeginAct is called before an act. It begins a new count of the tabs that the page opens, and ends
// the offers of downloads, see [Download.OfferToWait].
func (t *Tab) BeginAct() {
	t.browser.mu.Lock()
	defer t.browser.mu.Unlock()
	t.popups.count, t.popups.refused = 0, 0
	t.browser.downloads.endOffers(t)
}

// admit counts one more tab that the page opens, and reports whether it is allowed. The parameter
// open is how many tabs of the page are open now.
func (p *popups) admit(open int) bool {
	p.count++
	if p.count <= maxPopups && open < maxPopupsOpen {
		return true
	}
	p.refused++
	return false
}

// admitLocked reports whether the page of a tab may open one more. A page that the user has opened
// always may: the user may have wanted the new tab.
func (b *Browser) admitLocked(opener *Tab) bool {
	if opener.ofUser {
		opener.popups.count++
		return true
	}
	return opener.popups.admit(b.tabs.openedBy(opener))
}

// addPopup adds t to the tabs of the opener that no answer has reported yet. Tabs that are closed
// leave that list, since nobody asks for the popups of a tab that only the user uses.
func (l *tabList) addPopup(opener, t *Tab) {
	p := &opener.popups
	p.unreported = slices.DeleteFunc(p.unreported, func(x *Tab) bool { return !slices.Contains(l.list, x) })
	p.unreported = append(p.unreported, t)
}

// Unreported returns the tabs that the page has opened, and the downloads that have begun in the tab,
// if no answer has reported them yet. They stay unreported.
func (t *Tab) Unreported() ([]*Tab, []*Download) {
	t.browser.mu.Lock()
	defer t.browser.mu.Unlock()
	return slices.Clone(t.popups.unreported), t.browser.downloads.unreported(t)
}

// Popups returns the tabs that the page has opened and that no answer has reported yet. It also
// returns how many were refused since [Tab.BeginAct]. The parameter asked has the addresses of
// the tabs that the page has requested since then, in order. The tabs in earlier were there before,
// and are not waited for. Popups waits at most popupTime for the requested tabs to open and begin to load, since a
// popup that the browser blocks never comes. A tab that is opened only for a download closes by
// itself, and is left out.
func (t *Tab) Popups(ctx context.Context, earlier []*Tab, asked []string) ([]*Tab, int) {
	b, p := t.browser, t.Page()
	soon, cancel := context.WithTimeout(ctx, popupTime)
	defer cancel()
	p.Sync(soon)
	b.await(soon, func() bool { return len(p.Asks()) == 0 })
	b.mu.Lock()
	opened, refused := t.popups.unreported, t.popups.refused
	t.popups.unreported = nil
	b.mu.Unlock()
	for _, popup := range opened {
		if slices.Contains(earlier, popup) {
			continue
		}
		arrives := popup.Page().Ready
		if len(asked) > 0 {
			if asked[0] != "" && asked[0] != page.Blank {
				arrives = popup.Page().Arrive
			}
			asked = asked[1:]
		}
		popup.Page().Watch(soon, arrives)
	}
	// The page of a tab for a download ends just after the download begins. When Sync returns, the
	// events are handled that Chromium has sent until now, including Browser.downloadWillBegin.
	b.conn.Root().Events().Sync(soon)
	opened = slices.DeleteFunc(opened, func(x *Tab) bool { return x.Page().Err() == page.ErrClosed })
	b.mu.Lock()
	defer b.mu.Unlock()
	t.popups.reported = append(t.popups.reported, opened...)
	return opened, refused
}

// ClosedPopups returns the handles of tabs that the page has opened, that [Tab.Popups] has returned,
// and that a page or a person has closed since. It returns each once.
func (t *Tab) ClosedPopups() (ids []string) {
	b := t.browser
	b.mu.Lock()
	defer b.mu.Unlock()
	t.popups.reported = slices.DeleteFunc(t.popups.reported, func(x *Tab) bool {
		open := slices.ContainsFunc(b.tabs.list, func(other *Tab) bool { return other.ID == x.ID })
		if !open && !x.closing {
			ids = append(ids, x.ID)
		}
		return !open
	})
	return ids
}
