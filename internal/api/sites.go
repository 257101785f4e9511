package api

import (
	"context"

	"chela/internal/api/call"
	"chela/internal/engine/browser"
)

// withTab runs do, which can be done again, with what the tab that a request names shares with
// others, and returns the tab. It is for what does not belong to the tab alone, so it takes no
// turn. A page that is busy or has a dialog open is not in the way. It returns the errors of
// starting the browser, of finding the tab and of do.
func withTab(ctx context.Context, s *call.Service, on call.On, do func(*browser.BrowserContext) error) (named ofTab, err error) {
	return reachContext(ctx, s, call.Way{On: on, Blind: true}, do)
}

// withReadableTab is withTab for what is read. The error may be that the network policy forbids the
// page.
func withReadableTab(ctx context.Context, s *call.Service, on call.On, do func(*browser.BrowserContext) error) (named ofTab, err error) {
	return reachContext(ctx, s, call.Way{On: on}, do)
}

func reachContext(ctx context.Context, s *call.Service, w call.Way, do func(*browser.BrowserContext) error) (named ofTab, err error) {
	err = s.Reach(ctx, w, func(_ browser.Session, tab *browser.Tab) error {
		named = ofTab{true, tab.Page().ID}
		return do(tab.BrowserContext())
	})
	return named, err
}
