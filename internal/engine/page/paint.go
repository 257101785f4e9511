package page

import "time"

// painting counts the users that need the tab painted, even if it is behind other tabs in its
// window. See [Page.Paint].
type painting struct {
	behind bool        // a tab of its window was opened by a page, see SharesWindow
	users  int         // how many calls of Paint have not been stopped
	on     bool        // the tab is to be painted for these users, or still for paintedFor after the last
	end    *time.Timer // ends the painting after paintedFor; nil until it is needed for the first time
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
// tab to the front. A tab that has its window for itself needs none.
func (p *Page) Paint() (stop func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.painting.users++; p.painting.end != nil {
		p.painting.end.Stop()
	}
	p.painting.on = true
	p.castLocked()
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.painting.users--; p.painting.users == 0 {
			p.painting.end = time.AfterFunc(paintedFor, p.endPainting)
		}
	}
}

// SharesWindow notes that the tab has opened another tab, or was opened by a page. Chromium puts the
// new tab into the window of the old one, in front of it, in a headless browser too.
func (p *Page) SharesWindow() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.painting.behind = true
	p.castLocked()
}

// mayBeBehind reports whether another tab may be in front of this one in its window.
func (p *Page) mayBeBehind() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.mayBeBehindLocked()
}

func (p *Page) mayBeBehindLocked() bool { return p.settings.Windowed || p.painting.behind }

// endPainting ends the painting, unless Paint is in use again.
func (p *Page) endPainting() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.painting.users == 0 {
		p.painting.on = false
		p.castLocked()
	}
}
