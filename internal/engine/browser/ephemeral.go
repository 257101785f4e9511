package browser

import (
	"context"
	"fmt"

	protobrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/target"

	"chela/internal/engine/cdp"
	"chela/internal/engine/page"
)

// InEphemeralContext makes a browser context with an empty page, and runs fn in a turn on that
// page. The page shares no cookies, storage, cache or permissions with other pages, and no caller
// can name its tab. Tabs that the page opens are closed, and files that it downloads are not saved.
// If hosts are given, the page may open only these.
//
// When fn has returned, or ctx has ended before, the context is removed with all that is in it.
// InEphemeralContext does not wait for that. It calls the parameter after exactly once: when the
// context has been removed, or when none could be made. That function must not call the browser.
// Errors come from fn, [page.Page.Turn], [proxy.Proxy.Narrow] and Chromium, or are [cdp.ErrClosed]
// or the cause of ctx.
func (b *Browser) InEphemeralContext(ctx context.Context, hosts []string, fn func(context.Context, *page.Page) error, after func()) error {
	remove := func(t *Tab) {
		if t != nil { // if t is nil, makeEphemeral has failed and has called after
			b.removeEphemeralLocked(t, after)
		}
	}
	t, err := b.takeEphemeral(ctx, hosts, after, remove)
	if err == errEnding {
		after()
	}
	if err != nil {
		return fmt.Errorf("open a page in an ephemeral context: %w", err)
	}
	defer func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		remove(t)
	}()
	p := t.Page()
	return p.Turn(ctx, func(ctx context.Context) error { return fn(ctx, p) })
}

// takeEphemeral returns an empty tab in a browser context of its own. The tab is a spare one or a
// new one. A context that may open only some hosts has a proxy of its own, so its tab is never a
// spare one.
func (b *Browser) takeEphemeral(ctx context.Context, hosts []string, after func(), late func(*Tab)) (*Tab, error) {
	if b.onlyEphemeral && hosts == nil {
		if t := b.takeSpare(); t != nil {
			return t, nil
		}
	}
	return b.awaitMade(ctx, func() (*Tab, error) { return b.makeEphemeral(hosts, after) }, late)
}

// makeEphemeral makes a browser context with an empty tab. If that fails, it removes the context
// again, and calls the function failed.
func (b *Browser) makeEphemeral(hosts []string, failed func()) (*Tab, error) {
	bc := &BrowserContext{browser: b, hosts: hosts, ephemeral: true}
	var err error
	if bc.id, bc.network, err = bc.create(context.Background()); err != nil {
		failed()
		return nil, err
	}
	b.mu.Lock()
	b.otherContexts[bc.id] = bc
	b.mu.Unlock()
	cdp.Send(b.conn.Root(), protobrowser.SetDownloadBehavior, protobrowser.SetDownloadBehaviorParams{
		Behavior: protobrowser.SetDownloadBehaviorBehaviorDeny, BrowserContextID: bc.id, EventsEnabled: new(true),
	})
	t, err := bc.makeTab("")
	if err != nil {
		b.disposeEphemeral(bc)
		failed()
	}
	return t, err
}

// removeEphemeralLocked closes the tab and removes its browser context in the background, and then
// calls the parameter after. It closes the tab first, because that ends a script that would delay
// the removal.
func (b *Browser) removeEphemeralLocked(t *Tab, after func()) {
	begun := b.background.beginLocked(func() {
		defer after()
		ctx, cancel := context.WithTimeout(context.Background(), backgroundTime)
		defer cancel()
		t.Close(ctx) // if this fails, the tab is closed with its context
		b.disposeEphemeral(t.BrowserContext())
	})
	if !begun { // the browser is ending, and the context with it
		after()
	}
}

// disposeEphemeral removes a browser context.
func (b *Browser) disposeEphemeral(bc *BrowserContext) {
	ctx, cancel := context.WithTimeout(context.Background(), backgroundTime)
	defer cancel()
	cdp.Call(ctx, b.conn.Root(), target.DisposeBrowserContext, target.DisposeBrowserContextParams{BrowserContextID: bc.id})
	bc.network.Close()
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.otherContexts, bc.id)
	b.notifyLocked()
}
