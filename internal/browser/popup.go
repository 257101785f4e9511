package browser

import (
	"context"
	"slices"
	"time"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	"chela/internal/cdp"
	"chela/internal/guard"
	"chela/internal/page"
)

// How many tabs a page may open: with one act, and that stay open. Chromium's
// own popup blocker is off, as it refuses without a word what a script opens
// after the input.
const (
	maxPopups     = 8
	maxPopupsOpen = 20
)

// popupTime is how long [Tab.Popups] waits for tabs to come, and to load.
const popupTime = 500 * time.Millisecond

// popups are the tabs that a tab's page has opened. It is guarded by the
// browser's mu.
type popups struct {
	before     []*Tab // the tabs that there were at CountPopups
	count      int    // how many the page has opened since then
	refused    int    // how many of these were closed, as they were too many
	unreported []*Tab // those that are in no answer yet
}

// CountPopups begins to count anew what the tab's page opens.
func (t *Tab) CountPopups() {
	t.browser.mu.Lock()
	defer t.browser.mu.Unlock()
	t.popups.before, t.popups.count, t.popups.refused = slices.Clone(t.browser.tabs.list), 0, 0
}

// admit counts one more tab that the page opens, and decides whether it may. So
// many that it has opened are open now.
func (p *popups) admit(open int) bool {
	p.count++
	if p.count <= maxPopups && open < maxPopupsOpen {
		return true
	}
	p.refused++
	return false
}

// admitLocked decides whether the page of a tab may open one more. What the user's own page opens may have been
// the user's wish, and is not ours to close.
func (b *Browser) admitLocked(opener *Tab) bool {
	if opener.found {
		opener.popups.count++
		return true
	}
	return opener.popups.admit(b.tabs.openedBy(opener))
}

// add makes t one of the tabs that the page has opened.
func (p *popups) add(t *Tab) { p.unreported = append(p.unreported, t) }

// unclaimed returns, of the tabs that came without an opener, those that the
// page must have asked for. Chromium names no opener for what window.open makes
// with noopener, nor for a link that is clicked with Control or the middle
// button. It does send Page.windowOpen or Page.frameRequestedNavigation with
// the address, before the target: asked has these addresses, in their order. A
// tab is the page's if it shows such an address, was not there before, and is
// not one of ours; and no more than were asked for and have not come.
func (p *popups) unclaimed(tabs []*Tab, asked []string) (found []*Tab) {
	for _, t := range tabs {
		if p.count+len(found) < len(asked) && t.opener == nil && !t.requested && !slices.Contains(p.before, t) && slices.Contains(asked, t.url) {
			found = append(found, t)
		}
	}
	return found
}

// showsDroppedLocked closes a tab in which Chromium is about to open a file that was dropped on a page which
// has not handled it, and reports whether it is one. There, scripts in the file would run, and could go on to
// each file that the user can read. Chromium does not say yet what the tab is to show, but that it came without an opener
// just after a drop. It is closed as it is, paused: nothing of the file is loaded.
func (b *Browser) showsDroppedLocked(info *target.Info) bool {
	if info.OpenerID != "" || info.URL == page.Blank {
		return false
	}
	i := slices.IndexFunc(b.tabs.list, func(t *Tab) bool { return t.page.HasDropped() })
	if i < 0 {
		return false
	}
	dropped := b.tabs.list[i]
	dropped.popups.count++
	dropped.page.Refuse(&guard.Refused{Rule: guard.LocalFile})
	cdp.Send(b.conn.Root(), target.CloseTarget, target.CloseTargetParams{TargetID: info.TargetID})
	return true
}

// refuse closes a target that a page may not open. It must run before it is
// closed: the page that opens it is stopped for as long as it is paused. Its requests are paused,
// and never sent.
func (b *Browser) refuse(s *cdp.Session, id target.ID) {
	cdp.Send(s, fetch.Enable, fetch.EnableParams{})
	cdp.Send(s, runtime.RunIfWaitingForDebugger, protocol.Empty{})
	cdp.Send(b.conn.Root(), target.CloseTarget, target.CloseTargetParams{TargetID: id})
}

// Popups returns the tabs that the page has opened and that are in no answer
// yet, and how many were refused since [Tab.CountPopups]. Asked are the addresses
// that the page has asked windows for, in their order. It waits until these tabs
// are there and have begun to show their pages, but at most 0.5 s: one that the
// browser blocks never comes. A tab that is only opened for a download closes by
// itself, and is not among them.
func (t *Tab) Popups(ctx context.Context, asked []string) ([]*Tab, int) {
	b := t.browser
	soon, cancel := context.WithTimeout(ctx, popupTime)
	defer cancel()
	b.await(soon, func() bool {
		t.claimLocked(asked)
		return t.popups.count >= len(asked)
	})
	b.mu.Lock()
	opened, refused := t.popups.unreported, t.popups.refused
	t.popups.unreported = nil
	b.mu.Unlock()
	for i, popup := range opened {
		arrives := popup.Page().Ready
		if i < len(asked) && asked[i] != "" && asked[i] != page.Blank {
			arrives = popup.Page().Arrive
		}
		popup.Page().Watch(soon, arrives)
	}
	// The page of a tab for a download ends just after the download begins. Events
	// that Chromium has sent until now, Browser.downloadWillBegin among them, are
	// handled when Sync returns.
	b.conn.Root().Events().Sync(soon)
	return slices.DeleteFunc(opened, func(x *Tab) bool { return x.Page().Err() == page.ErrClosed }), refused
}

// claimLocked makes the tabs that came without an opener, and that the page
// asked for, its popups.
func (t *Tab) claimLocked(asked []string) {
	for _, x := range t.popups.unclaimed(t.browser.tabs.list, asked) {
		x.opener, x.owner, x.found = t, t.owner, t.found
		t.browser.swaps.claimed(x)
		t.popups.count++
		t.popups.add(x)
	}
}
