package setting

import (
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"

	"chela/internal/wall/guard"
	"chela/internal/wall/proxy"
)

// A browser that chela has not started connects directly, so no proxy enforces the network policy.
// There, each request is paused and checked against the policy (judged) before it is sent.
// [proxy.NewJudge] says what this cannot prevent. Requests that a route answers are never sent, so
// they are not judged. A redirect is judged as a request of its own.
//
// If a refused request is for the tab's next document, it fails as cancelled: the tab keeps its
// current document, and shows no error page. All other refused requests fail as refused.

// A judge decides whether paused requests of a target may be sent.
type judge struct {
	network *proxy.Proxy

	// cancelsNavigation is [Hooks.CancelsNavigation]; nil: the target is not a tab.
	cancelsNavigation func(*PausedRequest, *guard.Refused) bool
}

// admit calls the function send, which sends a paused request, unless the policy refuses it. The
// caller may hold the target's mutex. So a check that may have to wait runs in the background, and
// everything that changes the target runs there.
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

// patternsToJudge returns the patterns of the requests that are paused for a check against the
// network policy.
func patternsToJudge(network *proxy.Proxy) (p requestPatterns) {
	for _, pattern := range network.PatternsToJudge() {
		p = append(p, fetch.RequestPattern{URLPattern: pattern})
	}
	return p
}
