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

// unloadTime is how long a document's unload handlers may take before they are ended. The limit is
// generous, because pages use these handlers to save what their users typed.
const unloadTime = time.Second

// endUnload ends scripts of the tab's document that hold up a navigation away from it, until the
// returned function is called.
//
// Chromium runs the document's beforeunload handlers before it sends the request. After the answer,
// it runs the handlers of visibilitychange, pagehide and unload, if the next document is in the
// same process. A handler that never ends holds the navigation for ever. A browser would ask its
// user whether to wait. Here the caller has decided to navigate, so nobody is asked.
//
// While the server is awaited, between these handlers, nothing is ended. Chromium passes on no
// command meanwhile, and would end a script of the next document instead. Nothing is ended either
// if the next document gets another process. The present document does not hold up such a
// navigation, even if the new process takes long to start.
func (p *Page) endUnload(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var watch sync.WaitGroup
	watch.Go(func() {
		look := time.NewTicker(unloadTime / 4)
		defer look.Stop()
		for ended := time.Now(); ; { // when a script was last ended or, at first, when the navigation began
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

// unloadsSince reports whether the present document has held up the main frame's navigation for
// unloadTime. The time counts from the parameter moment, or from the server's answer if that came
// later. The navigation is held up while its request is not sent. It is also held up after the
// answer, if the next document has the same host, and so is in the same process. The navigation may
// be one that the page itself began, and for which ours waits.
//
// There are two cases in which no navigation is known. Our request may not be sent yet:
// stoppedLoading has taken the navigation for ended when the present document had loaded. Or the
// navigation has really ended, and the reply to our command is on its way. So a script is ended
// only if the page does not answer.
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

// A Way says how far the navigation to the main frame's next document has come.
type Way int

const (
	Requested Way = iota // no server has answered yet
	Answered             // the server has answered, but the tab still has the present document
	Unloading            // as Answered, and the present document can hold the next one up, see endUnload
)

// Way says how far the navigation has come to the address that Leaving returns.
func (p *Page) Way() Way {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := p.navigations[p.main().ID]
	switch {
	case n.answers <= n.redirects:
		return Requested
	case hostOf(n.url) != hostOf(p.main().Address()):
		return Answered
	}
	return Unloading
}

// headersReceived handles Network.responseReceivedExtraInfo, which comes for each answer of a
// server. It reports cookies that were set, and records that a navigation was answered.
// Network.responseReceived would be too late: it comes only when the present document has made way
// for the next. A request that loads a document has the id of its loader. The ids of all other
// requests have a dot.
func (p *Page) headersReceived(raw cdp.Event) {
	if p.on.Cookies != nil && setsCookies(raw.Params) {
		p.on.Cookies()
	}
	if id := observe.RequestIn(raw); id != "" && !strings.Contains(string(id), ".") {
		p.noteNavigationLocked(id, func(n *navigation) { n.answers, n.answeredAt = n.answers+1, time.Now() })
	}
}

// setsCookies reports whether the headers of a response, as JSON, may have Set-Cookie. Header names
// are written as the server has sent them.
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
