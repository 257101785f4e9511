package browser

import (
	"context"
	"slices"

	protobrowser "github.com/chromedp/cdproto/browser"
	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	"chela/internal/engine/cdp"
	"chela/internal/engine/page"
	"chela/internal/wall/guard"
)

// A newPage is a new page target whose opener is not known yet.
type newPage struct {
	openerClues
	target.EventAttachedToTarget
	session   *cdp.Session
	creations []*creation // Target.createTarget commands that may have made the page
	tab       *Tab        // the page's tab, not listed yet; nil: the page is attached only when its owner is known
}

func (a *newPage) id() string { return string(a.TargetInfo.TargetID) }

// addNewPageLocked handles a new page target. The page becomes a listed tab when it is known who
// opened it, see [attribute].
func (b *Browser) addNewPageLocked(s *cdp.Session, ev target.EventAttachedToTarget) {
	info := ev.TargetInfo
	bc := b.contextOfLocked(info.BrowserContextID)
	if bc == nil || bc.ephemeral && bc.taken {
		b.closePaused(s, info.TargetID) // the session of its browser context has ended, or a page of an ephemeral context has opened it
		return
	}
	bc.taken = true
	n := openerClues{context: bc, opened: info.OpenerID != "", opener: b.byTargetLocked(string(info.OpenerID)), url: info.URL}
	a := &newPage{openerClues: n, EventAttachedToTarget: ev, session: s}
	b.newPages = append(b.newPages, a)
	resumes := byTarget(b.tabs.list, a.id()) != nil
	if b.restoring { // the page was there before, and its opener may not be attached yet
		a.opener = nil
	}
	if n.opened || resumes {
		by, _ := attribute(a.openerClues, nil)
		b.listOrRejectLocked(a, by)
		return
	}
	a.creations = b.unlisted.creationsOf(n)
	if !b.about.Shared || len(a.creations) > 0 {
		a.tab = b.makeLocked(a)
		b.unlisted.list = append(b.unlisted.list, a.tab)
	}
	tabs := b.allLocked()
	b.background.beginLocked(func() { b.decideOpener(a, tabs) })
}

// decideOpener finds out who opened a page for which Chromium has named no opener. The parameter
// tabs has the tabs that existed when the page came. Any of them may have opened it.
func (b *Browser) decideOpener(a *newPage, tabs []*Tab) {
	ctx := context.Background() // without a deadline: everything that is awaited here ends with the connection
	b.await(ctx, func() bool { return a.isRequestedLocked() || !b.unlisted.underWay(a.creations) })
	if b.isOurs(a) {
		return
	}
	tabs = slices.DeleteFunc(tabs, func(t *Tab) bool { return t.BrowserContext() != a.context || t == a.tab })
	for _, t := range tabs {
		t.Page().Sync(ctx) // first handle the events of all requests for tabs that were sent before the page came
	}
	for !b.listIfSure(a, tabs) {
		b.findWindows(ctx, a, tabs)
	}
}

// isOurs reports whether chela itself has requested the page. If so, it also removes the page from
// newPages, since nothing is left to decide.
func (b *Browser) isOurs(a *newPage) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if a.isRequestedLocked() {
		b.removeNewPageLocked(a)
		b.notifyLocked()
	}
	return a.isRequestedLocked()
}

// isRequestedLocked reports whether a Target.createTarget command of chela has made the page.
func (a *newPage) isRequestedLocked() bool { return a.tab != nil && a.tab.requested }

// listIfSure lists or rejects a page if its opener is known, or certainly cannot be found out. It
// reports whether it has done so.
func (b *Browser) listIfSure(a *newPage, tabs []*Tab) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	var asks []tabAsk
	for _, t := range tabs {
		for _, ask := range t.page.Asks() {
			asks = append(asks, tabAsk{t, ask})
		}
	}
	by, sure := attribute(a.openerClues, asks)
	if sure {
		b.listOrRejectLocked(a, by)
	}
	return sure
}

// findWindows asks Chromium for the windows of the page and of the tabs. A browser without windows
// names none. In the headless shell each page has a window of its own, whoever opened it, so there
// the windows stay unknown.
func (b *Browser) findWindows(ctx context.Context, a *newPage, tabs []*Tab) {
	a.windows = map[*Tab]int64{}
	if b.about.HeadlessShell {
		return
	}
	window := func(id string) *cdp.Reply[protobrowser.GetWindowForTargetResult] {
		return cdp.Send(b.conn.Root(), protobrowser.GetWindowForTarget, protobrowser.GetWindowForTargetParams{TargetID: target.ID(id)})
	}
	own := window(a.id())
	replies := map[*Tab]*cdp.Reply[protobrowser.GetWindowForTargetResult]{}
	for _, t := range tabs {
		replies[t] = window(t.Page().ID)
	}
	res, _ := own.Wait(ctx) // if the page is gone, the id is 0
	a.window = int64(res.WindowID)
	for t, reply := range replies {
		res, _ := reply.Wait(ctx)
		a.windows[t] = int64(res.WindowID)
	}
}

// listOrRejectLocked turns a page into a tab that callers can name, or closes it if its opener may
// not open it. A page that has been closed meanwhile is forgotten.
func (b *Browser) listOrRejectLocked(a *newPage, by tabAsk) {
	defer b.notifyLocked()
	if !slices.Contains(b.newPages, a) {
		return
	}
	b.removeNewPageLocked(a)
	if by.Ask != nil {
		by.tab.page.EndAsk(by.Ask)
	}
	switch {
	case by.Ask != nil && by.ShowsFile():
		// A script in a local file could open every file that the user can read.
		by.tab.popups.count++
		by.tab.page.Refuse(&guard.Refused{Rule: guard.LocalFile})
		b.rejectLocked(a)
	case by.tab != nil && !b.admitLocked(by.tab):
		b.rejectLocked(a)
	case a.tab == nil && b.about.Shared && (by.tab == nil || by.tab.page.Err() != nil):
		b.listUnattachedLocked(a)
	default:
		b.listLocked(a, by.tab)
	}
}

// listLocked adds a page to the tabs that callers can name. The opener is the tab that opened it,
// or nil if that is not known.
func (b *Browser) listLocked(a *newPage, opener *Tab) {
	t := a.tab
	if t == nil {
		t = b.makeLocked(a)
	}
	b.unlisted.drop(t)
	t.ofUser = !b.about.Own && (opener == nil || opener.ofUser)
	switch {
	case b.resumeLocked(t):
	case opener != nil:
		b.tabs.add(opener.owner, t)
		t.opener, t.unowned = opener, opener.unowned
		b.dropClosedOpenersLocked(opener)
		b.tabs.addPopup(opener, t)
		opener.page.SharesWindow()
		t.page.SharesWindow()
	default:
		b.tabs.add(a.context.isolated, t) // the tab belongs to the session of its browser context
		t.unowned = b.about.Own && a.context.isolated == ""
		b.swaps.appeared = append(b.swaps.appeared, t)
	}
	b.takeSharedLocked(a.id())
	b.sweepLocked()
}

// makeLocked makes a tab for a page, and lets the page run.
func (b *Browser) makeLocked(a *newPage) *Tab {
	info := a.TargetInfo
	t := newTab(b, page.New(a.session, a.id(), a.WaitingForDebugger, b.pageSettingsLocked(a.context), b.callbacksLocked(a.context)))
	t.title, t.url, t.context = info.Title, info.URL, a.context
	return t
}

// rejectLocked closes a page that its opener was not allowed to open.
func (b *Browser) rejectLocked(a *newPage) {
	if a.tab == nil {
		b.closePaused(a.session, a.TargetInfo.TargetID)
		return
	}
	b.noteClosingLocked(a.tab, a.id())
	cdp.Send(b.conn.Root(), target.CloseTarget, target.CloseTargetParams{TargetID: a.TargetInfo.TargetID})
}

// closePaused closes a target that has not run yet. The target must run before it is closed: while
// it is paused, the page that opens it is blocked. Fetch.enable pauses the requests of the target.
// They fail, so none is sent. Chromium would send those that are still paused when the session ends.
// So the first request fails before the target is closed. There is none if the page is blank.
func (b *Browser) closePaused(s *cdp.Session, id target.ID) {
	cdp.Send(s, fetch.Enable, fetch.EnableParams{})
	cdp.Send(s, runtime.RunIfWaitingForDebugger, protocol.Empty{})
	b.background.beginLocked(func() {
		soon, cancel := context.WithTimeout(context.Background(), popupTime)
		defer cancel()
		failRequest(soon, s)
		cdp.Send(b.conn.Root(), target.CloseTarget, target.CloseTargetParams{TargetID: id})
		for failRequest(context.Background(), s) == nil { // until the session ends
		}
	})
}

// failRequest waits for the next request that the session pauses, and has it fail. The error is the
// cause of ctx, or why the session ended.
func failRequest(ctx context.Context, s *cdp.Session) error {
	for {
		ev, err := s.Events().Next(ctx)
		if err != nil {
			return err
		}
		if paused, ok := cdp.Decode(ev, fetch.RequestPaused); ok {
			cdp.Send(s, fetch.FailRequest, fetch.FailRequestParams{RequestID: paused.RequestID, ErrorReason: network.ErrorReasonBlockedByClient})
			return nil
		}
	}
}

// newPageLocked returns the page with a target id among those whose opener is not known yet, or
// nil.
func (b *Browser) newPageLocked(id string) *newPage {
	i := slices.IndexFunc(b.newPages, func(a *newPage) bool { return a.id() == id })
	if i < 0 {
		return nil
	}
	return b.newPages[i]
}

func (b *Browser) removeNewPageLocked(a *newPage) {
	b.newPages = slices.DeleteFunc(b.newPages, func(x *newPage) bool { return x == a })
}

// awaitDecided waits until the openers of all pages that have already come are known, or cannot be
// found out.
func (b *Browser) awaitDecided(ctx context.Context) error {
	b.mu.Lock()
	undecided := slices.Clone(b.newPages)
	b.mu.Unlock()
	return b.await(ctx, func() bool {
		return !slices.ContainsFunc(undecided, func(a *newPage) bool { return slices.Contains(b.newPages, a) })
	})
}
