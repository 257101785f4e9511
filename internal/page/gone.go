package page

import (
	"strings"
	"time"

	"chela/internal/cdp"
)

// Gone returns the page of a tab that went with its browser, of which only the
// address is known. Every use of it fails with [cdp.ErrClosed].
func Gone(id, url string) *Page {
	p := New(cdp.Closed(), id, func() {})
	<-p.Ended()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.main().url = url
	return p
}

// IsError reports whether an address is that of the document that Chromium
// shows in place of one that it could not load.
func IsError(url string) bool { return strings.HasPrefix(url, "chrome-error:") }

// Armed lists the answers that wait for a dialog or a file chooser of the page.
// They are lost with it.
func (p *Page) Armed() (list []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if a := p.dialogs.armed; a != nil && now.Before(a.until) {
		list = append(list, "armed dialog answer")
	}
	if p.upload != nil {
		list = append(list, "armed upload")
	}
	return list
}
