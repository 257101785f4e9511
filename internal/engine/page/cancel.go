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

// When the network policy refuses the connection for a navigation, Chromium would replace the
// document by an error page. Text typed into the document and the state of its scripts would be
// lost. Going back would take a request to the server, and perhaps post a form again. So chela
// cancels the navigation before Chromium knows about the refusal, and the document stays.
//
// Page.stopLoading cancels the navigation. It stops all that the tab loads, like the stop button of
// a browser, so the document's own requests under way also end. An error page would have ended them
// as well.

// cancellations counts the navigations that chela cancelled because the network policy refused a
// connection or request.
type cancellations struct {
	count int
	why   *guard.Refused // why the last navigation was refused
}

// CancelRefused cancels the main frame's navigation if the navigation needs the refused connection.
// It returns the address that the navigation began with, and whether it has cancelled the
// navigation. If it has, it waits until the navigation or ctx has ended. The caller must first
// await the events that Chromium sent before it asked for the connection.
func (p *Page) CancelRefused(ctx context.Context, r proxy.Refusal) (begun string, stopped bool) {
	if p.Sync(ctx) != nil {
		return "", false
	}
	n, stopped := p.recordCancellation(r)
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

// recordCancellation records that the main frame's navigation will be cancelled, if that navigation
// needs the refused connection.
func (p *Page) recordCancellation(r proxy.Refusal) (n navigation, needs bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n = p.navigations[p.main().ID]
	if n.loader == "" || n.answered || !r.Concerns(p.on.Network, cmp.Or(n.redirectedTo, n.url)) {
		return n, false
	}
	p.cancellations = cancellations{p.cancellations.count + 1, r.Why}
	p.refuseLocked(r.Why)
	return n, true
}

// cancelledByJudge handles a request that the judge has refused (setting/judge.go). It reports
// whether the request is for the main frame's next document. If so, the frame keeps its present
// document, and cancelledByJudge records the refusal and calls Callbacks.Refused.
func (p *Page) cancelledByJudge(r *setting.PausedRequest, why *guard.Refused) bool {
	if r.ResourceType != network.ResourceTypeDocument || string(r.FrameID) != p.main().ID {
		return false
	}
	p.Sync(context.Background()) // first handle the event of the navigation; Sync also returns when the page ends
	p.mu.Lock()
	begun := cmp.Or(p.navigations[p.main().ID].url, r.Request.URL)
	p.cancellations = cancellations{p.cancellations.count + 1, why}
	p.refuseLocked(why)
	p.mu.Unlock()
	if p.on.Refused != nil {
		p.on.Refused(p, begun, why)
	}
	return true
}

// refuseLocked records a refusal in all Effects that are being collected.
func (p *Page) refuseLocked(why *guard.Refused) {
	for e := range p.collecting {
		e.refused = why
	}
}

// Refuse records a refused address in the Effects that are being collected. The address was refused
// in another tab, which this page had requested.
func (p *Page) Refuse(why *guard.Refused) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refuseLocked(why)
}

// TakeRefusal returns why a navigation was refused since the Effects began to collect, or since the
// last TakeRefusal. It returns nil if none was.
func (e *Effects) TakeRefusal() *guard.Refused {
	e.page.mu.Lock()
	defer e.page.mu.Unlock()
	refused := e.refused
	e.refused = nil
	return refused
}

// RequestedTab reports whether the page has asked for a tab with this address while Effects were
// being collected.
func (p *Page) RequestedTab(url string) bool {
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

// LastRefusal returns why the network policy refused the last navigation that was cancelled for a
// refusal; nil if none was.
func (p *Page) LastRefusal() *guard.Refused { return p.refusedSince(0) }

// cancellationsMark returns how many navigations were cancelled so far, for refusedSince.
func (p *Page) cancellationsMark() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.cancellations.count
}

// refusedSince returns why a navigation was refused and cancelled since the parameter mark, an
// earlier value of cancellationsMark; nil if none was.
func (p *Page) refusedSince(mark int) *guard.Refused {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cancellations.count == mark {
		return nil
	}
	return p.cancellations.why
}
