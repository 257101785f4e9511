package page

import (
	"time"

	proto "github.com/chromedp/cdproto/page"

	"chela/internal/cdp"
)

// Blank is the address of the empty document that every tab begins with.
const Blank = "about:blank"

// A frame is keyed by its id, which stays when its document or its process
// changes. All its fields are guarded by the page's mu.
type frame struct {
	id      string
	parent  *frame // nil for the main frame
	prefix  int    // its number in refs; 0 for the main frame, and until it has one
	session *cdp.Session

	url, loader string
	loaders     []string // the last few, the newest last
	state       string   // how far its document has loaded: "", DOMContentLoaded, load
	idle        bool     // its network has been quiet for half a second
	crashed     bool

	world *world // ours
	page  *world // the page's own
	owner int    // the ref number of its iframe element in the parent; 0 until asked

	highest   int // the highest ref number ever given in it
	documents []document
}

func (f *frame) address() string {
	if f.url == "" {
		return Blank
	}
	return f.url
}

// within reports whether f is ancestor or below it.
func (f *frame) within(ancestor *frame) bool {
	for ; f != nil; f = f.parent {
		if f == ancestor {
			return true
		}
	}
	return false
}

func (p *Page) frameAttached(s *cdp.Session, ev proto.EventFrameAttached) {
	id := string(ev.FrameID)
	if p.frames[id] != nil {
		return // it changed its process
	}
	p.frames[id] = &frame{id: id, session: s, parent: p.frames[string(ev.ParentFrameID)]}
}

func (p *Page) frameDetached(_ *cdp.Session, ev proto.EventFrameDetached) {
	gone := p.frames[string(ev.FrameID)]
	if gone == nil || gone.parent == nil || ev.Reason == proto.FrameDetachedReasonSwap {
		return
	}
	p.removeBelowLocked(gone)
	p.removeLocked(gone)
}

// removeBelow removes the frames inside one whose document has gone. Chromium
// does not tell of those that were in other processes.
func (p *Page) removeBelowLocked(ancestor *frame) {
	for _, f := range p.frames {
		if f != ancestor && f.within(ancestor) {
			p.removeLocked(f)
		}
	}
}

func (p *Page) removeLocked(f *frame) {
	delete(p.frames, f.id)
	delete(p.navigations, f.id)
	p.requests.forgetFrame(f.id)
}

func (p *Page) frameNavigated(s *cdp.Session, ev proto.EventFrameNavigated) {
	f := p.frames[string(ev.Frame.ID)]
	if f == nil {
		f = &frame{id: string(ev.Frame.ID), parent: p.frames[string(ev.Frame.ParentID)]}
		p.frames[f.id] = f
	}
	if loader := string(ev.Frame.LoaderID); f.loader != loader {
		f.loader, f.state, f.idle = loader, "", false
		f.loaders = append(f.loaders[max(0, len(f.loaders)-7):], loader)
		p.outcomes++
		p.removeBelowLocked(f)
		if f.parent == nil {
			p.dialogs.opened, p.dialogs.stormed = nil, time.Time{}
		}
	}
	f.session, f.crashed = s, false
	if f.parent == nil {
		p.visitLocked()
	}
	f.url = ev.Frame.URL + ev.Frame.URLFragment
	if o, ok := p.navigations[f.id]; ok && (o.loader == "" || o.loader == f.loader) {
		delete(p.navigations, f.id)
	}
	p.requests.committed(f.id, f.loader, p.navigations[f.id].loader)
}

func (p *Page) navigatedWithin(_ *cdp.Session, ev proto.EventNavigatedWithinDocument) {
	if f := p.frames[string(ev.FrameID)]; f != nil {
		f.url = ev.URL
		delete(p.navigations, f.id)
		if f.parent == nil {
			p.visitLocked()
		}
	}
}

func (p *Page) lifecycle(_ *cdp.Session, ev proto.EventLifecycleEvent) {
	f := p.frames[string(ev.FrameID)]
	if f == nil || (f.loader != "" && string(ev.LoaderID) != f.loader) {
		return
	}
	switch ev.Name {
	case "DOMContentLoaded":
		f.state = "DOMContentLoaded"
	case "load":
		f.state = "load"
	case "networkIdle":
		f.idle = true
	}
}

// Holds reports whether a frame of this id is in the tab.
func (p *Page) Holds(frameID string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.frames[frameID] != nil
}

// visit notes that the tab is at another place.
func (p *Page) visitLocked() {
	p.visits++
	p.recordLocked(Navigated, time.Now())
}

// Visits counts the places that the tab has been at: documents, and addresses within one.
func (p *Page) Visits() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.visits
}
