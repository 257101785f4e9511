package page

import (
	"errors"
	"strings"
	"time"

	"chela/internal/engine/cdp"
	"chela/internal/engine/setting"
)

// Gone returns the page of a tab that ended with its browser. Only the address is known. Whatever
// needs the page fails with [cdp.ErrClosed].
func Gone(id, url string, on Callbacks) *Page {
	p := New(cdp.Closed(), id, true, setting.Settings{}, on)
	<-p.Ended()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.main().URL = url
	return p
}

// ErrUnattached says that a page is not attached: it is in a user's own tab that no call has used
// yet.
var ErrUnattached = errors.New("the tab is not attached yet")

// Unattached returns the page of a tab that exists but is not attached. Only the address is known.
// Whatever needs the page fails with [ErrUnattached].
func Unattached(id, url string, on Callbacks) *Page {
	p := Gone(id, url, on)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.end = ErrUnattached
	return p
}

// MovedTo records the new address of a tab whose page is not attached.
func (p *Page) MovedTo(url string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.main().URL = url
	p.notifyLocked()
}

// IsError reports whether an address belongs to an error page, which Chromium shows instead of a
// document that it could not load.
func IsError(url string) bool { return strings.HasPrefix(url, "chrome-error:") }

// endLocked ends the turns and watches of a page that cannot be used any more. It keeps the list of
// what was armed, as the calls that now end take back what they had armed.
func (p *Page) endLocked(why error) {
	if p.end == nil {
		p.armedAtEnd = p.armedLocked()
	}
	p.end = why
	p.interruptLocked(why)
}

// Armed lists, in words for the caller, the answers that wait for a dialog or a file chooser. For a
// page that has ended it lists what waited then. These answers are lost with the page.
func (p *Page) Armed() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.end != nil {
		return p.armedAtEnd
	}
	return p.armedLocked()
}

// carriedOver is what the next page of the tab needs, see [Page.URL], [Page.Leaving] and
// [Page.Armed].
type carriedOver struct {
	url, leaving           string
	armedDialog, armedFile bool
}

func (p *Page) carriedOverLocked() carriedOver {
	k := carriedOver{url: p.main().Address(), armedDialog: p.dialogs.armed != nil, armedFile: p.upload != nil}
	if k.url == Blank { // otherwise the page is opened again at its address
		k.leaving = p.navigations[p.main().ID].url
	}
	return k
}

// reportChange calls Changed.
func (on Callbacks) reportChange() {
	if on.Changed != nil {
		on.Changed()
	}
}

func (p *Page) armedLocked() (list []string) {
	if a := p.dialogs.armed; a != nil && time.Now().Before(a.until) {
		list = append(list, "armed dialog answer")
	}
	if p.upload != nil {
		list = append(list, "armed upload")
	}
	return list
}
