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
	tabs  []*Tab // not listed: ours, and those that may be; and those that we close
	store *Tab   // an empty one for the next call: to make it takes longer than to load most pages

	refill    *time.Timer // fills the store; nil if there is none
	refilling bool
	work      sync.WaitGroup
}

const (
	// lull is how long there was no call when a tab for the store is made: it
	// would keep a call waiting.
	lull = 100 * time.Millisecond

	// orderTime bounds what is done for tabs that no call waits for.
	orderTime = 30 * time.Second
)

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
	defer b.mu.Unlock()
	if !slices.Contains(b.orders.tabs, t) {
		return nil, fmt.Errorf("open a tab: %w", page.ErrClosed) // meanwhile
	}
	b.orders.drop(t)
	b.list(t)
	b.use(t)
	b.tell()
	return t, nil
}

// fromStore takes the tab in store, nil if there is none that is alive.
func (b *Browser) fromStore() *Tab {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := b.orders.store
	b.orders.store = nil
	if t != nil && t.page.Err() != nil {
		b.discard(t)
		return nil
	}
	return t
}

// openStore begins to keep a tab in store. Where there is a screen, it would be seen.
func (b *Browser) openStore() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.Headless {
		b.orders.refill = time.AfterFunc(lull, b.fillStore)
	}
}

// worked notes that a call has left a page to itself.
func (b *Browser) worked() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.orders.refill != nil {
		b.orders.refill.Reset(lull)
	}
}

// fillStore has a tab made for the store. While a call is under way it does
// not: it is called again when that has ended.
func (b *Browser) fillStore() {
	b.mu.Lock()
	defer b.mu.Unlock()
	busy := func(t *Tab) bool { return t.page.Occupied() }
	if b.conn.Err() != nil || b.orders.refilling || b.orders.store != nil ||
		b.orders.open > 0 || slices.ContainsFunc(b.orders.tabs, busy) || slices.ContainsFunc(b.tabs, busy) {
		return
	}
	b.orders.refilling = true
	b.orders.work.Go(func() {
		ctx, cancel := context.WithTimeout(context.Background(), orderTime)
		defer cancel()
		t, _ := b.order(ctx) // the next who opens a tab will see what is wrong
		b.mu.Lock()
		defer b.mu.Unlock()
		b.orders.store, b.orders.refilling = t, false
		b.tell()
	})
}

// discard closes a tab that is not listed, or not any more. It is called with mu held.
func (b *Browser) discard(t *Tab) {
	if b.conn.Err() != nil {
		return
	}
	b.orders.work.Go(func() {
		ctx, cancel := context.WithTimeout(context.Background(), orderTime)
		defer cancel()
		t.Close(ctx) // or it goes with its browser
	})
}

// endOrders waits until no work on tabs is under way.
func (b *Browser) endOrders() {
	b.mu.Lock()
	if b.orders.refill != nil {
		b.orders.refill.Stop()
	}
	b.mu.Unlock()
	b.orders.work.Wait()
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
		b.discard(t)
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
	b.tell()
	return t, err
}
