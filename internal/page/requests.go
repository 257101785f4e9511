package page

import (
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/target"

	"chela/internal/cdp"
)

// requests are the network requests under way of a tab's documents. Chromium
// reports the end of a request to the session of the document that sent it, and
// not at all when that document or its process has gone first. So each is kept
// with its document, and forgotten with it.
type requests struct {
	open     map[network.RequestID]sender
	lastSent time.Time
	ended    int // how many have ended, with an answer or without one
}

// A sender is the document that sent a request.
type sender struct {
	session, frame, loader string

	answered bool // its server has begun to answer
}

func (r *requests) sent(id network.RequestID, by sender) {
	if r.open == nil {
		r.open = map[network.RequestID]sender{}
	}
	r.open[id] = by
	r.lastSent = time.Now()
}

// answer notes that a server has begun to answer. A request is open until its
// whole answer has come, which is never if the page does not read it.
func (r *requests) answer(id network.RequestID) {
	if by, known := r.open[id]; known {
		by.answered = true
		r.open[id] = by
	}
}

// unanswered reports whether a server has yet to begin its answer.
func (r *requests) unanswered() bool {
	for _, by := range r.open {
		if !by.answered {
			return true
		}
	}
	return false
}

func (r *requests) end(id network.RequestID) {
	if _, known := r.open[id]; known {
		delete(r.open, id)
		r.ended++
	}
}

// forget drops the requests of documents that have gone.
func (r *requests) forget(gone func(sender) bool) {
	for id, by := range r.open {
		if gone(by) {
			delete(r.open, id)
		}
	}
}

// forgetFrame drops the requests of a frame that was removed.
func (r *requests) forgetFrame(frame string) {
	r.forget(func(by sender) bool { return by.frame == frame })
}

// forgetSession drops the requests of a target that was detached, or crashed.
func (r *requests) forgetSession(session string) {
	r.forget(func(by sender) bool { return by.session == session })
}

// committed drops the requests of the documents that a frame showed before the
// one of this loader. Those of a navigation under way, which replaces that one
// in turn, stay.
func (r *requests) committed(frame, loader, pending string) {
	r.forget(func(by sender) bool { return by.frame == frame && by.loader != loader && by.loader != pending })
}

// abandoned drops the request of a navigation that came to nothing.
func (r *requests) abandoned(frame, loader string) {
	r.forget(func(by sender) bool { return by.frame == frame && by.loader == loader })
}

// awaited reports whether a page that has sent this request is at rest only
// when it has been answered.
func awaited(ev network.EventRequestWillBeSent) bool {
	if ev.Type == network.ResourceTypeMedia { // Chromium loads more of a video while it is played, and pauses in between
		return false
	}
	// Without a loader it is the script of a worker, whose end is reported to the
	// worker alone, or the preflight of a request that is itself awaited.
	return ev.LoaderID != ""
}

func (p *Page) requestSent(s *cdp.Session, ev network.EventRequestWillBeSent) {
	switch ev.Type {
	case network.ResourceTypeEventSource: // a stream that is opened again and again, and never ends
		return
	case network.ResourceTypePing, network.ResourceTypePrefetch, network.ResourceTypeCSPViolationReport, network.ResourceTypeOther: // Chromium's own, such as an icon, or sent for nobody who waits
		return
	}
	if awaited(ev) {
		p.requests.sent(ev.RequestID, sender{session: s.ID, frame: string(ev.FrameID), loader: string(ev.LoaderID)})
	}
	p.note(Request, time.UnixMicro(int64(ev.WallTime.Float64()*1e6)))
}

func (p *Page) requestFinished(_ *cdp.Session, ev network.EventLoadingFinished) {
	p.requests.end(ev.RequestID)
}

func (p *Page) requestFailed(_ *cdp.Session, ev network.EventLoadingFailed) {
	p.requests.end(ev.RequestID)
}

func (p *Page) childDetached(_ *cdp.Session, ev target.EventDetachedFromTarget) {
	p.requests.forgetSession(string(ev.SessionID))
}
