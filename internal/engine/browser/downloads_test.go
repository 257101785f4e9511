package browser

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	protobrowser "github.com/chromedp/cdproto/browser"

	"chela/internal/base/media"
	"chela/internal/engine/page"
)

func TestDownloadsAreBounded(t *testing.T) {
	var d downloads
	var all []*Download
	for range maxDownloads + 3 {
		all = append(all, &Download{done: make(chan struct{})})
		close(all[len(all)-1].done)
		d.add(all[len(all)-1])
	}
	if len(d.list) != maxDownloads || d.list[0] != all[3] || d.list[maxDownloads-1] != all[len(all)-1] {
		t.Errorf("%d are kept", len(d.list))
	}
	d.list[0].done = make(chan struct{})
	underWay := d.list[0]
	for range 3 {
		ended := &Download{done: make(chan struct{})}
		close(ended.done)
		d.add(ended)
	}
	if len(d.list) != maxDownloads || d.list[0] != underWay {
		t.Errorf("one that is under way is forgotten, and %d are kept", len(d.list))
	}
}

// Each download is reported in one answer only.
func TestReportDownloads(t *testing.T) {
	b := &Browser{}
	tab, other := newTab(b, nil), newTab(b, nil)
	mine, theirs, later := &Download{Tab: tab}, &Download{Tab: other}, &Download{Tab: tab}
	b.downloads.add(mine)
	b.downloads.add(theirs)
	if got := tab.ReportDownloads(); len(got) != 1 || got[0] != mine {
		t.Errorf("first: %v", got)
	}
	b.downloads.add(later)
	if got := tab.ReportDownloads(); len(got) != 1 || got[0] != later {
		t.Errorf("then: %v", got)
	}
	if got := tab.ReportDownloads(); len(got) != 0 {
		t.Errorf("at last: %v", got)
	}
	if got := tab.LastDownload(); got != later {
		t.Errorf("the last: %v", got)
	}
	if got := other.LastDownload(); got != theirs || len(other.ReportDownloads()) != 0 {
		t.Errorf("of the other: %v", got)
	}
	if got := newTab(b, nil).LastDownload(); got != nil {
		t.Errorf("of a tab without: %v", got)
	}
}

// A download that was reported as under way can be waited for until an answer has reported its end.
func TestWaitForADownloadThatWasUnderWay(t *testing.T) {
	b := &Browser{}
	tab := newTab(b, nil)
	slow, quick := &Download{Tab: tab, reported: true}, &Download{Tab: tab, reported: true}
	b.downloads.add(slow)
	b.downloads.add(quick)
	waitsFor := func() *Download {
		w := tab.ExpectDownload(nil, true)
		defer w.Close()
		return w.got
	}
	if got := waitsFor(); got != nil {
		t.Errorf("got %v, though all have ended", got)
	}
	slow.TellUnderWay(true)
	for range 2 { // a wait that ends before it has taken the download leaves it as it was
		if got := waitsFor(); got != slow || !slow.reported {
			t.Errorf("got %v, reported %v", got, slow.reported)
		}
	}
	quick.reported = false
	if got := waitsFor(); got != quick {
		t.Errorf("got %v before the one that no answer has reported", got)
	}
	quick.reported = true
	slow.TellUnderWay(false)
	if got := waitsFor(); got != nil {
		t.Errorf("got %v once more", got)
	}
	for _, next := range []func(){tab.BeginAct, func() { tab.ExpectDownload(nil, false).Close() }} {
		slow.OfferToWait()
		if got := waitsFor(); got != slow {
			t.Errorf("got %v, want the one that is offered", got)
		}
		next()
		if got := waitsFor(); got != nil {
			t.Errorf("got %v after the next act", got)
		}
	}
}

// A download goes to the wait for its own tab. The wait for the tab that opened it goes on.
func TestWaitsOfATabAndItsOpener(t *testing.T) {
	b := &Browser{}
	opener := newTab(b, nil)
	waits := []*DownloadWait{opener.ExpectDownload(nil, false)}
	tab := newTab(b, nil)
	tab.opener = opener
	waits = append(waits, tab.ExpectDownload(nil, false))
	for _, want := range []*DownloadWait{waits[1], waits[0], nil} {
		if got := b.downloads.waiterOf(tab); got != want {
			t.Errorf("got %p of %p", got, waits)
		}
	}
}

// If a tab was only opened for a file, its download belongs to the tab that opened it.
func TestDownloader(t *testing.T) {
	b := &Browser{}
	first := newTab(b, page.Gone("A", "", page.Callbacks{}))
	second := newTab(b, page.Gone("B", "", page.Callbacks{}))
	second.opener = first
	if got := second.downloadOwner(); got != first {
		t.Errorf("%v", got)
	}
	if got := first.downloadOwner(); got != first {
		t.Errorf("%v", got)
	}
}

// A browser on another machine chooses the GUIDs of its downloads. None of them leads out of the
// staging folder, to a file that would be removed when the download fails.
func TestDownloadsStayInTheStagingFolder(t *testing.T) {
	b := downloading(t, media.Bounds{MaxAge: time.Hour, MaxBytes: 1 << 20})
	dir := t.TempDir()
	b.downloads.staging = filepath.Join(dir, "staging")
	if err := os.Mkdir(b.downloads.staging, 0o700); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(dir, "other")
	if err := os.WriteFile(other, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, guid := range []string{"../other", other, `..\other`, "a/../../other", "..", ".", ""} {
		b.onDownloadBegan(protobrowser.EventDownloadWillBegin{GUID: guid, URL: "https://example.test/f", SuggestedFilename: "f"})
		b.background.work.Wait()
		b.downloads.saving.Wait()
	}
	if len(b.downloads.list) != 0 {
		t.Errorf("%d downloads are kept", len(b.downloads.list))
	}
	if _, err := os.Stat(other); err != nil {
		t.Error(err)
	}
}

// While the file of a download is copied to another disk, the calls of the browser go on: none of
// them waits for that file.
func TestCallsDoNotWaitForACopy(t *testing.T) {
	b := downloading(t, media.Bounds{MaxAge: time.Hour, MaxBytes: 1})
	d := b.begin()
	d.Tab = newTab(b, nil)
	d.moving.Lock() // as while the file is copied
	_, stopped := d.arrive()
	if stopped {
		t.Fatal("the download has ended")
	}
	d.progress(2, 2)
	b.mu.Lock()
	b.limitDownloadsLocked() // it is too large, but too late to be stopped
	b.mu.Unlock()
	if w := d.Tab.ExpectDownload(nil, true); w.got != d {
		t.Errorf("another call waits for %v", w.got)
	}
	if d.Path(); d.hasEnded() {
		t.Errorf("a file that has arrived was stopped: %v", d.Err())
	}
	d.moving.Unlock()
}
