package observe

import (
	protocol "github.com/chromedp/cdproto/cdp"
	protolog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"

	"chela/internal/engine/cdp"
)

// How many bytes Chromium keeps of what the network has brought, for Body: the
// newest of a tab's own process, and fewer of each cross-site frame and worker.
const (
	TabBodies   = 5 << 20
	OtherBodies = 1 << 20
)

// maxPosted is how many bytes sent with a request come with its event.
const maxPosted = 16 << 10

// Enable asks for what the journal has of a tab, frame or worker. Bodies is how many bytes of bodies Chromium keeps of it.
func Enable(s *cdp.Session, bodies int64) {
	cdp.Send(s, runtime.Enable, protocol.Empty{})
	cdp.Send(s, protolog.Enable, protocol.Empty{})
	cdp.Send(s, network.Enable, network.EnableParams{
		MaxTotalBufferSize: &bodies, MaxResourceBufferSize: &bodies, MaxPostDataSize: new(int64(maxPosted)),
	})
}
