package browser

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync"

	protobrowser "github.com/chromedp/cdproto/browser"

	"chela/internal/cdp"
	"chela/internal/media"
)

// A Download is a file that a page sends.
type Download struct {
	URL  string
	Name string // as the server suggests
	Tab  *Tab   // nil if its tab is not known

	guid     string
	reported bool          // in an answer to a caller
	done     chan struct{} // closed when the rest is final

	mu              sync.Mutex // guards the rest
	place           media.Place
	received, total int64
	ended           bool
	err             error
}

// Errors of downloads.
var (
	ErrSuperseded = errors.New("another caller waits for the download now")
	ErrBroken     = errors.New("it was canceled, or its server broke off")
)

// Path is where the file is, or will be.
func (d *Download) Path() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.place.Path()
}

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

// save moves the whole file, which has been staged, to its place.
func (d *Download) save(staged string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.ended {
		d.end(d.place.Put(staged))
	}
}

// fail says that the file will never be whole.
func (d *Download) fail(err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.ended {
		d.end(err)
	}
}

// end is called once, with mu held.
func (d *Download) end(err error) {
	d.ended, d.err = true, err
	close(d.done)
}

// moveTo changes the place of a file, whether or not it is there already.
func (d *Download) moveTo(place media.Place) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.ended && d.err == nil {
		if err := place.Put(d.place.Path()); err != nil {
			return err
		}
	}
	d.place = place
	return nil
}

// downloads are those of a browser, guarded by its mu.
type downloads struct {
	files   *media.Roots
	staging string
	list    []*Download
	waiters []*Awaited
	saving  sync.WaitGroup
}

// maxDownloads bounds how many downloads are remembered.
const maxDownloads = 200

// keepDownloads has Chromium put downloads into a folder of ours, under names of
// its own. It is called before anything can end them.
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
	tab := b.sender(string(ev.FrameID))
	b.keep(&Download{
		URL: ev.URL, Name: ev.SuggestedFilename, Tab: tab, guid: ev.GUID, done: make(chan struct{}),
		place: b.downloads.files.NewDownload(ev.SuggestedFilename),
	})
	if tab != nil {
		tab.Page().FileBegan()
	}
}

// keep lists a download, and gives it to the caller that waits for it.
func (b *Browser) keep(d *Download) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if w := b.downloads.waiterFor(d.Tab); w != nil {
		w.give(d)
	}
	b.downloads.list = append(b.downloads.list[max(0, len(b.downloads.list)-maxDownloads+1):], d)
	b.notifyLocked()
}

// sender finds the tab that a download comes from, by its frame. One that was
// opened for nothing but the file closes again: its opener sends the file.
func (b *Browser) sender(frameID string) *Tab {
	for _, t := range b.all() {
		if t.Page().Holds(frameID) {
			return t.sender()
		}
	}
	return nil
}

func (t *Tab) sender() *Tab {
	for {
		t.browser.mu.Lock()
		opener, p := t.opener, t.page
		t.browser.mu.Unlock()
		if opener == nil || p.Visits() > 0 {
			return t
		}
		t = opener
	}
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
	d.received, d.total = int64(ev.ReceivedBytes), int64(ev.TotalBytes)
	d.mu.Unlock()
	staged := filepath.Join(b.downloads.staging, d.guid)
	switch ev.State {
	case protobrowser.DownloadProgressStateCanceled:
		b.conclude(func() {
			removePartial(staged)
			d.fail(ErrBroken)
		})
	case protobrowser.DownloadProgressStateCompleted:
		b.conclude(func() { d.save(staged) })
	}
	b.notifyLocked()
}

// conclude runs what ends a download, and wakes those who wait for its end.
func (b *Browser) conclude(end func()) {
	b.downloads.saving.Go(func() {
		end()
		b.mu.Lock()
		defer b.mu.Unlock()
		b.notifyLocked()
	})
}

// removePartial removes what has come of a file that will never be whole.
func removePartial(staged string) {
	os.Remove(staged)
	os.Remove(staged + ".crdownload")
}

// endDownloads ends what will not come any more.
func (b *Browser) endDownloads() {
	b.downloads.saving.Wait()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, d := range b.downloads.list {
		d.fail(cdp.ErrClosed)
	}
	if b.downloads.staging != "" {
		os.RemoveAll(b.downloads.staging)
	}
}
