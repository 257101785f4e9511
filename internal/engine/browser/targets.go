package browser

import (
	"cmp"
	"slices"
	"strings"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	"chela/internal/base/sitedata"
	"chela/internal/engine/cdp"
	"chela/internal/engine/journal"
	"chela/internal/engine/observe"
	"chela/internal/engine/page"
	"chela/internal/engine/setting"
)

// onAttached handles a new target, to which Chromium has attached chela. A target that a document
// has opened is paused before its first script. A target of type page becomes a tab.
//
// Shared and service workers get the settings, and their activity is recorded. A target of any
// other type just runs.
//
// A new session with the browser target is for another program, see [Browser.Lend], and is ignored
// here.
func (b *Browser) onAttached(ev target.EventAttachedToTarget) {
	s := b.conn.Session(string(ev.SessionID))
	if s == nil || ev.TargetInfo.Type == "browser" {
		return // the session has ended already, or belongs to another program
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if ev.TargetInfo.Type != "page" {
		b.prepareWorkerLocked(s, ev.TargetInfo)
		return
	}
	defer b.notifyLocked()
	if !b.attachTabLocked(s, ev) {
		b.addNewPageLocked(s, ev)
	}
}

// pageSettingsLocked returns the settings of a page in this browser context.
func (b *Browser) pageSettingsLocked(bc *BrowserContext) setting.Settings {
	return setting.Settings{
		Common: b.settings.common, Ephemeral: bc.ephemeral, Remote: b.about.Remote(), ServiceWorkers: b.about.Shared, Windowed: !b.about.Headless,
		Lent: !b.about.Own,
	}
}

// callbacksLocked returns the callbacks of a page in this browser context.
func (b *Browser) callbacksLocked(bc *BrowserContext) page.Callbacks {
	return page.Callbacks{
		Idle: b.onIdle, Cookies: b.askLate, Changed: b.kept.raise, Network: bc.networkLocked(), Refused: b.closeBarredPopup, Asked: bc.endAsk,
		Stopped: b.stopped.Load, Flash: b.about.Grouped,
	}
}

// prepareWorkerLocked prepares a worker that several tabs may use. Any other target that is not a
// page just runs.
func (b *Browser) prepareWorkerLocked(s *cdp.Session, info *target.Info) {
	shared, bc := info.Type == "shared_worker", b.contextOfLocked(info.BrowserContextID)
	if !shared && info.Type != "service_worker" || bc == nil {
		cdp.Send(s, runtime.RunIfWaitingForDebugger, protocol.Empty{})
		return
	}
	if b.about.Shared && !b.isUsedLocked(info) {
		b.runAndDetachLocked(s)
		return
	}
	if shared || !b.about.Shared { // in a browser that its user works with, tabs record service workers, see setting.Settings.ServiceWorkers
		b.recordLocked(s, info, bc)
	} else { // slowing down its requests needs its network events
		cdp.Send(s, network.Enable, network.EnableParams{MaxTotalBufferSize: new(int64(0)), MaxResourceBufferSize: new(int64(0))})
	}
	b.runWorkerLocked(s, b.settings.addWorker(s, b.callbacksLocked(bc)))
}

// recordLocked records the activity of a shared or service worker in the event logs of tabs. These
// are the tabs that show or load a document of the worker's origin: Chromium does not say which of
// them use the worker.
func (b *Browser) recordLocked(s *cdp.Session, info *target.Info, bc *BrowserContext) {
	origin := sitedata.OriginOf(strings.TrimPrefix(info.URL, "blob:"))
	b.background.beginLocked(observe.Shared(s, func() (journals []*journal.Journal) {
		for _, t := range b.all() {
			if t.BrowserContext() == bc && t.Page().HasOrLoads(origin) {
				journals = append(journals, t.journal)
			}
		}
		return journals
	}, bc.networkLocked()))
}

// onDetached forgets a worker that has gone.
func (b *Browser) onDetached(session string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.settings.workers, session)
	b.renewLocked()
}

// onInfoChanged records the title and address that Chromium reports for a target.
func (b *Browser) onInfoChanged(info *target.Info) {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := b.byTargetLocked(string(info.TargetID))
	if info.Type == "iframe" || t != nil && t.url != info.URL {
		b.renewLocked()
	}
	if a := b.newPageLocked(string(info.TargetID)); a != nil {
		a.TargetInfo = info
	}
	if t != nil && t.isUnattachedLocked() {
		t.page.MovedTo(info.URL)
	}
	if t != nil {
		if t.title != info.Title || t.url != info.URL {
			t.title, t.url = info.Title, info.URL
			b.kept.raise()
		}
		if t.ID != "" {
			t.context.visit(info.URL)
		}
		b.notifyLocked()
	}
}

// onDestroyed removes the tab of a target that was destroyed. If chela did not close the tab, its
// page or the user did, or Chromium has replaced the target. In the last case, another target takes
// over the tab's handle: see swaps.
func (b *Browser) onDestroyed(id string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	closedByUs := b.closing[id]
	delete(b.closing, id)
	delete(b.shared, id)
	t := b.byTargetLocked(id)
	b.renewLocked()
	b.removeNewPageLocked(b.newPageLocked(id))
	switch {
	case t == nil:
		return
	case closedByUs || t.ID == "":
		b.forgetLocked(t)
	default:
		b.tabs.remove(t)
		b.swaps.vanished = append(b.swaps.vanished, t)
	}
	if len(b.swaps.vanished)+len(b.swaps.appeared) > maxSwaps {
		b.followLocked()
	}
	b.notifyLocked()
}

// forgetLocked removes a closed tab from the lists of tabs.
func (b *Browser) forgetLocked(t *Tab) {
	if t.context.ephemeral && slices.Contains(b.unlisted.spares, t) {
		b.dropSpareLocked(t) // nobody else would remove the tab's browser context
	}
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
