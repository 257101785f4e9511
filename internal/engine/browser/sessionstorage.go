package browser

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"chela/internal/base/sitedata"
	"chela/internal/engine/cdp"
	"chela/internal/engine/page"
	"chela/internal/engine/site"
)

// sessionTime limits how long a page may take to return its sessionStorage, or to take over a saved
// one.
const sessionTime = 3 * time.Second

// sessionStorages reads the sessionStorage of the pages in the tabs, all at once. A tab that was
// not opened again after a crash has none. It also returns one text for each page that could not be
// read, with the reason.
func (bc *BrowserContext) sessionStorages(ctx context.Context) (list []sitedata.Session, left []string) {
	ctx, cancel := context.WithTimeout(ctx, sessionTime)
	defer cancel()
	tabs := bc.tabs()
	found, failed := make([]sitedata.Session, len(tabs)), make([]error, len(tabs))
	var reading sync.WaitGroup
	for i, t := range tabs {
		reading.Go(func() {
			p := t.Page()
			failed[i] = p.Watch(ctx, func(ctx context.Context) (err error) {
				shown, err := site.Of(ctx, p, "")
				if err == nil {
					found[i], err = shown.Session(ctx)
				}
				return err
			})
		})
	}
	reading.Wait()
	for i, err := range failed {
		switch {
		case errors.Is(err, site.ErrNoStorage), errors.Is(err, cdp.ErrClosed):
		case err != nil:
			left = append(left, fmt.Sprintf("sessionStorage of %s: %s", tabs[i].ID, reasonOf(err)))
		case len(found[i].Items) > 0:
			list = append(list, found[i])
		}
	}
	return list, left
}

// saveSessions returns the sessionStorages that fit into the saved state. The others are listed in
// s.left.
func (s *stateSaver) saveSessions(list []sitedata.Session, left []string) (saved []sitedata.Session) {
	s.left = append(s.left, left...)
	for _, each := range list {
		if s.fits(each.Items, "sessionStorage of "+each.Origin) {
			saved = append(saved, each)
		}
	}
	return saved
}

// tabs returns those tabs of this browser context that callers can name.
func (bc *BrowserContext) tabs() []*Tab {
	bc.browser.mu.Lock()
	defer bc.browser.mu.Unlock()
	var tabs []*Tab
	for _, t := range bc.browser.tabs.list {
		if t.context == bc {
			tabs = append(tabs, t)
		}
	}
	return tabs
}

// reasonOf returns a few words that say why a page could not be used.
func reasonOf(err error) string {
	if _, asks := errors.AsType[*page.DialogOpen](err); asks {
		return "a dialog is open"
	}
	if errors.Is(err, page.ErrBusy) || errors.Is(err, context.DeadlineExceeded) {
		return "the page is busy"
	}
	return err.Error()
}

// giveSessions gives each saved sessionStorage to one tab that shows its origin. It keeps the rest
// for tabs that navigate there.
func (bc *BrowserContext) giveSessions(ctx context.Context, sessions []sitedata.Session, done *Loaded) {
	tabs := bc.tabs()
	pending := pendingSessions{}
	for _, s := range sessions {
		given := false
		for i, t := range tabs {
			if t == nil || !t.Page().ShowsOrigin(s.Origin) {
				continue
			}
			tabs[i] = nil
			err := giveSession(ctx, t.Page(), s)
			if given = err == nil; given {
				done.Sessions++
				break
			}
			done.Left = append(done.Left, fmt.Sprintf("sessionStorage of %s: %s", t.ID, reasonOf(err)))
		}
		if !given {
			pending[s.Origin] = append(pending[s.Origin], s.Items)
			done.Pending++
		}
	}
	bc.browser.mu.Lock()
	defer bc.browser.mu.Unlock()
	bc.pending = bc.pending.with(pending)
	bc.browser.kept.raise()
}

func giveSession(ctx context.Context, p *page.Page, s sitedata.Session) error {
	ctx, cancel := context.WithTimeout(ctx, sessionTime)
	defer cancel()
	return p.Turn(ctx, func(ctx context.Context) error {
		shown, err := site.Of(ctx, p, s.Origin)
		if err != nil {
			return err
		}
		return shown.SetItems(ctx, site.SessionStorage, s.Items, true)
	})
}
