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

// An Ask is a document's request to Chromium for a tab. Chromium reports it before the target of
// the tab, in the order of their events. It does so even if it then names no opener of the target.
type Ask struct {
	URL string

	// ByLink says that a link was clicked, or a form submitted, with a modifier key or the middle
	// button. It also stands for dropped files that the document has not accepted. Chromium names
	// no opener of such a tab. It names the opener of all others: from window.open, and from links
	// and forms with a target, also with noopener.
	ByLink bool
	Window bool // the tab gets its own window; known only with ByLink
	Posts  bool // a form is sent with it; known only with ByLink

	answered *cdp.Reply[runtime.GetIsolateIDResult]
}

// ShowsFile reports whether the requested tab will show a file of this machine. Chromium opens such
// a tab for a file dropped on a document that does not accept it. Documents of the web cannot
// request it.
func (a *Ask) ShowsFile() bool { return strings.HasPrefix(a.URL, "file:") }

// AwaitAnswer waits until the target has been reported, if there will be one. A tab that is
// blocked, or shown by another program, never comes. The renderer requests the tab from the browser
// process and answers our command over the same channel. So its answer comes after the target.
func (a *Ask) AwaitAnswer(ctx context.Context) { a.answered.Wait(ctx) }

// Asks lists the tabs that documents of the page have requested and that have not come yet.
func (p *Page) Asks() []*Ask {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.asks)
}

// EndAsk removes an ask from the list: its tab has come, or never will.
func (p *Page) EndAsk(a *Ask) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asks = slices.DeleteFunc(p.asks, func(x *Ask) bool { return x == a })
}

// opensByLink reports whether a click on a link opens a tab.
func (c Click) opensByLink() bool { return c.Modifiers != 0 || c.Button == input.MouseButtonMiddle }

// awaitAsk waits until the document has reported what a click requests. It reports that only after
// the verdict on the click, when the page's listeners have run. If the document is busy then, the
// wait ends after requestTime.
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

// askedByLinkLocked is called when a document requests a navigation of another tab.
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
