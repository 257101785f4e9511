package page

import (
	protocol "github.com/chromedp/cdproto/cdp"
	proto "github.com/chromedp/cdproto/page"

	"chela/internal/engine/cdp"
)

// A screencast is under way while Chromium sends pictures of a tab.
type screencast struct {
	take func(cdp.Event)
	over chan struct{} // closed when it has ended
}

// Screencast has Chromium send a picture whenever it has painted the tab anew. It sends the next
// only after the last has been acknowledged. There is one screencast of a tab at a time: a new one
// ends the last. It ends with stop, which may be called again, and over is then closed.
//
// The function take gets the events Page.screencastFrame. The goroutine that handles the page's
// events calls it, so it must not wait for anything or call the page.
func (p *Page) Screencast(how proto.StartScreencastParams, take func(cdp.Event)) (over <-chan struct{}, stop func()) {
	c := &screencast{take, make(chan struct{})}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.screencast != nil {
		close(p.screencast.over)
	}
	p.screencast = c
	cdp.Send(p.session, proto.StartScreencast, how)
	return c.over, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.screencast == c {
			p.screencast = nil
			cdp.Send(p.session, proto.StopScreencast, protocol.Empty{})
			close(c.over)
		}
	}
}

// screencastFrame hands a picture on. It is not read here: it is large, and the events after it
// would have to wait.
func (p *Page) screencastFrame(ev cdp.Event) {
	if p.screencast != nil {
		p.screencast.take(ev)
	}
}

// Paint has Chromium paint the tab also while it is behind others in its window, until the returned
// function is called. A picture of such a tab would else be awaited for ever, each time but the
// first. A screencast, even one that nobody sees, has a tab painted, and does not bring it to the
// front.
func (p *Page) Paint() (stop func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.settings.Windowed || p.screencast != nil {
		return func() {}
	}
	cdp.Send(p.session, proto.StartScreencast, proto.StartScreencastParams{
		Format: proto.StartScreencastFormatJpeg, Quality: new(int64(1)), MaxWidth: 1, MaxHeight: 1,
	})
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.screencast == nil { // one that has begun meanwhile goes on
			cdp.Send(p.session, proto.StopScreencast, protocol.Empty{})
		}
	}
}
