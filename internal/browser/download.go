package browser

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"sync"

	protobrowser "github.com/chromedp/cdproto/browser"

	"chela/internal/cdp"
	"chela/internal/files"
	"chela/internal/page"
)

// A Download is a file that a page sends.
type Download struct {
	URL  string
	Name string // as the server suggests
	Tab  *Tab   // nil if its tab is not known

	guid  string
	place files.Place
	told  bool          // a caller has learned of it
	done  chan struct{} // closed when the rest is final

	mu              sync.Mutex // guards the rest
	received, total int64
	err             error
}

// Errors of downloads.
var (
	ErrSuperseded = errors.New("Download was superseded by another waiter")
	ErrCanceled   = errors.New("the download was canceled")
)

// Path is where the file is, or will be.
func (d *Download) Path() string { return d.place.Path() }

// Done is closed when the file is whole, or will never be.
func (d *Download) Done() <-chan struct{} { return d.done }

// Err says why the file will never be whole.
func (d *Download) Err() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.err
}

// Progress returns how many bytes have come, of how many; 0 of a total not known.
func (d *Download) Progress() (received, total int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.received, d.total
}

// A waiter takes the next download of a tab.
type waiter struct {
	tab   *Tab
	place *files.Place
	got   chan *Download // closed when another took its turn
}

// downloads are those of a browser, guarded by its mu.
type downloads struct {
	files   *files.Roots
	staging string
	list    []*Download
	waiters []*waiter
	saving  sync.WaitGroup
}

// maxDownloads bounds how many downloads are remembered.
const maxDownloads = 200

// keepDownloads has Chromium put downloads into a folder of ours, under names of its own.
func (b *Browser) keepDownloads() (err error) {
	if b.downloads.files == nil {
		return nil
	}
	if b.downloads.staging, err = b.downloads.files.Staging(); err != nil {
		return err
	}
	cdp.Send(b.conn.Root(), protobrowser.SetDownloadBehavior, protobrowser.SetDownloadBehaviorParams{
		Behavior: protobrowser.SetDownloadBehaviorBehaviorAllowAndName, DownloadPath: b.downloads.staging, EventsEnabled: new(true),
	})
	return nil
}

func (b *Browser) downloadBegan(ev protobrowser.EventDownloadWillBegin) {
	tab := b.holding(string(ev.FrameID))
	if tab != nil {
		tab.Page().Note(page.Download)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	d := &Download{
		URL: ev.URL, Name: ev.SuggestedFilename, Tab: tab, guid: ev.GUID, done: make(chan struct{}),
		place: b.downloads.files.NewDownload(ev.SuggestedFilename),
	}
	if w := b.downloads.waiterFor(tab); w != nil {
		if w.place != nil {
			d.place = *w.place
		}
		d.told = true
		w.got <- d
	}
	b.downloads.list = append(b.downloads.list[max(0, len(b.downloads.list)-maxDownloads+1):], d)
	b.tell()
}

// holding finds the tab that a frame is in.
func (b *Browser) holding(frameID string) *Tab {
	for _, t := range b.all() {
		if t.Page().Holds(frameID) {
			return t
		}
	}
	return nil
}

// waiterFor takes the waiter for a tab's next download.
func (d *downloads) waiterFor(tab *Tab) *waiter {
	i := slices.IndexFunc(d.waiters, func(w *waiter) bool { return w.tab == tab })
	if i < 0 {
		return nil
	}
	w := d.waiters[i]
	d.waiters = slices.Delete(d.waiters, i, i+1)
	return w
}

func (b *Browser) downloadProgressed(ev protobrowser.EventDownloadProgress) {
	b.mu.Lock()
	defer b.mu.Unlock()
	i := slices.IndexFunc(b.downloads.list, func(d *Download) bool { return d.guid == ev.GUID })
	if i < 0 {
		return
	}
	d := b.downloads.list[i]
	d.mu.Lock()
	defer d.mu.Unlock()
	d.received, d.total = int64(ev.ReceivedBytes), int64(ev.TotalBytes)
	switch ev.State {
	case protobrowser.DownloadProgressStateCanceled:
		d.err = ErrCanceled
		close(d.done)
	case protobrowser.DownloadProgressStateCompleted:
		b.downloads.saving.Go(func() { d.finish(d.place.Put(filepath.Join(b.downloads.staging, d.guid))) })
	}
}

func (d *Download) finish(err error) {
	d.mu.Lock()
	d.err = err
	d.mu.Unlock()
	close(d.done)
}

// NextDownload waits for a download of the tab to begin: one that nobody has
// been told of, or else the next. A place says where it is to be. Whoever
// waited before for the same tab gives up.
func (t *Tab) NextDownload(ctx context.Context, place *files.Place) (*Download, error) {
	return t.ExpectDownload(place, true)(ctx)
}

// ExpectDownload takes the turn of who gets the tab's next download, before
// what begins it is done; the function that it returns waits for it. With
// missed, a download that nobody has been told of will do.
func (t *Tab) ExpectDownload(place *files.Place, missed bool) func(context.Context) (*Download, error) {
	b := t.browser
	b.mu.Lock()
	defer b.mu.Unlock()
	if old := b.downloads.waiterFor(t); old != nil {
		close(old.got)
	}
	if missed && place == nil {
		if d := b.downloads.untold(t); len(d) > 0 {
			d[0].told = true
			return func(context.Context) (*Download, error) { return d[0], nil }
		}
	}
	w := &waiter{tab: t, place: place, got: make(chan *Download, 1)}
	b.downloads.waiters = append(b.downloads.waiters, w)
	return func(ctx context.Context) (*Download, error) { return b.awaitDownload(ctx, w) }
}

func (b *Browser) awaitDownload(ctx context.Context, w *waiter) (*Download, error) {
	select {
	case d, ok := <-w.got:
		if !ok {
			return nil, ErrSuperseded
		}
		return d, nil
	case <-b.done:
		return nil, cdp.ErrClosed
	case <-ctx.Done():
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.downloads.waiters = slices.DeleteFunc(b.downloads.waiters, func(other *waiter) bool { return other == w })
	return nil, context.Cause(ctx)
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

// endDownloads ends what will not come any more.
func (b *Browser) endDownloads() {
	b.downloads.saving.Wait()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, d := range b.downloads.list {
		select {
		case <-d.done:
		default:
			d.finish(cdp.ErrClosed)
		}
	}
}
