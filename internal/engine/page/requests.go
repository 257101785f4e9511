package page

import (
	"time"

	"github.com/chromedp/cdproto/network"

	"chela/internal/engine/cdp"
	"chela/internal/engine/setting"
)

// requests holds the network requests of a tab's documents that are under way. A page is not quiet
// before they are answered. Chromium reports the end of a request to the session of the document
// that sent it. It reports nothing if that document or its process has gone first. So each request
// is kept with its document and forgotten with it. A request that is never forgotten would keep the
// tab from ever being quiet.
type requests struct {
	open     map[network.RequestID]request
	lastSent time.Time // when the newest request was sent
}

// A request is a network request under way.
type request struct {
	by       sender
	kind     network.ResourceType
	answered time.Time // when its server began to answer; zero: not yet
}

// informs reports whether the answer may change what the page says, and not only how it looks. If an
// image, a font or a style leads to another change, that change is seen in the document.
func (r request) informs() bool {
	switch r.kind {
	case network.ResourceTypeDocument, network.ResourceTypeScript, network.ResourceTypeXHR, network.ResourceTypeFetch:
		return true
	}
	return false
}

// A sender is the document that sent a request.
type sender struct{ session, frame, loader string }

func (r *requests) add(id network.RequestID, by sender, kind network.ResourceType) {
	if r.open == nil {
		r.open = map[network.RequestID]request{}
	}
	r.open[id] = request{by: by, kind: kind}
	r.lastSent = time.Now()
}

// answer records when a server has begun to answer. It reports whether the request was under way and
// informs.
func (r *requests) answer(id network.RequestID, at time.Time) bool {
	each, known := r.open[id]
	if known {
		each.answered = at
		r.open[id] = each
	}
	return known && each.informs()
}

// unanswered reports whether any request waits for the beginning of its answer.
func (r *requests) unanswered() bool {
	for _, each := range r.open {
		if each.answered.IsZero() {
			return true
		}
	}
	return false
}

// end forgets a request that has ended. It reports whether the request was under way and informs.
func (r *requests) end(id network.RequestID) bool {
	each, known := r.open[id]
	delete(r.open, id)
	return known && each.informs()
}

// bodyTime is how long the body of an answer to fetch() may keep a page from being quiet. If the
// answer may not be cached, Chromium reports no end of a body that the page does not read. Many
// pages read only the status. A stream has no end at all.
const bodyTime = 500 * time.Millisecond

// forever is longer than any caller waits.
const forever = time.Hour

// waitFor returns how long the requests under way can keep the page from being quiet: forever, or
// the rest of bodyTime if all are answered. If the result is 0 or less, no request keeps the page
// from being quiet.
func (r *requests) waitFor(now time.Time) (wait time.Duration) {
	for _, each := range r.open {
		if each.kind != network.ResourceTypeFetch || each.answered.IsZero() {
			return forever
		}
		wait = max(wait, bodyTime-now.Sub(each.answered))
	}
	return wait
}

// forget drops the requests of documents that have gone.
func (r *requests) forget(gone func(sender) bool) {
	for id, each := range r.open {
		if gone(each.by) {
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

// forgetReplaced drops the requests of the documents that a frame showed before the document of
// this loader. It keeps the requests of a later navigation that is under way; the parameter pending
// is its loader.
func (r *requests) forgetReplaced(frame, loader, pending string) {
	r.forget(func(by sender) bool { return by.frame == frame && by.loader != loader && by.loader != pending })
}

// forgetNavigation drops the request of a navigation that ended without a document.
func (r *requests) forgetNavigation(frame, loader string) {
	r.forget(func(by sender) bool { return by.frame == frame && by.loader == loader })
}

// delaysQuiet reports whether a page is not quiet until this request has ended.
func delaysQuiet(ev network.EventRequestWillBeSent) bool {
	if ev.Type == network.ResourceTypeMedia { // Chromium loads a video in parts while it plays, and pauses in between
		return false
	}
	// A request without a loader is the script of a worker, whose end only the worker's session
	// reports. Or it is a CORS preflight, and the request after it is awaited anyway.
	return ev.LoaderID != ""
}

// requestSent records the requests of documents, not of workers. Workers may send requests at any
// time, and the page does not show what they load.
func (p *Page) requestSent(s *cdp.Session, ev network.EventRequestWillBeSent) {
	if p.sessions[s] == setting.Worker {
		return
	}
	if ev.Type == network.ResourceTypeDocument && string(ev.RequestID) == string(ev.LoaderID) && ev.Request != nil {
		p.recordSentNavigationLocked(string(ev.FrameID), ev.Request.URL, string(ev.LoaderID))
	}
	p.noteNavigationLocked(ev.RequestID, func(n *navigation) {
		n.sent = true
		if ev.Request != nil {
			n.method = ev.Request.Method
			if ev.RedirectResponse != nil {
				n.redirected, n.redirectedTo = true, ev.Request.URL
			}
		}
		if ev.RedirectHasExtraInfo {
			n.redirects++
		}
	})
	switch ev.Type {
	case network.ResourceTypeEventSource: // such a stream never ends, and is opened again after failures
		return
	case network.ResourceTypePing, network.ResourceTypePrefetch, network.ResourceTypeCSPViolationReport: // no script gets the answer to these
		return
	case network.ResourceTypeOther: // a request of Chromium itself, such as an icon
		return
	}
	if delaysQuiet(ev) {
		p.requests.add(ev.RequestID, sender{s.ID, string(ev.FrameID), string(ev.LoaderID)}, ev.Type)
	}
	p.recordLocked(Request, time.UnixMicro(int64(ev.WallTime.Float64()*1e6)))
}

func (p *Page) requestFinished(_ *cdp.Session, ev network.EventLoadingFinished) {
	p.recordEndLocked(ev.RequestID)
}

func (p *Page) requestFailed(_ *cdp.Session, ev network.EventLoadingFailed) {
	p.noteNavigationLocked(ev.RequestID, func(n *navigation) { n.failure = ev.ErrorText })
	p.recordEndLocked(ev.RequestID)
	if main := p.main(); string(ev.RequestID) == main.Loader && !ev.Canceled {
		p.document.broken, p.document.failure = true, ev.ErrorText
	}
}

func (p *Page) recordAnswerLocked(id network.RequestID) {
	if p.requests.answer(id, time.Now()) {
		p.outcomes++
	}
}

func (p *Page) recordEndLocked(id network.RequestID) {
	if p.requests.end(id) {
		p.outcomes++
	}
}
