package browser

import (
	"context"
	"errors"
	"slices"

	"chela/internal/cdp"
	"chela/internal/page"
)

// gone reports whether an error says that a page is of no use any more, though
// its tab was not closed.
func gone(err error) bool {
	return errors.Is(err, page.ErrCrashed) || errors.Is(err, cdp.ErrClosed)
}

// needsPage reports whether the tab has no page: it has crashed, or has gone
// with its browser, or an earlier call has failed to open it again.
func (t *Tab) needsPage() bool {
	t.browser.mu.Lock()
	defer t.browser.mu.Unlock()
	if gone(t.page.Err()) {
		return true
	}
	switch url := t.page.URL(); {
	case t.unreached == "":
		return false
	case page.IsError(url):
		return true
	default: // while it loads, or before its error page is there
		return url == page.Blank && (t.refused || t.page.Leaving() == "")
	}
}

// Revive gives a tab that has no page a new one, at the address where it was.
// It reports whether it had to.
func (t *Tab) Revive(ctx context.Context) (revived bool, err error) {
	return t.renew(ctx, t.needsPage, func() error {
		err := t.reopen(ctx)
		if errors.Is(err, page.ErrCrashed) {
			err = t.reopen(ctx) // Chromium may give a new tab a process that dies with the old one's
		}
		return err
	})
}

// Replace is Revive for who leads the tab elsewhere: the new page is empty. A
// page that cannot be left is replaced, too.
func (t *Tab) Replace(ctx context.Context) (replaced bool, err error) {
	needed := func() bool { return t.needsPage() || t.Page().Storming() }
	return t.renew(ctx, needed, func() error {
		fresh, err := t.prepare(ctx)
		if err == nil {
			err = t.takeOver(fresh, "", nil)
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

// prepare returns an empty tab that is not listed, set up as t is.
func (t *Tab) prepare(ctx context.Context) (*Tab, error) {
	fresh, err := t.browser.take(ctx)
	if err != nil {
		return nil, err
	}
	if v := t.Viewport(); v != (Viewport{}) {
		err = fresh.Page().Apply(ctx, page.Settings{Viewport: page.Viewport(v)})
	}
	if err != nil {
		t.browser.discard(fresh)
		return nil, err
	}
	return fresh, nil
}

// reopen opens the address of a tab without a page in a new one, which is not
// listed: until it is there, callers see the tab as it was. An address that was
// not reached is kept for the next try.
func (t *Tab) reopen(ctx context.Context) error {
	fresh, err := t.prepare(ctx)
	if err != nil {
		return err
	}
	url, p := t.place(), fresh.Page()
	err = p.Turn(ctx, func(ctx context.Context) error { return p.Navigate(ctx, url) })
	if _, asks := errors.AsType[*page.DialogOpen](err); asks {
		err = nil // the page is there, and asks whoever comes
	}
	if gone(err) {
		t.browser.discard(fresh)
		return err
	}
	return errors.Join(t.takeOver(fresh, url, err), err)
}

// takeOver gives t the page of another tab, which was made for that and, unless
// it failed, has opened url. The other closes with the page that t had. If t was
// closed meanwhile, so is the new page.
func (t *Tab) takeOver(fresh *Tab, url string, failed error) error {
	b := t.browser
	b.mu.Lock()
	defer b.mu.Unlock()
	defer b.discardLocked(fresh)
	if !slices.Contains(b.tabs, t) {
		return page.ErrClosed
	}
	t.lost = append(t.lost, t.page.Armed()...)
	t.former = append(t.former[max(0, len(t.former)-maxFormer+1):], t.page.ID)
	t.page, fresh.page = fresh.page, t.page
	t.title, t.url = fresh.title, fresh.url
	t.recovered, t.unreached, t.refused = true, "", false
	if failed != nil {
		_, t.refused = errors.AsType[*page.LoadError](failed)
		t.unreached = url
	}
	t.inheritLocked(fresh)
	b.useLocked(t)
	b.notifyLocked()
	return nil
}

// inheritLocked makes what the new page has begun, while it was another tab's, the tab's own.
func (t *Tab) inheritLocked(fresh *Tab) {
	b := t.browser
	for _, x := range b.tabs {
		if x.opener == fresh {
			x.opener = t
		}
	}
	t.popups.undelivered = append(t.popups.undelivered, fresh.popups.undelivered...)
	for _, d := range b.downloads.list {
		if d.Tab == fresh {
			d.Tab = t
		}
	}
}

// TakeRecovery returns what the tab has lost beside what every tab loses that is
// opened anew, for the first answer after that; false if it was not opened anew.
func (t *Tab) TakeRecovery() (lost []string, recovered bool) {
	t.browser.mu.Lock()
	defer t.browser.mu.Unlock()
	lost, recovered = t.lost, t.recovered
	if recovered {
		t.lost, t.recovered = nil, false
	}
	return lost, recovered
}
