package page

import (
	"context"
	"time"

	"chela/internal/engine/cdp"
)

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
	go func() { // the goroutine ends by itself after a moment
		ctx, cancel := context.WithTimeout(context.Background(), flashTime)
		defer cancel()
		if a, err := e.areaNow(ctx); err == nil {
			cdp.Send(p.session, cdp.Flash, cdp.FlashParams(a))
		}
	}()
}
