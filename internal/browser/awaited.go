package browser

import (
	"context"
	"slices"

	"chela/internal/cdp"
	"chela/internal/media"
	"chela/internal/page"
)

// Awaited is the next download of a tab. One caller waits for it: the last that
// asked.
type Awaited struct {
	tab   *Tab
	place *media.Place  // where it is to be, or nil
	ready chan struct{} // closed when the rest is final

	got   *Download // nil if another caller waits now
	taken bool      // Wait has returned it; guarded by the browser's mu
}

// ExpectDownload waits from now on for the tab's next download, so that what
// begins it can be done. With missed, one that is in no answer yet will do.
func (t *Tab) ExpectDownload(place *media.Place, missed bool) *Awaited {
	b := t.browser
	w := &Awaited{tab: t, place: place, ready: make(chan struct{})}
	b.mu.Lock()
	defer b.mu.Unlock()
	if old := b.downloads.waiterFor(t); old != nil {
		close(old.ready)
	}
	if list := b.downloads.unreported(t); missed && len(list) > 0 {
		w.give(list[0])
		return w
	}
	b.downloads.waiters = append(b.downloads.waiters, w)
	return w
}

// give ends the wait. It is called once, with the browser's mu held.
func (w *Awaited) give(d *Download) {
	d.reported = true
	w.got = d
	close(w.ready)
}

// Begun reports whether the download has begun, or another caller waits for it now.
func (w *Awaited) Begun() bool {
	select {
	case <-w.ready:
		return true
	default:
		return false
	}
}

// Begin waits until Begun.
func (w *Awaited) Begin(ctx context.Context) error {
	select {
	case <-w.ready:
		return nil
	case <-w.tab.browser.done:
		return cdp.ErrClosed
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Wait waits until the download begins, and returns it.
func (w *Awaited) Wait(ctx context.Context) (*Download, error) {
	if err := w.Begin(ctx); err != nil && !w.Begun() {
		return nil, err
	}
	if w.got == nil {
		return nil, ErrSuperseded
	}
	w.tab.browser.mu.Lock()
	w.taken = true
	w.tab.browser.mu.Unlock()
	if w.place == nil {
		return w.got, nil
	}
	return w.got, w.got.moveTo(*w.place)
}

// Closed waits until the browser has listed the closed page p as gone, or the
// download has begun: Chromium reports that before the end of the tab that was
// opened for it.
func (w *Awaited) Closed(ctx context.Context, p *page.Page) error {
	b := w.tab.browser
	return b.await(ctx, func() bool { return w.Begun() || b.byTargetLocked(p.ID) == nil })
}

// Close ends the wait: a download that begins from now on goes to the next waiter.
func (w *Awaited) Close() {
	b := w.tab.browser
	b.mu.Lock()
	defer b.mu.Unlock()
	b.downloads.waiters = slices.DeleteFunc(b.downloads.waiters, func(other *Awaited) bool { return other == w })
	if w.Begun() && w.got != nil && !w.taken {
		w.got.reported = false
	}
}

// waiterFor takes the waiter for a tab's next download.
func (d *downloads) waiterFor(tab *Tab) *Awaited {
	i := slices.IndexFunc(d.waiters, func(w *Awaited) bool { return w.tab == tab })
	if i < 0 {
		return nil
	}
	w := d.waiters[i]
	d.waiters = slices.Delete(d.waiters, i, i+1)
	return w
}

// unreported returns the downloads of a tab that no answer has reported yet.
func (d *downloads) unreported(tab *Tab) (list []*Download) {
	for _, each := range d.list {
		if each.Tab == tab && !each.reported {
			list = append(list, each)
		}
	}
	return list
}

// ReportDownloads returns the downloads of the tab that no answer has reported
// yet, and marks them as reported.
func (t *Tab) ReportDownloads() []*Download {
	t.browser.mu.Lock()
	defer t.browser.mu.Unlock()
	list := t.browser.downloads.unreported(t)
	for _, d := range list {
		d.reported = true
	}
	return list
}

// LastDownload returns the download of the tab that began last, and marks it as
// reported.
func (t *Tab) LastDownload() *Download {
	t.browser.mu.Lock()
	defer t.browser.mu.Unlock()
	for _, d := range slices.Backward(t.browser.downloads.list) {
		if d.Tab == t {
			d.reported = true
			return d
		}
	}
	return nil
}
