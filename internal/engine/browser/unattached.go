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

// In a browser that somebody works with, the user's tabs are listed and otherwise left alone until
// a call uses them. Attaching has effects. Requests are judged and may be refused, file choosers
// and dialogs are reported to us, and the page believes that it is focused. So a tab of the user is
// attached by the first call that uses it. Tabs that such a page opens are attached from their
// beginning, as are those that callers open.

// listUnattachedLocked lists a tab of the user's without staying attached to it.
func (b *Browser) listUnattachedLocked(a *newPage) {
	b.runAndDetachLocked(a.session)
	a.tab = newTab(b, page.Unattached(a.id(), a.TargetInfo.URL, b.callbacksLocked(a.context)))
	a.tab.title, a.tab.url, a.tab.context = a.TargetInfo.Title, a.TargetInfo.URL, a.context
	b.listLocked(a, nil)
}

// runAndDetachLocked lets a target run, and ends the session with it.
func (b *Browser) runAndDetachLocked(s *cdp.Session) {
	cdp.Send(s, runtime.RunIfWaitingForDebugger, protocol.Empty{})
	cdp.Send(b.conn.Root(), target.DetachFromTarget, target.DetachFromTargetParams{SessionID: target.SessionID(s.ID)})
}

// isUsedLocked reports whether a worker that several tabs may use belongs to an attached page. All
// other workers, and those of extensions, are the user's alone.
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
	select {
	case t.reviving <- struct{}{}:
		defer func() { <-t.reviving }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
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
	p.Watch(soon, p.Parsed) // a page whose script does not end is used as it is
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

// loadingTime bounds how long the first call on a tab waits for the document that its user has just
// opened. Chromium lists the tab with that address, while it still shows its empty first document.
// No event of the tab's session reports a navigation that began before.
const loadingTime = 10 * time.Second

// listedURL returns the address with which Chromium lists the tab.
func (t *Tab) listedURL() string {
	t.browser.mu.Lock()
	defer t.browser.mu.Unlock()
	return t.url
}

// attachTabLocked completes attach: it gives the tab its page. It reports false for any
// other target.
func (b *Browser) attachTabLocked(s *cdp.Session, ev target.EventAttachedToTarget) bool {
	t := b.byTargetLocked(string(ev.TargetInfo.TargetID))
	if t == nil || !t.isUnattachedLocked() {
		return false
	}
	settings := b.pageSettingsLocked(t.context)
	settings.Shared = true
	t.page = page.New(s, t.page.ID, ev.WaitingForDebugger, settings, b.callbacksLocked(t.context))
	t.page.Record(t.journal)
	t.title, t.url = ev.TargetInfo.Title, ev.TargetInfo.URL
	return true
}
