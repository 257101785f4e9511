package page

import (
	"context"
	"strings"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"

	"chela/internal/engine/cdp"
	"chela/internal/engine/frame"
)

// openEmpty has the page show an empty document of an origin, by which what the browser
// keeps for the origin can be used. No request leaves the browser: emptyAsked answers the
// one for the document and fails all others, and the origin's service worker, if it has
// one, is not asked. The page must be one that no site uses.
func (p *Page) openEmpty(ctx context.Context, origin string) (*frame.World, error) {
	p.emptyAt(origin)
	defer p.emptyAt("")
	cdp.Send(p.session, network.SetBypassServiceWorker, network.SetBypassServiceWorkerParams{Bypass: true})
	defer p.pause(fetch.RequestPattern{URLPattern: "*"})()
	if err := p.Navigate(ctx, origin+"/"); err != nil {
		return nil, err
	}
	if err := p.awake(ctx, p.main()); err != nil { // also reads the document's clock, see frame.Send
		return nil, err
	}
	return p.worldOf(ctx, p.main())
}

func (p *Page) emptyAt(origin string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.empty = origin
}

// emptyDocument has an icon, as a browser with windows would ask the server for one.
const emptyDocument = `<!doctype html><link rel="icon" href="data:,">`

// emptyAskedLocked answers a request of a page that is to show an empty document. It
// reports false if it is not to do that.
func (p *Page) emptyAskedLocked(r *pausedRequest) bool {
	switch {
	case p.empty == "":
		return false
	case !strings.EqualFold(r.Request.URL, p.empty+"/"):
		r.fail(network.ErrorReasonBlockedByClient)
	default:
		r.fulfill(200, []*fetch.HeaderEntry{{Name: "Content-Type", Value: "text/html"}}, []byte(emptyDocument))
	}
	return true
}
