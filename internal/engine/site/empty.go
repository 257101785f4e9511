package site

import (
	"context"
	"strings"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"

	"chela/internal/engine/cdp"
	"chela/internal/engine/frame"
	"chela/internal/engine/page"
	"chela/internal/engine/setting"
)

// openEmpty has the page show an empty document of an origin, by which what the browser
// keeps for the origin can be used. No request leaves the browser: answerEmpty answers the
// one for the document and fails all others, and the origin's service worker, if it has
// one, is not asked. The page must be one that no site uses.
func openEmpty(ctx context.Context, p *page.Page, origin string) (*frame.World, error) {
	cdp.Send(p.Session(), network.SetBypassServiceWorker, network.SetBypassServiceWorkerParams{Bypass: true})
	p.AnswerRequests(func(r *setting.PausedRequest) { answerEmpty(r, origin) })
	defer p.AnswerRequests(nil)
	if err := p.Navigate(ctx, origin+"/"); err != nil {
		return nil, err
	}
	if err := p.Awake(ctx); err != nil { // also reads the document's clock, see frame.Send
		return nil, err
	}
	return p.World(ctx, "")
}

// emptyDocument has an icon, as a browser with windows would ask the server for one.
const emptyDocument = `<!doctype html><link rel="icon" href="data:,">`

// answerEmpty answers a request of a page that is to show an empty document of an origin.
func answerEmpty(r *setting.PausedRequest, origin string) {
	if !strings.EqualFold(r.Request.URL, origin+"/") {
		r.Fail(network.ErrorReasonBlockedByClient)
		return
	}
	r.Fulfill(200, []*fetch.HeaderEntry{{Name: "Content-Type", Value: "text/html"}}, []byte(emptyDocument))
}
