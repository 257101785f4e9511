package setting

import (
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"

	"chela/internal/wall/guard"
	"chela/internal/wall/proxy"
)

// A browser that chela has not started connects itself, and no proxy keeps it from what the
// network policy forbids. There each request is paused and judged before it is sent: see
// [proxy.NewJudge], which says what that cannot hold. Requests that a route answers are never
// sent, so they are not judged; redirects are requests of their own.
//
// A request for the tab's next document that is refused fails as one that was canceled: the document which is
// there stays then, and no error page replaces it. All others fail as refused.

// A judge decides on the paused requests of a target.
type judge struct {
	network *proxy.Proxy

	// stays reports whether a request that is refused is for the next document of the tab, which stays on the one
	// it has. It is called before the request fails; nil: the target is no tab.
	stays func(*PausedRequest, *guard.Refused) bool
}

// admit sends a paused request by send, unless it is refused. It may be called with the mutex of
// the target held: what has to wait, or changes the target, is done in the background.
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
		if r.judge.stays != nil && r.judge.stays(r, refused) {
			reason = network.ErrorReasonAborted
		}
		r.Fail(reason)
	}()
}

// judged are the patterns of what is to be judged.
func judged(network *proxy.Proxy) (p pausing) {
	for _, pattern := range network.Judged() {
		p = append(p, fetch.RequestPattern{URLPattern: pattern})
	}
	return p
}
