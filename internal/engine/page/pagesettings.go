package page

import (
	"context"

	"github.com/chromedp/cdproto/fetch"

	"chela/internal/engine/cdp"
)

// Set changes the settings that the page shares with all tabs: those of the page,
// of its frames and workers, and of those that come later. The commands are sent
// when it returns; the function that it returns waits until Chromium has taken
// them. That one's error is a [*RefusedError], or why the page or ctx ended.
func (p *Page) Set(c Common) (wait func(context.Context) error) {
	return p.change(func(s *Settings) { s.Common = c })
}

// Resize sets the size of the viewport, and waits until Chromium has taken it.
// The error is a [*RefusedError], or why the page or ctx ended; the page then has the size that it had before.
func (p *Page) Resize(ctx context.Context, v Viewport) error {
	var before Viewport
	err := p.change(func(s *Settings) { before, s.Viewport = s.Viewport, v })(ctx)
	if err != nil {
		p.change(func(s *Settings) { s.Viewport = before })
	}
	return err
}

func (p *Page) change(change func(*Settings)) (wait func(context.Context) error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.settings.change(change)
}

// Renew sets again what belongs to renderer processes, for the case that a session of
// another page has set it, and has ended or moved to another process. Chromium handles
// the end of a session before it handles commands that are sent after it. It refuses
// them where a third session has set it, so nobody waits for the replies.
func (p *Page) Renew() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.settings.renew()
}

// Rejudge has requests judged as the policy in force wants it, when that has changed.
func (p *Page) Rejudge() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.settings.rejudge()
}

// requestPaused decides what becomes of a paused request, or of the answer to one.
func (p *Page) requestPaused(s *cdp.Session, ev fetch.EventRequestPaused) { p.settings.paused(s, ev) }
