package browser

import (
	"context"
	"slices"

	"chela/internal/base/media"
	"chela/internal/engine/page"
)

// A DownloadWait is a caller's wait for the next download of a tab. A caller that begins the
// download itself gets it before one that only waits. If several callers only wait for the same
// tab, the last one gets the download; the others get [ErrSuperseded].
type DownloadWait struct {
	tab    *Tab
	there  []*Tab        // the tabs that existed when the wait began
	place  *media.Place  // where to move the file; nil: to the downloads folder
	missed bool          // the caller only waits: see [Tab.ExpectDownload]
	ready  chan struct{} // closed when got is final

	got   *Download // nil when another caller has superseded this one
	known bool      // an answer had reported got before this wait
	taken bool      // Wait has returned got; guarded by the browser's mu
}

// ExpectDownload begins to wait for the next download of the tab, or of a tab that it opens from
// now on. It is called before the act that begins the download. Otherwise the download could begin
// before the wait does. If missed is true, the caller begins no download itself, so one that has
// already begun also counts: see downloads.missed. The caller ends the wait with
// [DownloadWait.Close].
func (t *Tab) ExpectDownload(place *media.Place, missed bool) *DownloadWait {
	b := t.browser
	w := &DownloadWait{tab: t, place: place, missed: missed, ready: make(chan struct{})}
	b.mu.Lock()
	defer b.mu.Unlock()
	w.there = slices.Clone(b.tabs.list)
	if old := b.downloads.takeWaiter(func(w *DownloadWait) bool { return w.tab == t && w.missed }); old != nil {
		close(old.ready)
	}
	if !missed {
		b.downloads.endOffers(t) // the caller begins another one
	} else if d := b.downloads.missed(t); d != nil {
		w.deliverLocked(d)
		return w
	}
	b.downloads.waiters = append(b.downloads.waiters, w)
	return w
}

// deliverLocked ends the wait with a download. It is called once.
func (w *DownloadWait) deliverLocked(d *Download) {
	w.known = d.reported
	d.reported = true
	w.got = d
	close(w.ready)
}

// Begun reports whether the download has begun, or another caller has superseded this wait.
func (w *DownloadWait) Begun() bool {
	select {
	case <-w.ready:
		return true
	default:
		return false
	}
}

// AwaitBegin waits until Begun is true. Errors are [cdp.ErrClosed] when the browser has ended, and
// the cause of ctx.
func (w *DownloadWait) AwaitBegin(ctx context.Context) error {
	select {
	case <-w.ready:
		return nil
	case <-w.tab.browser.done:
		return w.tab.browser.conn.Err()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Wait waits until the download begins, and returns it. Errors come from [DownloadWait.AwaitBegin],
// or from moving a file that has already arrived to the place of this wait. If another caller has
// superseded this one, the error is [ErrSuperseded].
func (w *DownloadWait) Wait(ctx context.Context) (*Download, error) {
	if err := w.AwaitBegin(ctx); err != nil && !w.Begun() {
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

// AwaitClosed waits until the target of the closed page p is destroyed, or the download has begun.
// Chromium reports the beginning of a download before the end of the tab that was opened for it. So
// if [DownloadWait.Begun] is false afterwards, this page has begun no download. Errors are the same
// as for [DownloadWait.AwaitBegin].
func (w *DownloadWait) AwaitClosed(ctx context.Context, p *page.Page) error {
	b := w.tab.browser
	return b.await(ctx, func() bool { return w.Begun() || b.byTargetLocked(p.ID) == nil })
}

// Close ends the wait: a download that begins from now on goes to the next caller. A download that
// has begun, but that Wait has not returned, counts as not reported: see [Tab.ReportDownloads].
func (w *DownloadWait) Close() {
	b := w.tab.browser
	b.mu.Lock()
	defer b.mu.Unlock()
	b.downloads.waiters = slices.DeleteFunc(b.downloads.waiters, func(other *DownloadWait) bool { return other == w })
	if w.Begun() && w.got != nil && !w.taken {
		w.got.reported = w.known
	}
}

// Opened lists the handles of the open tabs that the tab has opened since the wait began. Tabs that
// such a tab has opened are included.
func (w *DownloadWait) Opened() (ids []string) {
	b := w.tab.browser
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, t := range slices.Backward(b.tabs.list) {
		if t != w.tab && w.concerns(t) {
			ids = append(ids, t.ID)
		}
	}
	return ids
}

// concerns reports whether this wait is for a download of t.
func (w *DownloadWait) concerns(t *Tab) bool {
	for ; t != nil && t != w.tab; t = t.opener {
		if slices.Contains(w.there, t) {
			return false
		}
	}
	return t != nil
}

// waiterOf removes and returns the wait for the next download of a tab. If there is none, it removes
// and returns that of the tab that opened it; nil if there is none either.
func (d *downloads) waiterOf(tab *Tab) *DownloadWait {
	if own := d.takeWaiter(func(w *DownloadWait) bool { return w.tab == tab }); own != nil {
		return own
	}
	return d.takeWaiter(func(w *DownloadWait) bool { return w.concerns(tab) })
}

// takeWaiter removes and returns the first wait for which the function is true; nil if there is
// none.
func (d *downloads) takeWaiter(is func(*DownloadWait) bool) *DownloadWait {
	i := slices.IndexFunc(d.waiters, is)
	if i < 0 {
		return nil
	}
	w := d.waiters[i]
	d.waiters = slices.Delete(d.waiters, i, i+1)
	return w
}

// ReportDownloads returns the downloads of the tab that no answer has reported yet, and marks them
// as reported.
func (t *Tab) ReportDownloads() []*Download {
	t.browser.mu.Lock()
	defer t.browser.mu.Unlock()
	list := t.browser.downloads.unreported(t)
	for _, d := range list {
		d.reported = true
		t.browser.kept.raise()
	}
	return list
}

// Downloads lists the downloads of the tab that are remembered, the oldest first.
func (t *Tab) Downloads() (list []*Download) {
	t.browser.mu.Lock()
	defer t.browser.mu.Unlock()
	for _, d := range t.browser.downloads.list {
		if d.Tab == t {
			list = append(list, d)
		}
	}
	return list
}

// LastDownload returns the download of the tab that began last, and marks it as reported. It
// returns nil if there is none.
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
