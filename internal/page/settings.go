package page

import (
	"context"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"

	"chela/internal/cdp"
	"chela/internal/frame"
)

// Settings are what callers have set a tab to. They belong to the tab, which
// outlives its pages: a page that replaces a crashed one is given them again.
//
// A new kind of setting is a field here, and its commands in sendTo. A page
// sends those to each of its sessions (its own, those of cross-site frames and
// of workers) before the target runs, so that no document and no request comes
// before its settings, and again when they change.
type Settings struct {
	Viewport Viewport `json:"viewport,omitzero"`
}

// A Viewport is the size of a tab's viewport in CSS pixels. The zero Viewport is
// as large as the window.
type Viewport struct {
	Width  int `json:"width"`
	Height int `json:"height"`
}

// sendTo sends the commands that bring a target from some settings to these. A
// new target has the zero Settings, which therefore need no command there.
func (s Settings) sendTo(session *cdp.Session, kind targetKind, from Settings) (replies []*cdp.Reply[protocol.Empty]) {
	unset := s.Viewport == Viewport{} && from.Viewport == Viewport{}
	if kind == tabTarget && !unset { // Chromium refuses to resize anything else
		replies = append(replies, s.Viewport.sendTo(session))
	}
	return replies
}

func (v Viewport) sendTo(session *cdp.Session) *cdp.Reply[protocol.Empty] {
	if v == (Viewport{}) {
		return cdp.Send(session, emulation.ClearDeviceMetricsOverride, protocol.Empty{})
	}
	return cdp.Send(session, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: int64(v.Width), Height: int64(v.Height),
	})
}

// Apply changes the settings of the page, of its frames and workers, and of those
// that come later. It waits until Chromium has taken them. The error is a
// [*cdp.Error] if it refuses one, or why the page or ctx ended; the page then
// counts as set as it was before.
func (p *Page) Apply(ctx context.Context, s Settings) error {
	before, replies := p.replaceSettings(s)
	for _, reply := range replies {
		if _, err := reply.Wait(ctx); err != nil {
			p.keepSettings(before)
			return frame.Failure(ctx, err)
		}
	}
	return nil
}

func (p *Page) replaceSettings(s Settings) (before Settings, replies []*cdp.Reply[protocol.Empty]) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for session, kind := range p.sessions {
		replies = append(replies, s.sendTo(session, kind, p.settings)...)
	}
	before, p.settings = p.settings, s
	return before, replies
}

func (p *Page) keepSettings(s Settings) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.settings = s
}
