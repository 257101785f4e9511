package page

import (
	"bytes"
	"context"
	"net/url"
	"strings"
	"sync"
	"time"

	"chela/internal/engine/cdp"
	"chela/internal/engine/observe"
)

// unloadTime is how long a document's unload handlers may take before they are ended. It is
// generous, as pages save there what their users typed.
const unloadTime = time.Second

// endUnload ends scripts of the tab's document that hold up a navigation away from it, until the
// returned function is called.
//
// Chromium runs the document's beforeunload handlers before it sends the request. It runs the
// handlers of visibilitychange, pagehide and unload after the answer, if the next document is in
// the same process. A handler that never ends holds the navigation for ever. A browser then asks
// its user whether to wait. Here, the caller that navigates has decided.
//
// Between the two, while the server is awaited, nothing is ended. Chromium passes on no command
// meanwhile, and would end a script of the next document. Nothing is ended either if the next
// document gets another process. That process may take as long to start, and the former document
// does not hold it up.
func (p *Page) endUnload(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var watch sync.WaitGroup
	watch.Go(func() {
		look := time.NewTicker(unloadTime / 4)
		defer look.Stop()
		for ended := time.Now(); ; { // when a script was ended; at first, when the navigation began
			select {
			case <-ctx.Done():
				return
			case <-look.C:
			}
			if p.unloadsSince(ended) {
				p.Unstick(ctx, nil)
				ended = time.Now()
			}
		}
	})
	return func() {
		cancel()
		watch.Wait()
	}
}

// unloadsSince reports whether for unloadTime only the document that is left has held up the main
// frame's navigation. Then its request is not sent yet, or its server has answered and the next
// document has the same host. So the next document is in the same process. The navigation may also
// be the page's own, which our navigation waits for.
//
// If no navigation is known, its request is not sent yet either. The reason is stoppedLoading: it
// may have taken the navigation for ended when the document that is left had loaded. Or the
// navigation has really ended, and the reply to our command is on its way. So only a page that does
// not answer has its script ended.
func (p *Page) unloadsSince(moment time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	n, under := p.navigations[p.main().ID]
	answered := n.answers > n.redirects
	switch {
	case !under:
	case n.sent && !answered:
		return false
	case answered && hostOf(n.url) != hostOf(p.main().Address()):
		return false
	case n.answeredAt.After(moment):
		moment = n.answeredAt
	}
	return time.Since(moment) >= unloadTime
}

// UnloadPending reports whether the server of the main frame's next document has answered, but the
// present document has yet to end.
func (p *Page) UnloadPending() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := p.navigations[p.main().ID]
	return n.answers > n.redirects
}

// headersReceived handles Network.responseReceivedExtraInfo, which comes for each answer of a
// server. It reports that cookies were set, and records that a navigation was answered:
// Network.responseReceived comes only when the document that is left has made way for the next. A
// request that loads a document has the id of its loader. The ids of all other requests have a dot.
func (p *Page) headersReceived(raw cdp.Event) {
	if p.on.Cookies != nil && setsCookies(raw.Params) {
		p.on.Cookies()
	}
	if id := observe.RequestIn(raw); id != "" && !strings.Contains(string(id), ".") {
		p.noteNavigationLocked(id, func(n *navigation) { n.answers, n.answeredAt = n.answers+1, time.Now() })
	}
}

// setsCookies reports whether headers of a response, as JSON, may set cookies. Header names have
// the case in which the server has sent them.
func setsCookies(headers []byte) bool {
	return bytes.Contains(headers, []byte("et-Cookie")) || bytes.Contains(headers, []byte("et-cookie"))
}

// hostOf returns the host and port of an address, "" if it has none.
func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Host
}
