package browser

import (
	"context"
	"slices"

	"chela/internal/cdp"
	"chela/internal/files"
)

// Awaited is the next download of a tab. One caller waits for it: the last that
// asked.
type Awaited struct {
	tab   *Tab
	place *files.Place   // where it is to be, or nil
	got   chan *Download // closed when another took its turn
}

// ExpectDownload takes the turn of who gets the tab's next download, before
// what begins it is done. With missed, one that nobody has been told of will do.
func (t *Tab) ExpectDownload(place *files.Place, missed bool) *Awaited {
	b := t.browser
	w := &Awaited{tab: t, place: place, got: make(chan *Download, 1)}
	b.mu.Lock()
	defer b.mu.Unlock()
	if old := b.downloads.waiterFor(t); old != nil {
		close(old.got)
	}
	if list := b.downloads.untold(t); missed && len(list) > 0 {
		w.take(list[0])
		return w
	}
	b.downloads.waiters = append(b.downloads.waiters, w)
	return w
}

// take gives the download to who waits. It is called with the browser's mu held.
func (w *Awaited) take(d *Download) {
	d.told = true
	w.got <- d
}

// Begun reports whether the download has begun, or another took its turn.
func (w *Awaited) Begun() bool { return len(w.got) > 0 }

// Wait waits until the download begins.
func (w *Awaited) Wait(ctx context.Context) (*Download, error) {
	select {
	case d, ok := <-w.got:
		if !ok {
			return nil, ErrSuperseded
		}
		if w.place == nil {
			return d, nil
		}
		return d, d.moveTo(*w.place)
	case <-w.tab.browser.done:
		return nil, cdp.ErrClosed
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// Close gives up the turn: a download that begins now is for who asks next.
func (w *Awaited) Close() {
	b := w.tab.browser
	b.mu.Lock()
	defer b.mu.Unlock()
	b.downloads.waiters = slices.DeleteFunc(b.downloads.waiters, func(other *Awaited) bool { return other == w })
	select {
	case d, ok := <-w.got: // nobody took it
		if ok {
			d.told = false
		}
	default:
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

// untold returns the downloads of a tab that no caller has been told of.
func (d *downloads) untold(tab *Tab) (list []*Download) {
	for _, each := range d.list {
		if each.Tab == tab && !each.told {
			list = append(list, each)
		}
	}
	return list
}

// TellDownloads returns the downloads of the tab that no caller has been told of yet.
func (t *Tab) TellDownloads() []*Download {
	t.browser.mu.Lock()
	defer t.browser.mu.Unlock()
	list := t.browser.downloads.untold(t)
	for _, d := range list {
		d.told = true
	}
	return list
}

// LastDownload returns the download of the tab that began last, which the
// caller tells of.
func (t *Tab) LastDownload() *Download {
	t.browser.mu.Lock()
	defer t.browser.mu.Unlock()
	for _, d := range slices.Backward(t.browser.downloads.list) {
		if d.Tab == t {
			d.told = true
			return d
		}
	}
	return nil
}
