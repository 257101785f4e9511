package page

import (
	"context"
	"slices"
	"strings"
	"time"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	proto "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"

	"chela/internal/engine/cdp"
)

// An Ask is a document's request to Chromium to open a tab, such as window.open. Chromium reports
// the request before the target of the new tab, and even if that target names no opener.
type Ask struct {
	URL string

	// ByLink says that a link was clicked, or a form submitted, with a modifier key or the
	// middle button. It is also set for files that were dropped on a document that does not
	// accept them. Chromium names no opener of such a tab. It names the opener of all other
	// tabs: those from window.open, and from links and forms with a target, even with noopener.
	ByLink bool
	Window bool // the tab gets its own window; known only with ByLink
	Posts  bool // the document requests the tab by posting a form; known only with ByLink

	answered *cdp.Reply[runtime.GetIsolateIDResult] // see AwaitAnswer
}

// ShowsFile reports whether the requested tab will show a file of this machine. Chromium opens such
// a tab for a file dropped on a document that does not accept it. A document from the web cannot
// request a tab with such an address.
func (a *Ask) ShowsFile() bool { return strings.HasPrefix(a.URL, "file:") }

// AwaitAnswer waits until Chromium has reported the target of the requested tab, or will not report
// one. There is no target if the tab is blocked, or if another program shows the address. The
// renderer requests the tab from the browser process, and answers our later command over the same
// channel. So the answer to the command comes after the target.
func (a *Ask) AwaitAnswer(ctx context.Context) { a.answered.Wait(ctx) }

// Answered reports whether AwaitAnswer would return at once.
func (a *Ask) Answered() bool {
	select {
	case <-a.answered.Done():
		return true
	default:
		return false
	}
}

// Asks lists the tabs that documents of the page have requested, and whose targets Chromium has not
// reported yet.
func (p *Page) Asks() []*Ask {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.asks)
}

// EndAsk removes a request from the list, when its tab has opened or never will.
func (p *Page) EndAsk(a *Ask) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asks = slices.DeleteFunc(p.asks, func(x *Ask) bool { return x == a })
}

// opensByLink reports whether Chromium opens a tab when a link gets this click: it has a modifier
// key, or uses the middle button.
func (c Click) opensByLink() bool { return c.Modifiers != 0 || c.Button == input.MouseButtonMiddle }

// awaitAsk waits until the document has reported the tab that a click on a link requests. The
// report comes after the guard's verdict on the click, when the page's listeners have run. If the
// document is busy then, the wait ends after requestTime.
func (e *Element) awaitAsk(ctx context.Context) {
	soon, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	if w, err := e.world(soon); err == nil {
		cdp.Call(soon, w.Session, runtime.GetIsolateID, protocol.Empty{})
	}
}

func (p *Page) windowOpened(s *cdp.Session, ev proto.EventWindowOpen) {
	p.askedLocked(s, &Ask{URL: ev.URL})
}

// askedByLinkLocked is called when a document requests a new tab for a navigation, see
// [Ask.ByLink].
func (p *Page) askedByLinkLocked(s *cdp.Session, ev proto.EventFrameRequestedNavigation) {
	p.askedLocked(s, &Ask{
		URL: ev.URL, ByLink: true, Window: ev.Disposition == proto.ClientNavigationDispositionNewWindow,
		Posts: ev.Reason == proto.ClientNavigationReasonFormSubmissionPost,
	})
}

// askedLocked records that a document of a session requests a tab.
func (p *Page) askedLocked(s *cdp.Session, a *Ask) {
	for e := range p.collecting {
		e.windows = append(e.windows, a.URL)
	}
	p.recordLocked(NewTab, time.Now())
	if p.on.Asked == nil {
		return
	}
	a.answered = cdp.Send(s, runtime.GetIsolateID, protocol.Empty{})
	p.asks = append(p.asks, a)
	p.on.Asked(p, a)
}
