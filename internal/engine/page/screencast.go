package page

import (
	"math"
	"time"

	protocol "github.com/chromedp/cdproto/cdp"
	proto "github.com/chromedp/cdproto/page"

	"chela/internal/engine/cdp"
)

// A screencast makes Chromium send pictures of a tab as long as it exists.
type screencast struct {
	take func(cdp.Event)
	over chan struct{} // closed when the screencast has ended
}

// Screencast has Chromium send a picture whenever it has painted the tab anew. Chromium sends the
// next one only after the last has been acknowledged. A tab has one screencast at a time: a new one
// ends the last. The function stop ends the screencast, and may be called more than once. The
// channel over is closed when the screencast has ended.
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
	p.screencast, p.painting.on = c, false
	cdp.Send(p.session, proto.StartScreencast, how)
	return c.over, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.screencast == c {
			p.screencast = nil
			cdp.Send(p.session, proto.StopScreencast, protocol.Empty{})
			close(c.over)
			p.paintLocked()
		}
	}
}

// screencastFrame passes a picture on undecoded. Pictures are large, and decoding one here would
// delay the events after it.
func (p *Page) screencastFrame(ev cdp.Event) {
	if p.screencast != nil {
		p.screencast.take(ev)
	}
}

// painting counts the users that need the tab painted, even if it is behind other tabs in its
// window. See [Page.Paint].
type painting struct {
	users int         // how many calls of Paint have not been stopped
	on    bool        // a screencast without pictures is under way
	end   *time.Timer // ends the screencast without pictures; nil if there was none
}

// paintedFor is how long a tab is still painted after the last call of Paint has been stopped.
// Animations that an act has begun need the frames, and the next act often comes soon.
const paintedFor = 2 * time.Second

// Paint has Chromium paint the tab even while it is behind others in its window. It does so until
// the returned function is called, and for paintedFor after that. Otherwise Chromium holds back a
// page whose frames nobody sees. Such a tab gets one frame a second as soon as it has changed three
// times. Scrolls, and input that waits for a frame, would then take seconds, and pictures would be
// awaited for ever.
//
// A screencast makes Chromium paint the tab, even if it sends no pictures. It does not bring the
// tab to the front.
func (p *Page) Paint() (stop func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.settings.Windowed {
		return func() {}
	}
	p.painting.users++
	p.paintLocked()
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.painting.users--; p.painting.users == 0 {
			p.painting.end = time.AfterFunc(paintedFor, p.endPainting)
		}
	}
}

// paintLocked begins a screencast without pictures if Paint is in use and no such screencast is
// under way.
func (p *Page) paintLocked() {
	if p.painting.users == 0 {
		return
	}
	if p.painting.end != nil {
		p.painting.end.Stop()
	}
	if p.painting.on || p.screencast != nil {
		return
	}
	p.painting.on = true
	cdp.Send(p.session, proto.StartScreencast, proto.StartScreencastParams{
		Format: proto.StartScreencastFormatJpeg, Quality: new(int64(1)), MaxWidth: 1, MaxHeight: 1, EveryNthFrame: math.MaxInt32,
	})
}

// endPainting ends the screencast without pictures, unless Paint is in use again.
func (p *Page) endPainting() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.painting.users == 0 && p.painting.on {
		p.painting.on = false
		cdp.Send(p.session, proto.StopScreencast, protocol.Empty{})
	}
}
