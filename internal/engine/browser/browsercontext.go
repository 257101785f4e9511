package browser

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"time"

	protobrowser "github.com/chromedp/cdproto/browser"
	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"chela/internal/base/mutex"
	"chela/internal/engine/cdp"
	"chela/internal/engine/chrome"
	"chela/internal/engine/page"
	"chela/internal/engine/setting"
	"chela/internal/wall/proxy"
)

// A BrowserContext is a browser context of Chromium: tabs in it share cookies, storage and
// permissions. A browser has a default one, and each isolated session has its own. The context of
// an isolated session is kept in memory only, and ends with the session or the browser.
type BrowserContext struct {
	browser   *Browser
	isolated  string      // key of the isolated session that has the context; "": the default context, or one that the user has made
	hosts     []string    // the only hosts that its tabs may open; nil: all that the policy allows
	making    mutex.Mutex // locked while Chromium makes the browser context
	ephemeral bool        // the context is for one page of InEphemeralContext
	asks      askList     // what the pages have asked for; has a mutex of its own

	// The rest is guarded by the browser's mu.

	id      protocol.BrowserContextID // Chromium's id; "" if Chromium has not made it yet, and for the default context
	network *proxy.Proxy              // the context's own proxy, if hosts is set; nil: it uses the browser's proxy
	target  *setting.Target           // applies settings that belong to the context and not to a tab
	grants  []Grant                   // permissions that were granted; never changed in place: a change replaces the slice
	visited visited                   // origins that tabs have shown
	pending pendingSessions           // sessionStorage that was loaded and waits for tabs
	emptied bool                      // what the session's browser context had is gone, and no answer has reported that yet
	taken   bool                      // a page was opened in the context; further ones are closed if the context is ephemeral
	ended   bool                      // the session has ended, so no browser context is made for the session any more
}

// BrowserContext is the browser context of the tab.
func (t *Tab) BrowserContext() *BrowserContext {
	t.browser.mu.Lock()
	defer t.browser.mu.Unlock()
	return t.context
}

// Isolate gives the session a browser context of its own, if it has none yet. Tabs that it opens
// from now on are in that context. Tabs that it has opened before stay in the default one. The error
// is [ErrTooManyIsolated].
func (s Session) Isolate() error {
	b := s.browser
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.mayIsolateLocked(s.key)
}

// maxIsolated limits how many sessions are isolated. Callers may use a new session for each job, and
// end none. Beyond it, a session that has no tab and was unused for unusedTime is forgotten. If it comes
// back after all, its next tabs have the user's cookies.
const (
	maxIsolated = 10_000
	unusedTime  = 24 * time.Hour
)

// ErrTooManyIsolated says that so many sessions are isolated that no other one can be.
var ErrTooManyIsolated = errors.New("too many sessions are isolated")

// mayIsolateLocked isolates a session. If maxIsolated others are isolated, it forgets one of them. If
// none may be forgotten, the error is ErrTooManyIsolated.
func (b *Browser) mayIsolateLocked(key string) error {
	if u := b.tabs.uses[key]; u != nil && u.context != nil {
		return nil
	}
	if len(b.tabs.isolated()) >= maxIsolated && !b.forgetIsolatedLocked() {
		return ErrTooManyIsolated
	}
	b.isolateLocked(key)
	return nil
}

// forgetIsolatedLocked forgets the isolated session without tabs that was unused for longest, if that
// is unusedTime. It reports whether it has forgotten one.
func (b *Browser) forgetIsolatedLocked() bool {
	inUse := b.tabs.owners()
	for _, t := range b.allLocked() {
		inUse[t.context.isolated] = true
	}
	oldest, last := "", time.Now().Add(-unusedTime)
	for key, u := range b.tabs.uses {
		if u.context != nil && !inUse[key] && u.last.Before(last) {
			oldest, last = key, u.last
		}
	}
	if oldest == "" {
		return false
	}
	slog.Info("a session is no longer isolated: it was unused for longest, and too many are isolated", "session", oldest, "since", last)
	bc := b.tabs.uses[oldest].context
	bc.ended = true
	bc.disposeLocked()
	delete(b.tabs.uses, oldest)
	return true
}

// isolateLocked returns a session's own browser context. If there is none, it adds one, which
// Chromium makes when it is needed.
func (b *Browser) isolateLocked(key string) *BrowserContext {
	u := b.tabs.of(key)
	if u.context == nil {
		u.context = &BrowserContext{browser: b, isolated: key, hosts: b.hostsOf(key), making: mutex.New()}
		u.last = time.Now()
		b.kept.raise()
	}
	return u.context
}

// maxContexts limits how many browser contexts of isolated sessions Chromium keeps, besides those
// with tabs.
const maxContexts = 1000

// disposeUnusedLocked removes the browser contexts beyond maxContexts: those without tabs whose
// sessions were unused for longest. The sessions stay isolated.
func (b *Browser) disposeUnusedLocked() {
	all := b.isolatedContextsLocked()
	if len(all) <= maxContexts {
		return
	}
	last := func(bc *BrowserContext) time.Time { return b.tabs.uses[bc.isolated].last }
	slices.SortFunc(all, func(x, y *BrowserContext) int { return last(y).Compare(last(x)) })
	for _, bc := range all[maxContexts:] {
		if !slices.ContainsFunc(b.tabs.list, func(t *Tab) bool { return t.context == bc }) {
			bc.disposeLocked()
		}
	}
}

// isolated returns the keys of the isolated sessions.
func (l *tabList) isolated() (keys []string) {
	for key, u := range l.uses {
		if u.context != nil {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// browserContext returns the browser context of the tabs that the session opens. A session that may
// open only some hosts gets a context of its own, with its own proxy: other sessions share the
// browser's connections. If the session already has tabs without that limit, the error is
// ErrOpenedUnlimited. It can also be ErrTooManyIsolated.
//
// The session counts as used from now on. Otherwise a sweep could remove its context before the tab
// is open.
func (s Session) browserContext() (*BrowserContext, error) {
	b := s.browser
	b.mu.Lock()
	defer b.mu.Unlock()
	limited := b.hostsOf(s.key) != nil
	if limited {
		if err := b.mayIsolateLocked(s.key); err != nil {
			return nil, err
		}
	}
	u := b.tabs.uses[s.key]
	switch {
	case u == nil || u.context == nil:
		return &b.BrowserContext, nil
	case limited && u.context.hosts == nil:
		return nil, ErrOpenedUnlimited
	}
	u.last = time.Now()
	return u.context, nil
}

// ensure makes the browser context if there is none yet, and returns its id; "" is the default one.
// A context that may open only some hosts has a proxy of its own. Errors come from
// Target.createBrowserContext and [proxy.Proxy.Narrow]. If the session has ended, the error is
// [page.ErrClosed]; if ctx ends, it is the cause of ctx.
func (bc *BrowserContext) ensure(ctx context.Context) (protocol.BrowserContextID, error) {
	b := bc.browser
	b.mu.Lock()
	id, ended := bc.id, bc.ended
	b.mu.Unlock()
	switch {
	case ended:
		return "", fmt.Errorf("session %s has ended: %w", bc.isolated, page.ErrClosed)
	case id != "" || bc.isolated == "":
		return id, nil
	}
	made := make(chan error, 1)
	b.mu.Lock()
	begun := b.background.beginLocked(func() { made <- bc.make() }) // without ctx: Chromium would make the context even if nobody waited, and its id would be lost
	b.mu.Unlock()
	if !begun {
		return "", errEnding
	}
	select {
	case err := <-made:
		if err != nil {
			return "", err
		}
		return bc.ensure(ctx)
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

// make makes the browser context of a session, if it does not exist yet.
func (bc *BrowserContext) make() error {
	bc.making.Lock(context.Background())
	defer bc.making.Unlock()
	b := bc.browser
	b.mu.Lock()
	there := bc.id != "" || bc.ended
	b.mu.Unlock()
	if there {
		return nil
	}
	id, network, err := bc.create(context.Background())
	if err != nil {
		return fmt.Errorf("isolate session %s: %w", bc.isolated, err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	bc.id, bc.network, bc.target = id, network, setting.BrowserTarget(b.conn.Root(), id)
	if bc.ended {
		bc.disposeLocked()
		return nil
	}
	bc.target.Set(b.settings.common)
	b.sendDownloadFolder(bc.id)
	b.disposeUnusedLocked()
	return nil
}

// create has Chromium make the browser context. If the context has a proxy of its own, create makes
// the proxy first.
func (bc *BrowserContext) create(ctx context.Context) (protocol.BrowserContextID, *proxy.Proxy, error) {
	params := target.CreateBrowserContextParams{DisposeOnDetach: new(true)}
	network, err := bc.narrow()
	switch {
	case err != nil:
		return "", nil, err
	case network != nil:
		params.ProxyServer, params.ProxyBypassList = network.URL(), chrome.NoBypass
	}
	res, err := cdp.Call(ctx, bc.browser.conn.Root(), target.CreateBrowserContext, params)
	if err != nil {
		network.Close()
		return "", nil, err
	}
	return res.BrowserContextID, network, nil
}

// ErrUnlimited says that a session cannot be limited to hosts, because the browser uses no proxy
// that would check them.
var ErrUnlimited = errors.New("the browser connects itself, so the hosts of a session cannot be limited")

// narrow returns the proxy of a browser context that may open only some hosts. For any other
// context it returns nil: such a context uses the browser's proxy.
func (bc *BrowserContext) narrow() (*proxy.Proxy, error) {
	switch network := bc.browser.network; {
	case bc.hosts == nil:
		return nil, nil
	case !network.Carries():
		return nil, ErrUnlimited
	default:
		return network.Narrow(bc.hosts)
	}
}

// networkLocked returns the proxy that the tabs connect through.
func (bc *BrowserContext) networkLocked() *proxy.Proxy { return cmp.Or(bc.network, bc.browser.network) }

// TakeEmptied reports whether the tab's session has lost its cookies, storage and permissions, and no
// earlier TakeEmptied has reported that. Its browser context was removed because it was not used for
// long, or has gone with its browser. For a tab that is not in the browser context of the isolated
// session key, TakeEmptied returns false.
func (t *Tab) TakeEmptied(key string) (emptied bool) {
	t.browser.mu.Lock()
	defer t.browser.mu.Unlock()
	if t.context.isolated != key {
		return false
	}
	emptied, t.context.emptied = t.context.emptied, false
	return emptied
}

// disposeLocked removes the browser context with its cookies and storage. It is called when its
// session has ended, or was not used for long. In the second case the session stays isolated, and
// its next tab gets a new browser context.
func (bc *BrowserContext) disposeLocked() {
	if bc == nil || bc.id == "" {
		return
	}
	cdp.Send(bc.browser.conn.Root(), target.DisposeBrowserContext, target.DisposeBrowserContextParams{BrowserContextID: bc.id})
	bc.browser.background.beginLocked(bc.network.Close)
	bc.id, bc.network, bc.emptied = "", nil, true
	bc.grants, bc.visited, bc.pending = nil, nil, nil
}

// contextOfLocked returns the browser context with an id. For an unknown id, the result is nil in a
// browser that chela has launched, because the session of that context has ended. In any other
// browser the user may have made the context, as with an incognito window.
func (b *Browser) contextOfLocked(id protocol.BrowserContextID) *BrowserContext {
	if id == "" || id == b.defaultContextID {
		return &b.BrowserContext
	}
	for _, u := range b.tabs.uses {
		if u.context != nil && u.context.id == id {
			return u.context
		}
	}
	switch bc := b.otherContexts[id]; {
	case bc != nil:
		return bc
	case b.defaultContextID == "": // the id must be the default context's: contexts of sessions are known before they get pages
		b.defaultContextID = id
		return &b.BrowserContext
	case b.about.Own:
		return nil
	}
	if len(b.otherContexts) >= maxUserContexts {
		b.dropUnusedContextsLocked()
	}
	bc := &BrowserContext{browser: b, id: id}
	b.otherContexts[id] = bc
	return bc
}

// maxUserContexts limits how many browser contexts of a browser that chela has not started are
// remembered without tabs in them. Chromium does not report the end of a context, and another program
// may make one for each of its jobs.
const maxUserContexts = 100

// dropUnusedContextsLocked forgets the browser contexts in which no tab is.
func (b *Browser) dropUnusedContextsLocked() {
	used := map[*BrowserContext]bool{}
	for _, t := range slices.Concat(b.allLocked(), b.swaps.vanished) {
		used[t.context] = true
	}
	for _, a := range b.newPages {
		used[a.context] = true
	}
	maps.DeleteFunc(b.otherContexts, func(_ protocol.BrowserContextID, bc *BrowserContext) bool { return !bc.ephemeral && !used[bc] })
}

// learnDefaultContext asks Chromium for the id of the default browser context. If the browser does
// not know the command, the first id that belongs to no session counts as the default context's,
// see contextOfLocked.
func (b *Browser) learnDefaultContext(ctx context.Context) error {
	res, err := cdp.Call(ctx, b.conn.Root(), target.GetBrowserContexts, protocol.Empty{})
	if _, refused := errors.AsType[*cdp.Error](err); refused {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.defaultContextID = res.DefaultBrowserContextID
	return err
}

// isolatedContextsLocked lists the browser contexts of isolated sessions.
func (b *Browser) isolatedContextsLocked() (all []*BrowserContext) {
	for _, u := range b.tabs.uses {
		if u.context != nil && u.context.id != "" {
			all = append(all, u.context)
		}
	}
	return all
}

// setBrowser applies the settings that belong to the browser and to the browser contexts of
// isolated sessions, rather than to a tab. The returned function waits until Chromium has replied.
func (b *Browser) setBrowser(c setting.Common) func(context.Context) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	waits := []func(context.Context) error{b.target.Set(c)}
	for _, s := range b.isolatedContextsLocked() {
		waits = append(waits, s.target.Set(c))
	}
	return func(ctx context.Context) (err error) {
		for _, wait := range waits {
			err = errors.Join(err, wait(ctx))
		}
		return err
	}
}

// sendDownloadFolder has Chromium write the downloads of a browser context to the staging folder;
// "" is the default context.
func (b *Browser) sendDownloadFolder(id protocol.BrowserContextID) {
	if b.downloads.files == nil {
		return
	}
	how := protobrowser.SetDownloadBehaviorBehaviorAllowAndName
	if b.about.Remote() {
		how = protobrowser.SetDownloadBehaviorBehaviorDeny
	}
	cdp.Send(b.conn.Root(), protobrowser.SetDownloadBehavior, protobrowser.SetDownloadBehaviorParams{
		Behavior: how, BrowserContextID: id,
		DownloadPath: b.downloads.staging, EventsEnabled: new(true),
	})
}
