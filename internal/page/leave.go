package page

import (
	"bytes"
	"context"
	"net/url"
	"sync"
	"time"

	"github.com/chromedp/cdproto/network"

	"chela/internal/cdp"
)

// unloadTime is how long the handlers of a document may take that run when it is left,
// before they are ended. It is generous, as pages save there what their users typed.
const unloadTime = time.Second

// endUnload ends scripts of the document in the tab that hold up a navigation from it,
// until the returned function is called.
//
// Chromium runs the document's handlers of beforeunload before it sends the request, and
// those of visibilitychange, pagehide and unload when the answer has come, if the next
// document is in the same process. A handler that never ends holds the navigation for
// ever. A browser asks its user then whether to wait; here, whoever navigates has decided.
//
// In between, while the server is awaited, nothing is ended: Chromium passes on no
// command meanwhile, and would end a script of the next document. Nor is that done where
// the next document gets another process, whose start may take as long; there the former
// document does not hold it up.
func (p *Page) endUnload(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	since := p.navigationMark()
	var watch sync.WaitGroup
	watch.Go(func() {
		p.terminateUntil(ctx, func() bool {
			n := p.navigations[p.main().ID]
			return n.sent && n.order > since
		})
		if p.await(ctx, p.unloadsLocked) == nil {
			p.terminateUntil(ctx, func() bool { return false })
		}
	})
	return func() {
		cancel()
		watch.Wait()
	}
}

// terminateUntil ends the script that runs each time that the condition has not come
// within unloadTime.
func (p *Page) terminateUntil(ctx context.Context, condition func() bool) {
	for {
		limited, cancel := context.WithTimeout(ctx, unloadTime)
		err := p.await(limited, condition)
		cancel()
		if err == nil || ctx.Err() != nil || p.Err() != nil {
			return
		}
		terminate(p.session)
	}
}

// HoldsOn reports whether the server of the document that the main frame is loading has
// answered, but the document that is there has yet to end.
func (p *Page) HoldsOn() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := p.navigations[p.main().ID]
	return n.headers > n.hops
}

// unloadsLocked reports whether nothing holds up the main frame's navigation but the
// document that it leaves: the server has answered, and the next document is of the same
// host, and so in the same process.
func (p *Page) unloadsLocked() bool {
	n := p.navigations[p.main().ID]
	return n.headers > n.hops && hostOf(n.url) == hostOf(p.main().Address())
}

// headersReceived records that a server has answered a navigation. Chromium reports the
// answer itself (Network.responseReceived) only when the document that is left has made
// way for the next. Each answer in a tab is reported so; the id of a request that
// loads a document is that of its loader, and all others have a dot in theirs.
func (p *Page) headersReceived(raw cdp.Event) {
	rest, ok := bytes.CutPrefix(raw.Params, []byte(`{"requestId":"`))
	id, _, whole := bytes.Cut(rest, []byte(`"`))
	if ok && whole && !bytes.Contains(id, []byte(".")) {
		p.noteNavigationLocked(network.RequestID(id), func(n *navigation) { n.headers++ })
	}
}

// hostOf is the host and port of an address, "" if it has none.
func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Host
}
