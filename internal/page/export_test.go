package page

import (
	"context"

	protocol "github.com/chromedp/cdproto/cdp"
	proto "github.com/chromedp/cdproto/page"

	"chela/internal/cdp"
)

// Crash ends the renderer of a page's main frame.
func Crash(p *Page) { cdp.Send(p.session, proto.Crash, protocol.Empty{}) }

// NavigateRaw opens a URL with the least that the protocol needs.
func NavigateRaw(ctx context.Context, p *Page, url string) error {
	res, err := cdp.Call(ctx, p.session, proto.Navigate, proto.NavigateParams{URL: url})
	if err != nil {
		return err
	}
	return p.loaded(ctx, string(res.LoaderID))
}

// FrameCount is how many frames the page believes it has.
func (p *Page) FrameCount() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.frames)
}
