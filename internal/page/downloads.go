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

// arrivals count the downloads of a tab. Chromium reports one only when its
// server has answered. That one is due is known before in two ways: the document
// asked for it (see change.js), or a navigation ended without a document
// although its server had answered.
type arrivals struct{ due, begun int }

// FileBegan notes that a file begins to arrive.
func (p *Page) FileBegan() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.arrivals.begun++
	p.outcomes++
	p.note(Download, time.Now())
	p.tell()
}

// expected marks which files have come so far, for awaited.
func (p *Page) expected() arrivals {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.arrivals
}

// dueSince corrects the count when another document replaced the one that had
// asked for downloads before that one could report them: startedNavigating may
// have counted one less, for a download that was never counted.
func (p *Page) dueSince(mark arrivals) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.arrivals.due = max(p.arrivals.due, mark.due)
}

// awaited reports whether a file that was not due at the mark has yet to begin.
// It is called with mu held.
func (p *Page) awaited(since arrivals) bool {
	return p.arrivals.due-since.due > p.arrivals.begun-since.begun
}

// awaitFile waits until a file has begun to arrive since a mark.
func (p *Page) awaitFile(ctx context.Context, since arrivals) error {
	return p.await(ctx, func() bool { return p.arrivals.begun > since.begun })
}

// answered notes that a server has begun to answer. Of the many answers that a
// page gets only those to navigations are decoded; of the others the id, which
// Chromium writes first, is all that is needed.
func (p *Page) answered(raw cdp.Event) {
	if rest, ok := bytes.CutPrefix(raw.Params, []byte(`{"requestId":"`)); ok {
		id, _, _ := bytes.Cut(rest, []byte(`"`))
		p.requestAnsweredLocked(network.RequestID(id))
	}
	if !bytes.Contains(raw.Params, []byte(`"type":"Document"`)) {
		return
	}
	ev, ok := cdp.Decode(raw, network.ResponseReceived)
	id := string(ev.FrameID)
	o := p.opening[id]
	if !ok || o.loader != string(ev.RequestID) || ev.Response == nil {
		return
	}
	switch ev.Response.Status {
	case http.StatusNoContent, http.StatusResetContent: // nothing more will come
	default:
		o.answered = true
		p.opening[id] = o
	}
}
