package browser

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/chromedp/cdproto/target"

	"chela/internal/cdp"
	"chela/internal/page"
)

// The window of a headless tab.
const (
	windowWidth  = 1280
	windowHeight = 800
)

// orders are the tabs that we ask Chromium for, guarded by the browser's mu.
type orders struct {
	open  int    // that Chromium has not answered
	tabs  []*Tab // not listed yet: ours, and those that may be
	store *Tab   // an empty one for the next call: to make it takes longer than to load most pages

	lull     *time.Timer // until the store is filled; nil if there is none
	stocks   bool        // one for the store is on its way
	stocking sync.WaitGroup
}

// lull is how long there was no call when a tab for the store is made: it would
// keep a call waiting.
const lull = 100 * time.Millisecond

// takes reports whether a tab that has no opener may be one that we asked for;
// which it is, the answer tells.
func (o *orders) takes(t *Tab) bool {
	if o.open == 0 || t.url != "" && t.url != page.Blank {
		return false
	}
	o.tabs = append(o.tabs, t)
	return true
}

func (o *orders) drop(t *Tab) {
	o.tabs = slices.DeleteFunc(o.tabs, func(x *Tab) bool { return x == t })
	if o.store == t {
		o.store = nil
	}
}

// Open opens an empty tab.
func (b *Browser) Open(ctx context.Context) (*Tab, error) {
	t := b.fromStore()
	if t == nil {
		var err error
		if t, err = b.order(ctx); err != nil {
			return nil, fmt.Errorf("open a tab: %w", err)
		}
	}
	b.mu.Lock()
	b.orders.drop(t)
	b.list(t)
	b.use(t)
	b.mu.Unlock()
	return t, nil
}

// fromStore takes the tab in store, nil if there is none that is alive.
func (b *Browser) fromStore() *Tab {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := b.orders.store
	b.orders.store = nil
	if t != nil && t.page.Err() != nil {
		b.closeTarget(t.page.ID)
		return nil
	}
	return t
}

// openStore begins to keep a tab in store. Where there is a screen, it would be seen.
func (b *Browser) openStore() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.Headless {
		b.orders.lull = time.AfterFunc(lull, b.stock)
	}
}

// called notes that a call has come. It is called with mu held.
func (b *Browser) called() {
	if b.orders.lull != nil {
		b.orders.lull.Reset(lull)
	}
}

// stock has a tab made for the store.
func (b *Browser) stock() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.conn.Err() != nil || b.orders.stocks || b.orders.store != nil {
		return
	}
	for _, t := range b.tabs {
		if idle := t.page.Idle(); idle < lull {
			b.orders.lull.Reset(lull - idle)
			return
		}
	}
	b.orders.stocks = true
	b.orders.stocking.Go(func() {
		t, _ := b.order(context.Background()) // the next who opens a tab will see what is wrong
		b.mu.Lock()
		defer b.mu.Unlock()
		b.orders.store, b.orders.stocks = t, false
		b.tell()
	})
}

// endOrders waits until no tab is made any more.
func (b *Browser) endOrders() {
	b.mu.Lock()
	if b.orders.lull != nil {
		b.orders.lull.Stop()
	}
	b.mu.Unlock()
	b.orders.stocking.Wait()
}

// order has Chromium make an empty tab. A headless one has a window of its own:
// behind another tab it would be painted and answered late.
func (b *Browser) order(ctx context.Context) (*Tab, error) {
	params := target.CreateTargetParams{URL: page.Blank}
	if b.Headless {
		params.NewWindow, params.Width, params.Height = new(true), windowWidth, windowHeight
	}
	t, err := b.create(ctx, params)
	if err != nil {
		return nil, err
	}
	if err := t.page.Watch(ctx, t.page.Ready); err != nil {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.closeTarget(t.page.ID)
		return nil, err
	}
	return t, nil
}

// create asks for a tab, and finds it among those that appear.
func (b *Browser) create(ctx context.Context, params target.CreateTargetParams) (t *Tab, err error) {
	b.mu.Lock()
	b.orders.open++
	b.mu.Unlock()
	res, err := cdp.Call(ctx, b.conn.Root(), target.CreateTarget, params)
	if err == nil {
		err = b.await(ctx, func() bool { t = byTarget(b.orders.tabs, string(res.TargetID)); return t != nil })
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if t != nil {
		t.ordered = true
	}
	if b.orders.open--; b.orders.open > 0 {
		return t, err
	}
	for _, x := range slices.Clone(b.orders.tabs) {
		if !x.ordered { // it came by itself
			b.orders.drop(x)
			b.appear(x)
		}
	}
	return t, err
}

// closeTarget closes a target that is no tab any more. It is called with mu held.
func (b *Browser) closeTarget(id string) {
	b.closing[id] = true
	cdp.Send(b.conn.Root(), target.CloseTarget, target.CloseTargetParams{TargetID: target.ID(id)})
}
