package page

import (
	"context"

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
