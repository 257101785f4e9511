package page

import (
	"context"

	"github.com/chromedp/cdproto/fetch"

	"chela/internal/engine/cdp"
	"chela/internal/engine/setting"
)

// Set changes the settings that all tabs of the browser have in common. They apply to the page, its
// frames and workers, and those that come later. When Set returns, the commands are sent. The
// function wait returns when Chromium has replied. Its error is a [*setting.RefusedError], or why
// the page or ctx ended.
func (p *Page) Set(c setting.Common) (wait func(context.Context) error) {
	return p.change(func(s *setting.Settings) { s.Common = c })
}

// Resize sets the size of the viewport, and waits until Chromium has applied it. The error is a
// [*setting.RefusedError], or why the page or ctx ended. After an error the page has its former
// size.
func (p *Page) Resize(ctx context.Context, v setting.Viewport) error {
	var before setting.Viewport
	err := p.change(func(s *setting.Settings) { before, s.Viewport = s.Viewport, v })(ctx)
	if err != nil {
		p.change(func(s *setting.Settings) { s.Viewport = before })
	}
	return err
}

func (p *Page) change(change func(*setting.Settings)) (wait func(context.Context) error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.settings.Change(change)
}

// Renew sends again the settings that belong to renderer processes, see [setting.Applied.Renew].
func (p *Page) Renew() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.settings.Renew()
}

// RenewTouch sends the emulated touch screen again, see [setting.Applied.RenewTouch].
func (p *Page) RenewTouch() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.settings.RenewTouch()
}

// Rejudge applies a changed network policy to the requests of the page.
func (p *Page) Rejudge() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.settings.Rejudge()
}

// requestPaused handles Fetch.requestPaused: the settings decide whether the request, or its
// response, goes on.
func (p *Page) requestPaused(s *cdp.Session, ev fetch.EventRequestPaused) { p.settings.Paused(s, ev) }

// AnswerRequests makes a function answer all requests of the page; nil ends that. The goroutine
// that handles the page's events calls the function, so it must not wait for anything or call the
// page.
func (p *Page) AnswerRequests(answer func(*setting.PausedRequest)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.settings.Answer("*", answer)
}

// PixelRatio returns how many pixels of a screenshot a CSS pixel has on the emulated device. It is
// 0 if no device is emulated. The layout metrics of the protocol ignore this ratio.
func (p *Page) PixelRatio() float64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.settings.EmulatedDevice().Scale
}

// isLent reports whether the browser was started by somebody else than chela, see
// [setting.Settings].
func (p *Page) isLent() bool { return p.settings.Lent }
