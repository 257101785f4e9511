package page

import (
	"context"
	"time"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	proto "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"

	"chela/internal/engine/cdp"
	"chela/internal/engine/frame"
)

// A navigation is a frame's navigation that is under way. It begins when the page requests it, or
// Chromium begins it. It lasts until a document is committed, or it is certain that none will be. A
// frame has one at most; a later one takes its place.
type navigation struct {
	url          string
	redirectedTo string    // the URL to which a server has redirected the navigation; "" if none has
	loader       string    // names the document to come; "" while the navigation is only requested
	order        int       // number among the page's navigations: see navigationMark
	answered     bool      // Network.responseReceived has come, and its status is not 204 or 205: a document or a file follows
	sent         bool      // the request was sent; before that, a beforeunload handler of the old document may run
	redirects    int       // how many of the answers were redirects
	answers      int       // how many answers have begun to arrive, redirects included
	answeredAt   time.Time // when the headers of the last answer came
	outcome
}

// An outcome is the result of a navigation, as far as it is known.
type outcome struct {
	status     int    // HTTP status; 0: no server has answered
	wantsLogin bool   // the answer asks for a name and a password
	redirected bool   // a server has answered with a redirect
	method     string // method of the last request; "": no request was seen
	failure    string // Chromium's name of the error; "" if it has not failed
}

// waits reports whether the navigation waits for the first answer of a server.
func (n navigation) waits() bool { return n.sent && !n.answered && n.status == 0 && n.failure == "" }

// noteNavigationLocked calls the function record for the navigation that a request belongs to, if
// there is one. The request of a navigation has the id of its loader.
func (p *Page) noteNavigationLocked(request network.RequestID, record func(*navigation)) {
	for id, n := range p.navigations {
		if n.loader == string(request) {
			record(&n)
			p.navigations[id] = n
		}
	}
}

// recordSentNavigationLocked is called when a request for a frame's next document is sent. If no
// navigation of the frame is known, stoppedLoading has ended the navigation too early, and it is
// begun again here.
func (p *Page) recordSentNavigationLocked(frame, url, loader string) {
	if _, known := p.navigations[frame]; !known && p.frames.ByID(frame) != nil {
		p.beginNavigationLocked(frame, url, loader)
	}
}

// requestedNavigation is called when a script or a link asks for a navigation, before Chromium
// begins it. Most navigations begin within milliseconds. A navigation that another program handles
// never begins.
func (p *Page) requestedNavigation(s *cdp.Session, ev proto.EventFrameRequestedNavigation) {
	switch ev.Disposition {
	case proto.ClientNavigationDispositionCurrentTab:
		p.beginNavigationLocked(string(ev.FrameID), ev.URL, "")
	case proto.ClientNavigationDispositionNewTab, proto.ClientNavigationDispositionNewWindow:
		p.askedByLinkLocked(s, ev)
	}
}

// startedNavigating is called when Chromium begins to load a document for a frame.
func (p *Page) startedNavigating(_ *cdp.Session, ev proto.EventFrameStartedNavigating) {
	p.recordMoveLocked(ev)
	switch ev.NavigationType {
	case proto.FrameStartedNavigatingNavigationTypeSameDocument, proto.FrameStartedNavigatingNavigationTypeHistorySameDocument:
		return
	}
	if _, requested := p.navigations[string(ev.FrameID)]; !requested {
		p.downloads.unrequested++
	}
	p.beginNavigationLocked(string(ev.FrameID), ev.URL, string(ev.LoaderID))
}

func (p *Page) beginNavigationLocked(frame, url, loader string) {
	p.navigationCount++
	p.navigations[frame] = navigation{url: url, loader: loader, order: p.navigationCount}
	if frame == p.ID {
		p.mainNavigation = p.navigationCount
	}
}

// stoppedLoading handles the event that nothing more will come to a frame's document. If a
// navigation of the frame is still under way, it leads to no document. It was cancelled, or its
// server answered without content, or with a file. In the last case a download begins.
//
// But the event may also be about the present document, if that was still loading. The browser
// process reports the answer to a navigation, or its failure, before this event; a cancelled
// navigation is such a failure. So a navigation whose server has yet to answer goes on. If it
// counted as ended, the download that it may lead to would be missed.
func (p *Page) stoppedLoading(_ *cdp.Session, ev proto.EventFrameStoppedLoading) {
	id := string(ev.FrameID)
	if m := p.moveWithinLocked(id); m != nil {
		m.stopped = true
	}
	o, ok := p.navigations[id]
	if !ok {
		if f := p.frames.ByID(id); f != nil && f.State != frame.Loaded {
			p.awaitStoppedLocked(f)
		}
		return
	}
	if o.waits() {
		return
	}
	if o.answered {
		p.downloads.navigating++
	}
	delete(p.navigations, id)
	if o.loader != "" {
		p.requests.forgetNavigation(id, o.loader)
	}
}

// awaitStoppedLocked handles a frame's document that has stopped before it had loaded. Its
// connection broke, or a script of the page has called window.stop. No event will say that it has
// loaded. A document also stops when its process crashes, which Chromium reports only later. So the
// document counts as loaded only after its process has answered a command.
func (p *Page) awaitStoppedLocked(f *frame.Frame) {
	id, loader := f.ID, f.Loader
	alive := cdp.Send(f.Session, runtime.GetIsolateID, protocol.Empty{})
	go func() { // the goroutine ends with the reply or the session
		if _, err := alive.Wait(context.Background()); err != nil {
			return
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.frames.Stopped(id, loader) {
			p.recordEndLocked(network.RequestID(loader)) // after window.stop, Chromium does not report the end of the document's request either
			p.notifyLocked()
		}
	}()
}

// leavingLocked reports whether a frame, or one around it, has begun to load another document since
// a moment. The parameter since is the navigationMark of that moment.
func (p *Page) leavingLocked(f *frame.Frame, since int) bool {
	for ; f != nil; f = f.Parent {
		if o := p.navigations[f.ID]; o.loader != "" && o.order > since {
			return true
		}
	}
	return false
}

// leavingAnyLocked reports whether any frame has begun to load another document since a moment. The
// parameter since is the navigationMark of that moment.
func (p *Page) leavingAnyLocked(since int) bool {
	for _, o := range p.navigations {
		if o.loader != "" && o.order > since {
			return true
		}
	}
	return false
}

// Leaving returns the address of the document that the main frame is loading, "" if none.
func (p *Page) Leaving() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if o := p.navigations[p.main().ID]; o.loader != "" {
		return o.url
	}
	return ""
}
