package page

import (
	proto "github.com/chromedp/cdproto/page"

	"chela/internal/cdp"
	"chela/internal/frame"
)

// An opening is a navigation under way: requested by the page, or begun by the browser.
type navigation struct {
	url    string
	loader string // "" while it was only requested
	order  int    // which of the page's navigations it is

	answered bool // its server has sent something
}

func (p *Page) requestedNavigation(_ *cdp.Session, ev proto.EventFrameRequestedNavigation) {
	switch ev.Disposition {
	case proto.ClientNavigationDispositionCurrentTab:
		p.beginNavigationLocked(string(ev.FrameID), ev.URL, "")
	case proto.ClientNavigationDispositionNewTab, proto.ClientNavigationDispositionNewWindow: // a link, clicked with a key held
		p.windowRequestedLocked(ev.URL)
	}
}

func (p *Page) startedNavigating(_ *cdp.Session, ev proto.EventFrameStartedNavigating) {
	switch ev.NavigationType {
	case proto.FrameStartedNavigatingNavigationTypeSameDocument, proto.FrameStartedNavigatingNavigationTypeHistorySameDocument:
		return
	}
	if _, requested := p.navigations[string(ev.FrameID)]; !requested {
		// A link asked for a download, but it is cross-origin: Chromium ignores
		// that and navigates. Expect one download less.
		p.downloads.expected--
	}
	p.beginNavigationLocked(string(ev.FrameID), ev.URL, string(ev.LoaderID))
}

func (p *Page) beginNavigationLocked(frame, url, loader string) {
	p.navigationCount++
	p.navigations[frame] = navigation{url: url, loader: loader, order: p.navigationCount}
}

// stoppedLoading ends a navigation that commits nothing, such as a download.
func (p *Page) stoppedLoading(_ *cdp.Session, ev proto.EventFrameStoppedLoading) {
	id := string(ev.FrameID)
	o, ok := p.navigations[id]
	if !ok {
		return
	}
	if o.answered {
		p.downloads.expected++
	}
	delete(p.navigations, id)
	if o.loader != "" {
		p.requests.abandoned(id, o.loader)
	}
}

// leaving reports whether a frame, or one that it is in, has begun to load
// another document since a mark. It is called with mu held.
func (p *Page) leavingLocked(f *frame.Frame, since int) bool {
	for ; f != nil; f = f.Parent {
		if o := p.navigations[f.ID]; o.loader != "" && o.order > since {
			return true
		}
	}
	return false
}

// leavingAnyLocked reports whether any frame has begun to load another document since
// a mark. It is called with mu held.
func (p *Page) leavingAnyLocked(since int) bool {
	for _, o := range p.navigations {
		if o.loader != "" && o.order > since {
			return true
		}
	}
	return false
}

// Leaving is the address that the tab is on its way to, "" if it stays.
func (p *Page) Leaving() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if o := p.navigations[p.main().ID]; o.loader != "" {
		return o.url
	}
	return ""
}
