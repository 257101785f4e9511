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

// openEmpty makes the page show an empty document of an origin. A script in it can read and write
// what the browser keeps for the origin. No request leaves the browser: answerEmpty answers the
// request for the document and fails all others. A service worker of the origin is bypassed. The
// page must be one that no site uses.
func openEmpty(ctx context.Context, p *page.Page, origin string) (*frame.World, error) {
	cdp.Send(p.Session(), network.SetBypassServiceWorker, network.SetBypassServiceWorkerParams{Bypass: true})
	p.AnswerRequests(func(r *setting.PausedRequest) { answerEmpty(r, origin) })
	defer p.AnswerRequests(nil)
	if err := p.Navigate(ctx, origin+"/"); err != nil {
		return nil, err
	}
	if err := p.Awake(ctx); err != nil { // also reads the document's clock, which frame.Send needs
		return nil, err
	}
	return p.World(ctx, "")
}

// emptyDocument is the content of the documents that openEmpty shows. It names an icon, since a
// browser with windows would otherwise request /favicon.ico.
const emptyDocument = `<!doctype html><link rel="icon" href="data:,">`

// answerEmpty answers a request of a page in which openEmpty loads an empty document of an origin.
func answerEmpty(r *setting.PausedRequest, origin string) {
	if !strings.EqualFold(r.Request.URL, origin+"/") {
		r.Fail(network.ErrorReasonBlockedByClient)
		return
	}
	r.Fulfill(200, []*fetch.HeaderEntry{{Name: "Content-Type", Value: "text/html"}}, []byte(emptyDocument))
}
