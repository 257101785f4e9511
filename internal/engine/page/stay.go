package page

import (
	"cmp"
	"context"

	"chela/internal/engine/setting"
	"chela/internal/engine/urls"
	"chela/internal/wall/guard"
	"chela/internal/wall/proxy"

	"github.com/chromedp/cdproto/network"
)

// When the network policy refuses the connection for a navigation, Chromium would replace
// the document by an error page. What was typed would be lost, with the state of scripts,
// and the way back would be a request to the server, perhaps by a form that was posted. So
// the navigation is stopped before Chromium knows of the refusal, and the document stays.
//
// To stop it is one command for all that the tab loads, as the stop button of a browser is:
// requests of the document that are under way end, too. An error page would have ended them.

// stays are the navigations that were stopped.
type stays struct {
	count int
	why   *guard.Refused // of the last one
}

// Stay stops the main frame's navigation if it needs the connection that is refused. It
// returns the address that the navigation began with, and whether there is one; then it
// waits until that has ended, or ctx does. It is called when all that Chromium has
// reported before it asked for the connection has arrived.
func (p *Page) Stay(ctx context.Context, r proxy.Refusal) (begun string, stopped bool) {
	if p.Sync(ctx) != nil {
		return "", false
	}
	n, stopped := p.recordStay(r)
	if !stopped {
		return "", false
	}
	p.stopLoading()
	p.await(ctx, func() bool {
		now := p.navigations[p.main().ID]
		return now.loader != n.loader || now.failure != ""
	})
	return n.url, true
}

// recordStay records that the main frame's navigation is to be stopped, if it needs the
// connection.
func (p *Page) recordStay(r proxy.Refusal) (n navigation, needs bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n = p.navigations[p.main().ID]
	if n.loader == "" || n.answered || !r.Concerns(p.on.Network, cmp.Or(n.hop, n.url)) {
		return n, false
	}
	p.stays = stays{p.stays.count + 1, r.Why}
	p.refuseLocked(r.Why)
	return n, true
}

// staysAfter records that the main frame stays where it is, if a request for its next document
// is refused, and reports that to the browser.
func (p *Page) staysAfter(r *setting.PausedRequest, why *guard.Refused) bool {
	if r.ResourceType != network.ResourceTypeDocument || string(r.FrameID) != p.main().ID {
		return false
	}
	p.Sync(context.Background()) // the navigation is known; it ends with the page
	p.mu.Lock()
	begun := cmp.Or(p.navigations[p.main().ID].url, r.Request.URL)
	p.stays = stays{p.stays.count + 1, why}
	p.refuseLocked(why)
	p.mu.Unlock()
	if p.on.Refused != nil {
		p.on.Refused(p, begun, why)
	}
	return true
}

// refuseLocked records in all Effects that are being collected what was refused.
func (p *Page) refuseLocked(why *guard.Refused) {
	for e := range p.collecting {
		e.refused = why
	}
}

// Refuse has the effects that are being collected say that an address is refused, though not
// in this tab: in one that its page asked for.
func (p *Page) Refuse(why *guard.Refused) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refuseLocked(why)
}

// TakeRefusal returns why a navigation was stopped since Collect, or since the last call;
// nil if none was.
func (e *Effects) TakeRefusal() *guard.Refused {
	e.page.mu.Lock()
	defer e.page.mu.Unlock()
	refused := e.refused
	e.refused = nil
	return refused
}

// Asked reports whether the page has asked for a tab with this address since Effects are
// being collected.
func (p *Page) Asked(url string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for e := range p.collecting {
		for _, asked := range e.windows {
			if urls.SameDocument(asked, url) {
				return true
			}
		}
	}
	return false
}

// Stopped returns why the last navigation was stopped that the network policy refused; nil if none was.
func (p *Page) Stopped() *guard.Refused { return p.stoppedSince(0) }

// staysMark is for stoppedSince.
func (p *Page) staysMark() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stays.count
}

// stoppedSince returns why a navigation was stopped since a mark, nil if none was.
func (p *Page) stoppedSince(mark int) *guard.Refused {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stays.count == mark {
		return nil
	}
	return p.stays.why
}
