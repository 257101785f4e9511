package browser

import (
	"context"
	"errors"
	"log/slog"
	"time"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"

	"chela/internal/base/sitedata"
	"chela/internal/engine/cdp"
	"chela/internal/engine/page"
	"chela/internal/engine/setting"
)

// settings has the settings that all tabs share. They also apply to workers that belong to no tab.
// The browser's mu guards them.
type settings struct {
	common  setting.Common
	workers map[string]*setting.Target // shared and service workers, by session
}

func newSettings() settings {
	return settings{workers: map[string]*setting.Target{}}
}

// addWorker applies the settings to a paused worker. The returned function waits until Chromium has
// applied them.
func (s *settings) addWorker(session *cdp.Session, on page.Callbacks) (wait func(context.Context) error) {
	worker := setting.SharedWorker(session, on.Network, on.Changed)
	s.workers[session.ID] = worker
	return worker.Set(s.common)
}

// workerTime limits how long a worker stays paused until Chromium has applied its settings.
const workerTime = 2 * time.Second

// runWorkerLocked lets a paused worker run when the function settled has returned, or workerTime is
// over. Chromium applies some settings in another process than the one that lets the worker run. So
// the order of the commands is not enough: the worker's first requests would not be routed.
//
// Requests of some shared workers are never routed, as long as the worker lives. Chromium decides
// where the requests of a worker go when it makes the worker, and reports the worker only then.
// About one worker in ten is made before the routes can apply to it, and more on a busy machine.
// Neither waiting nor setting the routes again helps. The network policy applies to these workers
// as to others.
func (b *Browser) runWorkerLocked(session *cdp.Session, settled func(context.Context) error) {
	b.background.beginLocked(func() {
		ctx, cancel := context.WithTimeout(context.Background(), workerTime)
		defer cancel()
		settled(ctx) // a setting that the worker refuses does not keep it from running
		cdp.Send(session, runtime.RunIfWaitingForDebugger, protocol.Empty{})
	})
}

// othersTime is how long [Tab.Set] waits for the pages of other tabs, since one of them may be
// busy. The commands are already sent, so a busy page has the settings when it does anything again.
const othersTime = time.Second

// Settings returns the settings of all tabs.
func (b *Browser) Settings() setting.Common {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.settings.common
}

// Set changes the settings of all tabs: open tabs with their frames and workers, the spare tab, and
// tabs that come later. If this browser is lost, the next one gets the settings as well. The
// function change must not alter maps and slices, but replace them. If it returns an error, so does
// Set, and nothing is changed.
//
// The browser and the tab's own page get the settings first. If Chromium refuses one there, or
// another tab reports that a value is invalid, all settings are as before. The error is then a
// [*setting.RefusedError], or says why the page or ctx ended. (Tabs can share a renderer process.
// If another tab's session has set the time zone of the process, Chromium checks a new value only
// in that session.) Call Set in a turn on the tab.
func (t *Tab) Set(ctx context.Context, change func(*setting.Common) error) error {
	b, p := t.browser, t.Page()
	if err := b.changing.Lock(ctx); err != nil {
		return err
	}
	defer b.changing.Unlock()
	before := b.Settings()
	after := before
	if err := change(&after); err != nil {
		return err
	}
	ofPage, ofBrowser := p.Set(after), b.setBrowser(after)
	if err := errors.Join(ofPage(ctx), ofBrowser(ctx)); err != nil {
		p.Set(before)
		b.setBrowser(before)
		return err
	}
	if err := b.setOthers(ctx, after); err != nil {
		b.sendOthers(before)
		b.setBrowser(before)
		return err
	}
	return nil
}

// dropFirst removes the settings for the [setting.FirstOrigin] of a session. They have no effect in
// any tab, so nothing is sent. The error is the cause of ctx.
func (b *Browser) dropFirst(ctx context.Context, session string) error {
	if err := b.changing.Lock(ctx); err != nil {
		return err
	}
	defer b.changing.Unlock()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.settings.common.DropFirst(session)
	b.kept.raise()
	return nil
}

// BindFirst binds the settings for the [setting.FirstOrigin] of a session to the origin of an
// address. A call of the session uses it in its turn, before it navigates the tab there. So the
// settings apply to the request for the document. If the navigation went elsewhere, the function
// undo makes the settings wait for a first origin again. The function undo is nil if there are no
// such settings. Errors are the same as for Set.
func (t *Tab) BindFirst(ctx context.Context, session, address string) (undo func(context.Context) error, err error) {
	first, origin := setting.FirstOrigin(session), setting.Origin(sitedata.OriginOf(address))
	if c := t.browser.Settings(); origin == "" || c.BindFirst(first, origin) == nil {
		return nil, nil
	}
	var unbind func(*setting.Common)
	err = t.Set(ctx, func(c *setting.Common) error {
		unbind = c.BindFirst(first, origin)
		return nil
	})
	if unbind == nil { // another call has just bound them
		return nil, err
	}
	return func(ctx context.Context) error {
		return t.Set(ctx, func(c *setting.Common) error {
			unbind(c)
			return nil
		})
	}, err
}

// setOthers applies the settings to all tabs, workers and browser contexts. It waits for them, but
// not for pages that cannot answer. A target or browser context that comes meanwhile begins with
// these settings, or gets them as well. If a value is invalid, the error is a [*setting.RefusedError].
func (b *Browser) setOthers(ctx context.Context, c setting.Common) error {
	ctx, cancel := context.WithTimeout(ctx, othersTime)
	defer cancel()
	for _, wait := range b.sendOthers(c) {
		refused, ok := errors.AsType[*setting.RefusedError](wait(ctx))
		switch {
		case !ok:
		case refused.Invalid():
			return refused
		default:
			slog.Warn("a tab, worker or browser context did not take the settings", "error", refused)
		}
	}
	return nil
}

func (b *Browser) sendOthers(c setting.Common) (waits []func(context.Context) error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.settings.common = c
	b.kept.raise()
	for _, worker := range b.settings.workers {
		waits = append(waits, worker.Set(c))
	}
	for _, bc := range b.isolatedContextsLocked() { // usually they have the settings by setBrowser, and nothing is sent
		waits = append(waits, bc.target.Set(c))
	}
	for _, t := range b.allLocked() {
		p, wait := t.page, t.page.Set(c)
		waits = append(waits, func(ctx context.Context) error { return p.Watch(ctx, wait) })
	}
	return waits
}

// renewLocked sends settings again that belong to a renderer process, see [page.Page.Renew]. It is
// called when a target has left its process, because it ended or navigated: the settings may have
// ended with it.
func (b *Browser) renewLocked() {
	for _, t := range b.allLocked() {
		t.page.Renew()
	}
}

// Resize sets the viewport of the tab's page, and of each page that the tab is given later. If
// [page.Page.Resize] fails, its error is returned and the viewport is as before. Resize is called
// in a turn on the tab, so that two changes do not undo each other.
func (t *Tab) Resize(ctx context.Context, v setting.Viewport) error {
	if err := t.Page().Resize(ctx, v); err != nil {
		return err
	}
	t.setViewport(v)
	return nil
}

func (t *Tab) setViewport(v setting.Viewport) {
	t.browser.mu.Lock()
	defer t.browser.mu.Unlock()
	t.viewport = v
	t.browser.kept.raise()
}

// resizeTo gives a page the viewport of the tab.
func (t *Tab) resizeTo(ctx context.Context, p *page.Page) error {
	t.browser.mu.Lock()
	v := t.viewport
	t.browser.mu.Unlock()
	return p.Resize(ctx, v)
}

// resizeMissing gives the tab's page the viewport of the tab, if the page does not have it yet.
// That is the case after Chromium has replaced the tab's page. The new page arrives like a new tab,
// and only a later call on the tab resizes it.
func (t *Tab) resizeMissing(ctx context.Context) error {
	b := t.browser
	b.mu.Lock()
	unapplied, p := t.viewportMissing, t.page
	b.mu.Unlock()
	if !unapplied {
		return nil
	}
	if err := t.resizeTo(ctx, p); err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	t.viewportMissing = t.page != p
	return nil
}
