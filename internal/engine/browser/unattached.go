package browser

import (
	"context"
	"errors"
	"strings"
	"time"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	"chela/internal/base/sitedata"
	"chela/internal/engine/cdp"
	"chela/internal/engine/page"
)

// In a browser that somebody works with, the user's tabs are listed but not attached until a call
// uses them. Attaching has effects. Requests are checked against the network policy and may be
// refused. File choosers and dialogs are reported to chela and not shown. The page behaves as if it
// had the focus. So a tab of the user is attached only by the first call that uses it. Tabs that an
// attached page opens, and tabs that callers open, are attached from the start.

// listUnattachedLocked lists a tab of the user, and detaches from it again.
func (b *Browser) listUnattachedLocked(a *newPage) {
	b.runAndDetachLocked(a.session)
	a.tab = newTab(b, page.Unattached(a.id(), a.TargetInfo.URL, b.callbacksLocked(a.context)))
	a.tab.title, a.tab.url, a.tab.context = a.TargetInfo.Title, a.TargetInfo.URL, a.context
	b.listLocked(a, nil)
}

// runAndDetachLocked lets a target run, and ends its session.
func (b *Browser) runAndDetachLocked(s *cdp.Session) {
	cdp.Send(s, runtime.RunIfWaitingForDebugger, protocol.Empty{})
	cdp.Send(b.conn.Root(), target.DetachFromTarget, target.DetachFromTargetParams{SessionID: target.SessionID(s.ID)})
}

// isUsedLocked reports whether an attached page has the origin of a shared or service worker. From
// any other worker, such as one of an extension, chela detaches.
func (b *Browser) isUsedLocked(info *target.Info) bool {
	origin := sitedata.OriginOf(strings.TrimPrefix(info.URL, "blob:"))
	for _, t := range b.allLocked() {
		if t.page.Err() == nil && t.page.HasOrLoads(origin) {
			return true
		}
	}
	return false
}

// isUnattachedLocked reports whether the tab is not attached.
func (t *Tab) isUnattachedLocked() bool { return errors.Is(t.page.Err(), page.ErrUnattached) }

func (t *Tab) isUnattached() bool {
	t.browser.mu.Lock()
	defer t.browser.mu.Unlock()
	return t.isUnattachedLocked()
}

// attach attaches the tab if it is not attached. Errors are [page.ErrClosed] if it has gone
// meanwhile, a [*cdp.Error] with [cdp.Withheld], [cdp.ErrClosed], and the cause of ctx.
func (t *Tab) attach(ctx context.Context) error {
	if !t.isUnattached() {
		return nil
	}
	if err := t.reviving.Lock(ctx); err != nil {
		return err
	}
	defer t.reviving.Unlock()
	if !t.isUnattached() {
		return nil
	}
	b, id := t.browser, t.Page().ID
	_, err := cdp.Call(ctx, b.conn.Root(), target.AttachToTarget, target.AttachToTargetParams{TargetID: target.ID(id), Flatten: new(true)})
	if refusal, ok := errors.AsType[*cdp.Error](err); ok && refusal.Code != cdp.Withheld {
		return page.ErrClosed
	}
	if err == nil {
		err = b.await(ctx, func() bool { return !t.isUnattachedLocked() })
	}
	if err != nil {
		return err
	}
	soon, cancel := context.WithTimeout(ctx, tabsTime)
	defer cancel()
	p := t.Page()
	p.Watch(soon, p.Parsed) // if a script does not end, the page is used as it is
	if listed := t.listedURL(); listed == page.Blank || listed == "" {
		return nil
	}
	loading, cancel := context.WithTimeout(ctx, loadingTime)
	defer cancel()
	p.Watch(loading, func(ctx context.Context) error {
		if err := p.LeaveBlank(ctx); err != nil {
			return err
		}
		return p.WaitLoad(ctx, page.DOMLoaded)
	})
	return nil
}

// loadingTime limits how long the first call on a tab waits for the document that its user has just
// opened. Chromium already lists the tab with that address, while the tab still shows its empty
// first document. No event of the tab's session reports a navigation that began before the session.
const loadingTime = 10 * time.Second

// listedURL returns the address with which Chromium lists the tab.
func (t *Tab) listedURL() string {
	t.browser.mu.Lock()
	defer t.browser.mu.Unlock()
	return t.url
}

// attachTabLocked is called when a target was attached. If an unattached tab has this target, it
// gives the tab a page, see attach. Otherwise it returns false.
func (b *Browser) attachTabLocked(s *cdp.Session, ev target.EventAttachedToTarget) bool {
	t := b.byTargetLocked(string(ev.TargetInfo.TargetID))
	if t == nil || !t.isUnattachedLocked() {
		return false
	}
	settings := b.pageSettingsLocked(t.context)
	settings.Shared = true
	attached := page.New(s, t.page.ID, ev.WaitingForDebugger, settings, b.callbacksLocked(t.context))
	attached.MovedTo(ev.TargetInfo.URL) // a busy page reports its address only later
	t.continueIn(attached)
	t.page = attached
	t.title, t.url = ev.TargetInfo.Title, ev.TargetInfo.URL
	return true
}
