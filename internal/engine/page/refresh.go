package page

import (
	"context"
	"time"

	protocol "github.com/chromedp/cdproto/cdp"
	proto "github.com/chromedp/cdproto/page"

	"chela/internal/engine/cdp"
	"chela/internal/engine/frame"
	"chela/internal/engine/urls"
)

// awaitRefresh waits until a meta refresh has led to another page, and reports true. If no refresh
// is due before the deadline of ctx, it reports false at once.
func (p *Page) awaitRefresh(ctx context.Context) bool {
	p.mu.Lock()
	at, visits := p.document.refresh, p.visits
	p.mu.Unlock()
	if at.IsZero() || !at.Before(frame.Deadline(ctx)) {
		return false
	}
	return p.await(ctx, func() bool {
		_, leaving := p.navigations[p.main().ID]
		return p.visits > visits || p.document.refresh.IsZero() && !leaving
	}) == nil
}

// Package cdproto leaves out these events, because the protocol calls them deprecated. No other
// event says that a document is about to be replaced. If Chromium stops sending them, a page with a
// refresh is treated like any other page.
var (
	navigationScheduled = protocol.Event[scheduledNavigation]{Method: "Page.frameScheduledNavigation"}
	navigationCleared   = protocol.Event[scheduledNavigation]{Method: "Page.frameClearedScheduledNavigation"}
)

type scheduledNavigation struct {
	FrameID string                       `json:"frameId"`
	Delay   float64                      `json:"delay"` // delay in seconds
	Reason  proto.ClientNavigationReason `json:"reason"`
	URL     string                       `json:"url"`
}

// navigationScheduled records when a meta refresh or the Refresh header will replace the document.
// A refresh that loads the same address again, as on news pages, does not count.
func (p *Page) navigationScheduled(_ *cdp.Session, ev scheduledNavigation) {
	main := p.main()
	if ev.FrameID != main.ID || urls.SameDocument(ev.URL, main.Address()) {
		return
	}
	switch ev.Reason {
	case proto.ClientNavigationReasonMetaTagRefresh, proto.ClientNavigationReasonHTTPHeaderRefresh:
		p.document.refresh = time.Now().Add(time.Duration(ev.Delay * float64(time.Second)))
	}
}

// navigationCleared is called when a scheduled navigation has begun, or was canceled.
func (p *Page) navigationCleared(_ *cdp.Session, ev scheduledNavigation) {
	if ev.FrameID == p.main().ID {
		p.document.refresh = time.Time{}
	}
}
