package browser

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/chromedp/cdproto/network"

	"chela/internal/cdp"
	"chela/internal/page"
)

// A Memory is what the next browser of a profile is to know of the last.
type Memory struct {
	lastTab int
	tabs    []*Tab
	current *Tab
	cookies []*network.Cookie
}

// Memory returns what is left when the browser has gone: its tab numbers, which
// are never used again, and if it was lost rather than closed, its tabs. In the
// next browser they open again where they were, when they are asked for.
func (b *Browser) Memory() Memory {
	<-b.done
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return Memory{lastTab: b.lastTab}
	}
	b.jar.collect()
	return Memory{b.lastTab, b.tabs, b.current, b.jar.cookies}
}

// WasLost reports whether the browser has gone by itself.
func (b *Browser) WasLost() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return !b.closed && b.conn.Err() != nil
}

// recall takes over the tabs of the last browser. Their pages are dead.
func (b *Browser) recall(m Memory) {
	b.lastTab, b.jar.cookies = m.lastTab, m.cookies
	for _, old := range m.tabs {
		t := newTab(b, old.page)
		t.ID, t.former, t.label, t.title, t.url, t.awayFrom = old.ID, old.former, old.label, old.title, old.url, old.awayFrom
		b.tabs = append(b.tabs, t)
		if old == m.current {
			b.current = t
		}
	}
}

// dead reports whether the tab's page has crashed, or has gone with its browser.
func (t *Tab) dead() bool {
	err := t.Page().Err()
	return errors.Is(err, page.ErrCrashed) || errors.Is(err, cdp.ErrClosed)
}

// Revive gives a tab whose page is dead a new one at the same address. It
// reports whether it had to.
func (t *Tab) Revive(ctx context.Context) (revived bool, err error) {
	return t.renew(ctx, t.dead, func() error {
		err := t.reopen(ctx)
		if errors.Is(err, page.ErrCrashed) {
			err = t.reopen(ctx) // Chromium may give a new tab a process that dies with the old one's
		}
		return err
	})
}

// Replace gives a tab whose page can not be left an empty one. It reports
// whether it had to.
func (t *Tab) Replace(ctx context.Context) (replaced bool, err error) {
	return t.renew(ctx, func() bool { return t.Page().Storming() }, func() error {
		fresh, err := t.browser.Open(ctx)
		if err == nil {
			t.takeOver(fresh)
		}
		return err
	})
}

// renew gives the tab a new page if it needs one, once for all who ask.
func (t *Tab) renew(ctx context.Context, needed func() bool, do func() error) (renewed bool, err error) {
	if !needed() {
		return false, nil
	}
	select {
	case t.reviving <- struct{}{}:
		defer func() { <-t.reviving }()
	case <-ctx.Done():
		return false, context.Cause(ctx)
	}
	if !needed() {
		return true, nil
	}
	return true, do()
}

// reopen opens the address of a dead page in a new one. If that dies too, or did
// not get there, the address is not forgotten.
func (t *Tab) reopen(ctx context.Context) error {
	url := t.Page().URL()
	if url == page.Blank {
		url = cmp.Or(t.awayFrom, url)
	}
	fresh, err := t.browser.Open(ctx)
	if err != nil {
		return err
	}
	p := fresh.Page()
	err = p.Turn(ctx, func(ctx context.Context) error { return p.Navigate(ctx, url) })
	if errors.Is(err, page.ErrCrashed) || errors.Is(err, cdp.ErrClosed) {
		return errors.Join(err, fresh.Close(ctx))
	}
	t.awayFrom = ""
	if err != nil {
		t.awayFrom = url
	}
	t.takeOver(fresh)
	return err
}

// takeOver gives t the page of another tab, which was made for that. The other
// closes with the page that t had.
func (t *Tab) takeOver(fresh *Tab) {
	b := t.browser
	b.mu.Lock()
	defer b.mu.Unlock()
	t.former = append(t.former, t.page.ID)
	t.page, fresh.page = fresh.page, t.page
	b.tabs = slices.DeleteFunc(b.tabs, func(x *Tab) bool { return x == fresh })
	b.orders.tabs = append(b.orders.tabs, fresh)
	b.discard(fresh)
	b.use(t)
	b.tell()
}
