package api

import (
	"context"

	"chela/internal/engine/browser"
)

// withTab runs do, which can be done again, with what the tab that a request names shares with
// others, and returns the tab. It is for what does not belong to the tab alone, so it takes no
// turn. A page that is busy or has a dialog open is not in the way. It returns the errors of
// starting the browser, of finding the tab and of do.
func (s *Service) withTab(ctx context.Context, on On, do func(*browser.BrowserContext) error) (named ofTab, err error) {
	return s.with(ctx, way{On: on, blind: true}, do)
}

// withReadable is withTab for what is read. The error may be that the network policy forbids the
// page.
func (s *Service) withReadable(ctx context.Context, on On, do func(*browser.BrowserContext) error) (named ofTab, err error) {
	return s.with(ctx, way{On: on}, do)
}

func (s *Service) with(ctx context.Context, w way, do func(*browser.BrowserContext) error) (named ofTab, err error) {
	err = s.reach(ctx, w, func(_ browser.Session, tab *browser.Tab) error {
		named = ofTab{true, tab.Page().ID}
		return do(tab.BrowserContext())
	})
	return named, err
}
