package page

import (
	"context"
	"time"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/overlay"

	"chela/internal/engine/cdp"
	"chela/internal/engine/frame"
)

// highlightLook is how Chromium draws the box: as in its developer tools, with the tag and the size
// of the element beside it.
var highlightLook = overlay.HighlightConfig{
	ShowInfo:     true,
	ContentColor: &protocol.RGBA{R: 111, G: 168, B: 220, A: 0.5},
	PaddingColor: &protocol.RGBA{R: 147, G: 196, B: 125, A: 0.5},
	BorderColor:  &protocol.RGBA{R: 255, G: 0, B: 0, A: 0.8},
}

// Highlight waits until the element is rendered, scrolls it into view and draws a box over it,
// which people and screenshots see. Chromium draws it above the page, as for its developer tools.
// The document does not change, and the page cannot notice it. The box is removed by the next
// [Page.Act], navigation or Highlight of the tab.
//
// The error is an [ElementError], a [StaleRefError], ErrBusy or why the turn ended.
func (e *Element) Highlight(ctx context.Context) error {
	e.page.endHighlight()
	if err := e.ScrollIntoView(ctx); err != nil {
		return err
	}
	w, err := e.world(ctx)
	if err != nil {
		return err
	}
	defer releaseElement(w.Session)
	object, err := e.object(ctx, w)
	if err != nil {
		return err
	}
	e.page.beginHighlight(w.Session)
	_, err = cdp.Call(ctx, w.Session, overlay.HighlightNode, overlay.HighlightNodeParams{HighlightConfig: &highlightLook, ObjectID: object})
	return frame.Failure(ctx, err)
}

// beginHighlight enables drawing over the frames of a session. The overlay also needs the DOM
// domain to be enabled.
func (p *Page) beginHighlight(s *cdp.Session) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.highlighted = s
	cdp.Send(s, dom.Enable, dom.EnableParams{})
	cdp.Send(s, overlay.Enable, protocol.Empty{})
}

// endHighlight removes the box that Highlight has drawn. If there is none, it sends no commands.
func (p *Page) endHighlight() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.endHighlightLocked()
}

func (p *Page) endHighlightLocked() {
	if p.highlighted == nil {
		return
	}
	cdp.Send(p.highlighted, overlay.Disable, protocol.Empty{})
	cdp.Send(p.highlighted, dom.Disable, protocol.Empty{})
	p.highlighted = nil
}

// flashTime limits how long it may take to find out where an element is. A mark that is shown later
// would not help the person who watches the act.
const flashTime = 500 * time.Millisecond

// beginFlash is called when an act begins. If a person watches the browser, the act's first element
// is shown to them. The returned function is called when the act ends. Elements that are only read,
// outside of an act, are not shown.
func (p *Page) beginFlash() (end func()) {
	if !p.on.Flash {
		return func() {}
	}
	set := func(due bool) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.flashes = due
	}
	set(true)
	return func() { set(false) }
}

// flash shows the element to the person who watches, if it is the first of an act. It is called
// when the page script has found the element, and has scrolled to it if need be. Nothing waits for
// it, and the document does not change.
func (e *Element) flash() {
	p := e.page
	if !p.on.Flash {
		return
	}
	p.mu.Lock()
	due := p.flashes
	p.flashes = false
	p.mu.Unlock()
	if !due {
		return
	}
	go func() { // the goroutine ends by itself when its context expires
		ctx, cancel := context.WithTimeout(frame.ElementRefs(context.Background()), flashTime) // not the act's context, but a short time; ElementRefs keeps the ref from being carried over to another element
		defer cancel()
		if a, err := e.areaNow(ctx); err == nil {
			cdp.Send(p.session, cdp.Flash, cdp.FlashParams(a))
		}
	}()
}
