package browser

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	protobrowser "github.com/chromedp/cdproto/browser"

	"chela/internal/base/media"
	"chela/internal/engine/page"
	"chela/internal/wall/excerpt"
	"chela/internal/wall/secret"
)

// downloads holds the downloads of a browser. The fields files and staging never change; the
// browser's mu guards list and waiters.
type downloads struct {
	files   *media.Roots   // nil: downloads are not kept
	staging string         // folder in which Chromium writes downloads, under their GUIDs
	saving  sync.WaitGroup // counts files that are being moved to their places
	unsaved bool           // see ErrDownloadsUnreported; guarded by the browser's mu

	list    []*Download // the newest last
	waiters []*DownloadWait
}

// maxDownloads limits how many downloads are remembered, and how many may be under way.
const maxDownloads = 200

// maxSource limits how many characters are kept of a download's address and suggested name. A data:
// URL has the whole file in it.
const maxSource = 2048

// add adds a download to the list. If there are more than maxDownloads, it forgets the oldest that
// have ended. Others are kept, since a call may wait for them.
func (d *downloads) add(fresh *Download) {
	over := len(d.list) + 1 - maxDownloads
	d.list = append(slices.DeleteFunc(d.list, func(old *Download) bool {
		if over <= 0 || !old.hasEnded() {
			return false
		}
		over--
		return true
	}), fresh)
}

// underWay returns how many downloads have not ended.
func (d *downloads) underWay() (n int) {
	for _, each := range d.list {
		if !each.hasEnded() {
			n++
		}
	}
	return n
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

// missed returns the download of a tab that a caller may wait for although it has begun; nil if there
// is none. It is the first that no answer has reported. If there is none, it is the first that was
// last reported as under way, or is offered.
func (d *downloads) missed(tab *Tab) *Download {
	if list := d.unreported(tab); len(list) > 0 {
		return list[0]
	}
	for _, each := range d.list {
		if each.Tab == tab && each.mayBeAwaited() {
			return each
		}
	}
	return nil
}

// endOffers ends all offers of a tab, see [Download.OfferToWait].
func (d *downloads) endOffers(tab *Tab) {
	for _, each := range d.list {
		if each.Tab == tab {
			each.endOffer()
		}
	}
}

// open returns the downloads of a tab that are under way, or that no answer has reported yet.
func (d *downloads) open(tab *Tab) (list []*Download) {
	for _, each := range d.list {
		if each.Tab == tab && (!each.reported || !each.hasEnded()) {
			list = append(list, each)
		}
	}
	return list
}

func (d *downloads) byGUID(guid string) *Download {
	for _, each := range d.list {
		if each.guid == guid {
			return each
		}
	}
	return nil
}

// stagedAt returns the path in the staging folder of the download with a GUID. It returns false if
// downloads are not kept, or if the GUID would lead out of that folder. A browser on another machine
// could choose such a GUID to have a file of this machine written or removed.
func (d *downloads) stagedAt(guid string) (path string, ok bool) {
	inside := fs.ValidPath(guid) && guid != "." && !strings.ContainsAny(guid, `/\:`)
	return filepath.Join(d.staging, guid), d.files != nil && inside
}

// setDownloadFolder has Chromium write downloads to the staging folder, under their GUIDs. Names
// that servers suggest are not safe, and two may be equal. It is called before events are handled.
func (b *Browser) setDownloadFolder() (err error) {
	if b.downloads.files == nil {
		return nil
	}
	if b.downloads.staging, err = b.downloads.files.Staging(); err != nil {
		return err
	}
	switch {
	case b.about.Own:
		b.sendDownloadFolder("")
	case b.about.Shared:
		b.followDownloads()
	default:
		b.refuseDownloads()
	}
	return nil
}

func (b *Browser) onDownloadBegan(ev protobrowser.EventDownloadWillBegin) {
	staged, ok := b.downloads.stagedAt(ev.GUID)
	if !ok {
		return
	}
	in := b.tabOfFrame(string(ev.FrameID))
	var tab *Tab
	if in != nil {
		tab = in.downloadOwner()
	}
	if b.about.Shared && (tab == nil || tab.isUnattached()) {
		return // the user's own download
	}
	name := secret.MaskName(ev.SuggestedFilename) // masked, since the name becomes the name of a file
	d := &Download{
		URL: excerpt.Of(ev.URL, maxSource), Name: excerpt.Of(name, maxSource), Tab: tab, guid: ev.GUID, staged: staged, done: make(chan struct{}),
		place: b.downloads.files.NewDownload(name),
	}
	b.addDownload(d)
	if tab != nil {
		tab.Page().FileBegan()
	}
	if in != tab {
		b.closeIfBare(in, d)
	}
	if b.about.Remote() {
		d.from = ev.URL
		b.fetch(d, in, string(ev.FrameID))
	}
}

// addDownload adds a download to the list, and gives it to the caller that waits for it. If too
// many others are under way, it stops the new one at once.
func (b *Browser) addDownload(d *Download) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if w := b.downloads.waiterOf(d.Tab); w != nil {
		w.deliverLocked(d)
	}
	if b.downloads.underWay() >= maxDownloads {
		b.stopLocked(d, &LimitError{Why: fmt.Sprintf("%d other downloads are under way", maxDownloads)})
	}
	b.downloads.add(d)
	b.kept.raise()
	d.watch(b.downloads.files.Bounds().MaxAge, func(err error) {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.stopLocked(d, err)
		b.notifyLocked()
	})
	b.notifyLocked()
}

// tabOfFrame finds the tab that a frame is in.
func (b *Browser) tabOfFrame(frameID string) *Tab {
	for _, t := range b.all() {
		if t.Page().HasFrame(frameID) {
			return t
		}
	}
	return nil
}

// downloadOwner returns the tab to which a download of t is reported. Chromium opens a tab for a
// link with target=_blank, and closes it again when the address turns out to be a download. A
// script may open an empty tab, and make the tab load the file. For the caller, both are downloads
// of the tab in which the link was clicked. But if a call has the turn of the empty tab, or waits for
// its download, the download is that tab's own. The call may have opened the address of the file.
// Other watches do not count: the opener's call watches a new tab until it has loaded, see Popups.
func (t *Tab) downloadOwner() *Tab {
	for {
		t.browser.mu.Lock()
		opener, p := t.opener, t.page
		awaited := slices.ContainsFunc(t.browser.downloads.waiters, func(w *DownloadWait) bool { return w.tab == t })
		t.browser.mu.Unlock()
		if opener == nil || p.URL() != page.Blank || awaited || p.InTurn() {
			return t
		}
		t = opener
	}
}

// closeIfBare closes the tab of a download when the download has ended, if the tab shows nothing
// and has loaded nothing else. Chromium itself closes a tab that was opened with the address of the
// file. A tab that the user has opened stays.
func (b *Browser) closeIfBare(t *Tab, d *Download) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if t.ofUser {
		return
	}
	b.background.beginLocked(func() {
		select {
		case <-d.done:
		case <-b.Lost():
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), backgroundTime)
		defer cancel()
		if bare, err := t.Page().Bare(ctx); bare && err == nil {
			t.Close(ctx) // if closing fails, the tab stays and is listed
		}
	})
}

func (b *Browser) onDownloadProgress(ev protobrowser.EventDownloadProgress) {
	if b.about.Remote() { // chela fetches the file itself, and has told the browser to cancel its download
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	d := b.downloads.byGUID(ev.GUID)
	if d == nil {
		return
	}
	d.progress(int64(ev.ReceivedBytes), int64(ev.TotalBytes))
	switch ev.State {
	case protobrowser.DownloadProgressStateInProgress:
		b.limitDownloadsLocked()
	case protobrowser.DownloadProgressStateCanceled:
		b.finishInBackground(func() {
			removePartial(d.staged)
			d.fail(ErrBroken)
		})
	case protobrowser.DownloadProgressStateCompleted:
		b.finishInBackground(func() {
			// In a browser that its user works with, the file is in the user's folder, and is
			// copied to the staging folder. If the download is in a session's own browser context,
			// Chromium itself has written it to the staging folder.
			if b.about.Shared && ev.FilePath != d.staged && !d.hasEnded() && copyFile(ev.FilePath, d.staged) != nil {
				d.fail(ErrBroken)
			}
			d.save()
		})
	}
	b.notifyLocked()
}

// finishInBackground calls the function end, which ends a download, in the background, since that
// may copy a large file. It then wakes the calls that wait for the download.
func (b *Browser) finishInBackground(end func()) {
	b.downloads.saving.Go(func() {
		end()
		b.mu.Lock()
		defer b.mu.Unlock()
		b.kept.raise()
		b.notifyLocked()
	})
}

// removePartial removes the partial file of a download that will never be complete. While Chromium
// receives it, its name ends in .crdownload.
func removePartial(staged string) {
	os.Remove(staged)
	os.Remove(staged + ".crdownload")
}

// endDownloads ends the downloads of a browser that has ended. Complete files are moved to their
// places first. No background work of the browser may be under way any more.
func (b *Browser) endDownloads() {
	b.downloads.saving.Wait()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, d := range b.downloads.list {
		d.fail(b.conn.Err())
	}
	if b.downloads.staging != "" {
		os.RemoveAll(b.downloads.staging)
	}
}

// FollowDownloads calls the function report with the downloads under way, at once and at each
// progress, until ctx ends. It includes downloads whose tab is not known, but not those in tabs of
// other sessions. Errors come from report, or are the cause of ctx, or [cdp.ErrClosed] when the
// browser has ended.
func (s Session) FollowDownloads(ctx context.Context, report func([]*Download) error) error {
	b := s.browser
	for {
		list, changed := s.downloadsUnderWay()
		if err := report(list); err != nil {
			return err
		}
		select {
		case <-changed:
		case <-b.done:
			return b.conn.Err()
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// downloadsUnderWay lists the downloads of the session that have not ended. The channel is closed
// at the next change.
func (s Session) downloadsUnderWay() (list []*Download, changed <-chan struct{}) {
	b := s.browser
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, d := range b.downloads.list {
		if d.Tab == nil && s.limited() || d.Tab != nil && (!d.Tab.belongsTo(s.key) || !s.seesLocked(d.Tab)) {
			continue
		}
		select {
		case <-d.done:
		default:
			list = append(list, d)
		}
	}
	return list, b.changed
}
