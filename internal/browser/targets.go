package browser

import (
	"cmp"
	"slices"
	"strings"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	"chela/internal/cdp"
	"chela/internal/journal"
	"chela/internal/page"
	"chela/internal/sitedata"
)

// attached takes a new target, to which Chromium has attached us, paused before
// its first script. A page becomes a tab; where it goes depends on where it
// comes from:
//
//   - A page with an opener that we know (window.open, a link with a target) is
//     a popup. It is listed, unless the page that opens it has opened too many, and
//     belongs to the session of the tab that opens it.
//   - A page with an opener that we do not know, such as a tab of ours that has
//     closed since, is listed, too.
//   - An empty page without an opener may be one that we have asked for. It is
//     not listed before that is decided, see [unlisted.admit].
//   - What a page apart opens is refused, with an opener or without, see [Browser.Apart].
//   - Any other came by itself: by a click with Control, by the user, or because
//     Chromium gives a page that we know another target, see [swaps].
//
// Shared and service workers get the settings, and what shared workers do is recorded.
// Service workers are recorded by the tabs that use them. Other targets are left alone:
// they only are let run.
func (b *Browser) attached(ev target.EventAttachedToTarget) {
	s := b.conn.Session(string(ev.SessionID))
	if s == nil {
		return // it has detached already
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if ev.TargetInfo.Type != "page" {
		b.workerAttachedLocked(s, ev.TargetInfo)
		return
	}
	defer b.notifyLocked()
	opener := b.byTargetLocked(string(ev.TargetInfo.OpenerID))
	if b.showsDroppedLocked(ev.TargetInfo) {
		return
	}
	if b.strayLocked(ev.TargetInfo) || opener != nil && !b.admitLocked(opener) {
		b.refuse(s, ev.TargetInfo.TargetID)
		return
	}
	if b.joinedLocked(s, ev) || b.leftAsideLocked(s, ev, opener) {
		return
	}
	sites := b.sitesOfLocked(ev.TargetInfo.BrowserContextID)
	t := newTab(b, page.New(s, string(ev.TargetInfo.TargetID), ev.WaitingForDebugger, b.pageSettingsLocked(sites), b.callbacksLocked(sites)))
	t.title, t.url, t.sites = ev.TargetInfo.Title, ev.TargetInfo.URL, sites
	t.found = !b.about.Own && (opener == nil || opener.found)
	switch {
	case b.returnedLocked(t):
	case opener != nil:
		b.tabs.add(opener.owner, t)
		t.opener = opener
		opener.popups.add(t)
		b.sweepLocked()
	case ev.TargetInfo.OpenerID != "":
		b.tabs.add(t.sites.isolated, t)
	case !b.unlisted.admit(t):
		b.appearLocked(t)
	}
}

// pageSettingsLocked are those of a page that shares these sites.
func (b *Browser) pageSettingsLocked(sites *Sites) page.Settings {
	return page.Settings{Common: b.settings.common, Fleeting: sites.apart, Elsewhere: b.about.Elsewhere(), Windowed: !b.about.Headless}
}

// callbacksLocked are what a page calls that shares these sites.
func (b *Browser) callbacksLocked(sites *Sites) page.Callbacks {
	return page.Callbacks{Idle: b.onIdle, Cookies: b.copyCookiesLate, Network: sites.networkLocked(), Refused: b.barred}
}

// workerAttachedLocked prepares a worker that several tabs may use. Any other target that
// is no page is only let run.
func (b *Browser) workerAttachedLocked(s *cdp.Session, info *target.Info) {
	shared := info.Type == "shared_worker"
	if !shared && info.Type != "service_worker" {
		cdp.Send(s, runtime.RunIfWaitingForDebugger, protocol.Empty{})
		return
	}
	if b.about.Shared && !b.usesLocked(info) {
		b.letGoLocked(s)
		return
	}
	if shared {
		b.recordLocked(s, info)
	}
	b.runWorkerLocked(s, b.settings.addWorker(s, b.sitesOfLocked(info.BrowserContextID).networkLocked()))
}

// recordLocked has what a shared worker does recorded in the journal of each tab that
// shows a document of its origin: Chromium does not say which of them use it.
func (b *Browser) recordLocked(s *cdp.Session, info *target.Info) {
	origin, sites := sitedata.OriginOf(strings.TrimPrefix(info.URL, "blob:")), b.sitesOfLocked(info.BrowserContextID)
	b.background.beginLocked(page.RecordShared(s, func() (journals []*journal.Journal) {
		for _, t := range b.all() {
			if t.Sites() == sites && t.Page().Shows(origin) {
				journals = append(journals, t.journal)
			}
		}
		return journals
	}, sites.networkLocked()))
}

// detached forgets a worker that has gone.
func (b *Browser) detached(session string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.settings.workers, session)
	b.renewLocked()
}

// appearLocked lists a tab that came by itself.
func (b *Browser) appearLocked(t *Tab) {
	b.tabs.add(t.sites.isolated, t)
	b.swaps.appeared = append(b.swaps.appeared, t)
}

// infoChanged keeps the title and address with which Chromium lists a target.
func (b *Browser) infoChanged(info *target.Info) {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := b.byTargetLocked(string(info.TargetID))
	if info.Type == "iframe" || t != nil && t.url != info.URL {
		b.renewLocked()
	}
	if t != nil && t.asideLocked() {
		t.page.MovedTo(info.URL)
	}
	if t != nil {
		t.title, t.url = info.Title, info.URL
		if t.ID != "" {
			t.sites.visited.add(info.URL)
		}
		b.notifyLocked()
	}
}

// destroyed drops the tab of a target that has gone. If we did not close it,
// its page did, or the user, or Chromium has replaced the target: then another
// one takes over its handle.
func (b *Browser) destroyed(id string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	closedByUs := b.closing[id]
	delete(b.closing, id)
	t := b.byTargetLocked(id)
	b.renewLocked()
	switch {
	case t == nil:
		return
	case closedByUs || t.ID == "":
		b.forgetLocked(t)
	default:
		b.tabs.remove(t)
		b.swaps.vanished = append(b.swaps.vanished, t)
	}
	b.notifyLocked()
}

// forgetLocked drops a tab that was closed.
func (b *Browser) forgetLocked(t *Tab) {
	b.unlisted.drop(t)
	b.tabs.remove(t)
}

// byTargetLocked finds a tab, listed or not, by its target.
func (b *Browser) byTargetLocked(id string) *Tab {
	return cmp.Or(byTarget(b.tabs.list, id), byTarget(b.unlisted.list, id))
}

func byTarget(tabs []*Tab, id string) *Tab {
	i := slices.IndexFunc(tabs, func(t *Tab) bool { return t.page.ID == id })
	if i < 0 {
		return nil
	}
	return tabs[i]
}

// all returns the tabs, listed or not.
func (b *Browser) all() []*Tab {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.allLocked()
}

func (b *Browser) allLocked() []*Tab { return slices.Concat(b.tabs.list, b.unlisted.list) }
