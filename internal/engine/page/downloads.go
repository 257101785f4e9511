package page

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/chromedp/cdproto/network"

	"chela/internal/engine/cdp"
	"chela/internal/engine/setting"
)

// ErrFile says that an address led to a download, which has begun. The tab shows the
// document that it had before.
var ErrFile = errors.New("the address leads to a file")

// Downloads counts those of a tab, so that an act that causes one waits until it has
// begun. Chromium reports a download only when its server has answered, which may take
// long. Whether one is to be expected is known before that, in two ways:
//
//   - the document asks for it: a click on <a download> is a navigation with a
//     downloadRequest, which the page script counts (see change.js)
//   - a navigation ends without a document although its server has answered: that is a
//     file by its Content-Type or Content-Disposition
//
// Only differences to a mark say something: see downloadsMark.
type downloads struct {
	expected int // how many are to begin, by either way
	begun    int
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

// restoreExpected corrects the count for a document that has gone with its report. It
// asked for a download across origins; Chromium navigated instead, which
// startedNavigating counted as one less; and the new document took the place of the
// one that would have counted one more. Without this, the next download of the tab
// would not be waited for.
func (p *Page) restoreExpected(mark downloads) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.downloads.expected = max(p.downloads.expected, mark.expected)
}

// downloadPendingLocked reports whether of those that are expected since the mark one
// has yet to begin.
func (p *Page) downloadPendingLocked(since downloads) bool {
	return p.downloads.expected-since.expected > p.downloads.begun-since.begun
}

// awaitDownload waits until a download has begun since a mark.
func (p *Page) awaitDownload(ctx context.Context, since downloads) error {
	return p.await(ctx, func() bool { return p.downloads.begun > since.begun })
}

// downloadFollows waits, for requestTime at most, until a download has begun since a mark,
// and reports whether one has. It is for navigations that seem to have ended without a
// document: the document before them may have stopped loading when they had begun, and
// their request was not sent yet.
func (p *Page) downloadFollows(ctx context.Context, since downloads) bool {
	limited, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	return p.awaitDownload(limited, since) == nil
}

// responseReceived records that a server has begun to answer. A page gets many
// answers, with all their headers. So only those to navigations are decoded; of the
// others the id is all that is needed, and Chromium writes it first.
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
	o.status, o.wantsLogin = int(ev.Response.Status), setting.WantsLogin(ev.Response)
	switch o.status {
	case http.StatusNoContent, http.StatusResetContent: // neither a document nor a file will come
	default:
		o.answered = true
	}
	p.navigations[id] = o
}
