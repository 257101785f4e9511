package setting

import (
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"

	"chela/internal/wall/guard"
	"chela/internal/wall/proxy"
)

// A browser that chela has not started connects directly, so no proxy enforces the network policy.
// There each request is paused and judged before it is sent. [proxy.NewJudge] says what this cannot
// prevent. Requests that a route answers are never sent, so they are not judged. A redirect is
// judged as a request of its own.
//
// A refused request for the tab's next document fails as cancelled. The current document then
// stays, and no error page replaces it. All other requests fail as refused.

// A judge decides on the paused requests of a target.
type judge struct {
	network *proxy.Proxy

	// cancelsNavigation reports whether a refused request is for the tab's next document. In that
	// case the tab stays on the current document. It is called before the request fails; nil: the
	// target is not a tab.
	cancelsNavigation func(*PausedRequest, *guard.Refused) bool
}

// admit sends a paused request by send, unless it is refused. The caller may hold the mutex of the
// target: what has to wait, or changes the target, is done in the background.
func (r *PausedRequest) admit(send func()) {
	if r.judge.network.Passes(r.Request.URL) {
		send()
		return
	}
	go func() {
		refused := r.judge.network.Judge(r.Request.URL)
		if refused == nil {
			send()
			return
		}
		reason := network.ErrorReasonAccessDenied
		if r.judge.cancelsNavigation != nil && r.judge.cancelsNavigation(r, refused) {
			reason = network.ErrorReasonAborted
		}
		r.Fail(reason)
	}()
}

// patternsToJudge returns the patterns of the requests that are to be judged.
func patternsToJudge(network *proxy.Proxy) (p requestPatterns) {
	for _, pattern := range network.PatternsToJudge() {
		p = append(p, fetch.RequestPattern{URLPattern: pattern})
	}
	return p
}
