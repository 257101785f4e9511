package page

import (
	"errors"
	"strings"
	"time"

	"chela/internal/engine/cdp"
	"chela/internal/engine/frame"
	"chela/internal/engine/setting"
)

// Gone returns a page for a tab that ended with its browser. It knows only the tab's address. All
// methods that need the page fail with [cdp.ErrClosed].
func Gone(id, url string, on Callbacks) *Page {
	p := New(cdp.Closed(), id, true, setting.Settings{}, on)
	<-p.Ended()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.main().URL = url
	return p
}

// ErrUnattached says that chela has no session of the tab: it is a tab that the user opened, and
// that no call has used yet.
var ErrUnattached = errors.New("the tab is not attached yet")

// Unattached returns a page for a tab that exists but is not attached. It knows only the tab's
// address. All methods that need the page fail with [ErrUnattached].
func Unattached(id, url string, on Callbacks) *Page {
	p := Gone(id, url, on)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.end = ErrUnattached
	return p
}

// MovedTo records the address of a tab whose page is not attached, or has not reported its address
// yet.
func (p *Page) MovedTo(url string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.main().URL = url
	p.notifyLocked()
}

// IsError reports whether an address belongs to an error page, which Chromium shows instead of a
// document that it could not load.
func IsError(url string) bool { return strings.HasPrefix(url, "chrome-error:") }

// endLocked ends the turns and watches of a page that cannot be used any more. It first keeps the
// list of armed answers: the calls that end now remove the answers that they armed.
func (p *Page) endLocked(why error) {
	if p.end == nil {
		p.armedAtEnd = p.armedLocked()
	}
	p.end = why
	p.interruptLocked(why)
}

// Armed lists, in words for the caller, the answers that wait for a dialog or a file chooser. For a
// page that has ended, it lists the answers that waited at that time, and that are now lost.
func (p *Page) Armed() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.end != nil {
		return p.armedAtEnd
	}
	return p.armedLocked()
}

// carriedOver has the state that the tab's next page needs if this page is lost, see [Page.URL],
// [Page.Leaving], [Page.Armed] and [Page.UsedRefs].
type carriedOver struct {
	url, leaving           string
	armedDialog, armedFile bool
	refs                   frame.UsedRefs // the refs that were used, rounded up
}

func (p *Page) carriedOverLocked() carriedOver {
	k := carriedOver{url: p.main().Address(), armedDialog: p.dialogs.armed != nil, armedFile: p.upload != nil, refs: p.usedRefsLocked().RoundUp()}
	if k.url == Blank { // a tab with another address than about:blank is opened again at that address
		k.leaving = p.navigations[p.main().ID].url
	}
	return k
}

// reportChange calls Changed if it is set.
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
