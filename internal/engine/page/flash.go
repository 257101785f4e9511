package page

import (
	"context"
	"time"

	"chela/internal/engine/cdp"
)

// flashTime bounds how long it may take to find out where an act begins. Later, nobody wants to see
// it.
const flashTime = 500 * time.Millisecond

// beginFlash has the first element that the act asks for shown to the person, if there is one who
// looks. Readings of elements are no acts, and show nothing. The returned function ends that.
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

// flash shows the element to the person, if it is the first of an act. It is called when the page
// script has found the element, and has scrolled to it if need be. Nothing waits for it, and the
// document does not change.
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
	go func() { // it ends by itself, soon
		ctx, cancel := context.WithTimeout(context.Background(), flashTime)
		defer cancel()
		if a, err := e.areaNow(ctx); err == nil {
			cdp.Send(p.session, cdp.Flash, cdp.FlashParams(a))
		}
	}()
}
