package observe

import (
	protocol "github.com/chromedp/cdproto/cdp"
	protolog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"

	"chela/internal/engine/cdp"
)

// TabBodies and OtherBodies are how many bytes of request and response bodies Chromium keeps for a
// session, so that [Body] can return them. It keeps the newest ones. TabBodies is for the session
// of a tab itself, OtherBodies for that of a cross-site frame or a worker.
const (
	TabBodies   = 5 << 20
	OtherBodies = 1 << 20
)

// maxPosted is how many bytes of a request body come with the request's event.
const maxPosted = 16 << 10

// Enable asks Chromium for the events of a tab, frame or worker that the event log needs. The
// parameter bodies limits how many bytes of request and response bodies Chromium keeps for it.
func Enable(s *cdp.Session, bodies int64) {
	cdp.Send(s, runtime.Enable, protocol.Empty{})
	cdp.Send(s, protolog.Enable, protocol.Empty{})
	cdp.Send(s, network.Enable, network.EnableParams{
		MaxTotalBufferSize: &bodies, MaxResourceBufferSize: &bodies, MaxPostDataSize: new(int64(maxPosted)),
	})
}
