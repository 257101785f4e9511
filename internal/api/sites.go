package api

import (
	"context"

	"chela/internal/api/call"
	"chela/internal/engine/browser"
	"chela/internal/op"
)

// ofSites is in answers about what sites have stored. It says whether the isolated session of the tab was
// emptied: otherwise an empty list would look like a logout.
type ofSites struct {
	ofTab
	call.Emptied
}

// withTab finds a tab and calls the function do with its BrowserContext. If the browser is lost, it
// may call do a second time. It is for data that tabs share, such as cookies, so it takes no turn.
// So a page that is busy or has a dialog open does not delay the call. It returns the errors of
// starting the browser, of finding the tab and of do.
func withTab(ctx context.Context, s *call.Service, on call.On, do func(*browser.BrowserContext) error) (named ofSites, err error) {
	return reachContext(ctx, s, call.Way{On: on, Blind: true}, do)
}

// withReadableTab does the same as withTab, for operations that read. It also returns an error if
// the network policy forbids the page of the tab.
func withReadableTab(ctx context.Context, s *call.Service, on call.On, do func(*browser.BrowserContext) error) (named ofSites, err error) {
	return reachContext(ctx, s, call.Way{On: on}, do)
}

func reachContext(ctx context.Context, s *call.Service, w call.Way, do func(*browser.BrowserContext) error) (named ofSites, err error) {
	err = s.Reach(ctx, w, func(_ browser.Session, tab *browser.Tab) error {
		if err := do(tab.BrowserContext()); err != nil {
			return err
		}
		named = ofSites{ofTab{true, op.Handle(tab.Page().ID)}, call.TakeEmptied(ctx, tab)}
		return nil
	})
	return named, err
}
