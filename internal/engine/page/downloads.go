package page

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/chromedp/cdproto/network"

	"chela/internal/engine/cdp"
	"chela/internal/engine/observe"
	"chela/internal/engine/setting"
)

// ErrFile says that an address led to a download, which has begun. The tab still shows its previous
// document.
var ErrFile = errors.New("the address leads to a file")

// downloads counts the downloads of a tab, so that an act that causes one waits until it has begun.
// Chromium reports a download only when its server has answered, which may take long. There are two
// earlier signs that one is to be expected:
//
//   - The document requests it. A click on <a download> is a navigation with a
//     downloadRequest, which the page script counts (see change.js).
//   - A navigation ends without a document although its server has answered. Its
//     Content-Type or Content-Disposition makes it a file.
//
// A click on a cross-origin link with the attribute download is counted by the page script as well,
// but Chromium ignores the attribute and navigates. The document begins this navigation without
// requesting it. So each such navigation undoes one count of the page script. That count may come
// later, or be lost when the document is replaced.
//
// Only differences between two values are meaningful: see downloadsMark.
type downloads struct {
	links       int // how many clicks on links with the attribute download the page script has counted
	unrequested int // how many navigations have begun that no document requested; those of chela and of a history count as well
	navigating  int // how many navigations have led to a file
	begun       int // how many downloads have begun
}

// FileBegan records that a download of the tab has begun.
func (p *Page) FileBegan() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.downloads.begun++
	p.outcomes++
	p.recordLocked(Download, time.Now())
	p.notifyLocked()
}

// downloadsMark returns the counts, for downloadPendingLocked.
func (p *Page) downloadsMark() downloads {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.downloads
}

// downloadPendingLocked reports whether an expected download has yet to begin. It counts only the
// downloads that are expected since an earlier time, at which downloadsMark returned the parameter
// since.
func (p *Page) downloadPendingLocked(since downloads) bool {
	d := p.downloads
	linked := max(0, d.links-since.links-(d.unrequested-since.unrequested))
	return linked+d.navigating-since.navigating > d.begun-since.begun
}

// awaitDownload waits until a download has begun after the parameter since, an earlier value of
// downloadsMark.
func (p *Page) awaitDownload(ctx context.Context, since downloads) error {
	return p.await(ctx, func() bool { return p.downloads.begun > since.begun })
}

// responseReceived records that a server has begun to answer. A page gets many responses, with all
// their headers. So only responses to navigations are decoded. For the others the id is enough.
func (p *Page) responseReceived(raw cdp.Event) {
	p.recordAnswerLocked(observe.RequestIn(raw))
	if !bytes.Contains(raw.Params, []byte(`"type":"Document"`)) {
		return
	}
	ev, ok := cdp.Decode(raw, network.ResponseReceived)
	id := string(ev.FrameID)
	o := p.navigations[id]
	if !ok || o.loader != string(ev.RequestID) || ev.Response == nil {
		return
	}
	o.status, o.wantsLogin = int(ev.Response.Status), setting.WantsLogin(ev.Response)
	switch o.status {
	case http.StatusNoContent, http.StatusResetContent: // neither a document nor a file will come
	default:
		o.answered = true
	}
	p.navigations[id] = o
}
