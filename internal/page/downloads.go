package page

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/chromedp/cdproto/network"

	"chela/internal/cdp"
)

// ErrFile says that an address led to a file, which has begun to arrive: the
// document stayed.
var ErrFile = errors.New("the address leads to a file")

// downloads count the downloads of a tab. Chromium reports one only when its
// server has answered. That one is due is known before in two ways: the document
// asked for it (see change.js), or a navigation ended without a document
// although its server had answered.
type downloads struct{ expected, begun int }

// FileBegan notes that a file begins to arrive.
func (p *Page) FileBegan() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.downloads.begun++
	p.outcomes++
	p.recordLocked(Download, time.Now())
	p.notifyLocked()
}

// expected marks which files have come so far, for awaited.
func (p *Page) downloadsMark() downloads {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.downloads
}

// restoreExpected corrects the count when another document replaced the one that had
// asked for downloads before that one could report them: startedNavigating may
// have counted one less, for a download that was never counted.
func (p *Page) restoreExpected(mark downloads) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.downloads.expected = max(p.downloads.expected, mark.expected)
}

// awaited reports whether a file that was not due at the mark has yet to begin.
// It is called with mu held.
func (p *Page) downloadPendingLocked(since downloads) bool {
	return p.downloads.expected-since.expected > p.downloads.begun-since.begun
}

// awaitDownload waits until a file has begun to arrive since a mark.
func (p *Page) awaitDownload(ctx context.Context, since downloads) error {
	return p.await(ctx, func() bool { return p.downloads.begun > since.begun })
}

// responseReceived notes that a server has begun to answer. Of the many answers that a
// page gets only those to navigations are decoded; of the others the id, which
// Chromium writes first, is all that is needed.
func (p *Page) responseReceived(raw cdp.Event) {
	if rest, ok := bytes.CutPrefix(raw.Params, []byte(`{"requestId":"`)); ok {
		id, _, _ := bytes.Cut(rest, []byte(`"`))
		p.requestAnsweredLocked(network.RequestID(id))
	}
	if !bytes.Contains(raw.Params, []byte(`"type":"Document"`)) {
		return
	}
	ev, ok := cdp.Decode(raw, network.ResponseReceived)
	id := string(ev.FrameID)
	o := p.navigations[id]
	if !ok || o.loader != string(ev.RequestID) || ev.Response == nil {
		return
	}
	switch ev.Response.Status {
	case http.StatusNoContent, http.StatusResetContent: // nothing more will come
	default:
		o.answered = true
		p.navigations[id] = o
	}
}
