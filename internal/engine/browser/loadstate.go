package browser

import (
	"context"
	"errors"
	"fmt"

	"chela/internal/base/sitedata"
	"chela/internal/engine/page"
	"chela/internal/engine/site"
)

// Loaded says what LoadState has loaded.
type Loaded struct {
	Cookies  int
	Origins  int
	Sessions int      // number of tabs that got sessionStorage
	Pending  int      // number of sessionStorages that wait for a tab with their origin
	Left     []string // one text for each thing that was not loaded
}

// LoadState loads the saved state of a browser into this one. The cookies of the state are added to
// the existing cookies. The storage in the state replaces the storage of its origins: localStorage,
// and also the databases, unless the state has no list of them. SessionStorage goes to tabs that
// show its origin. SessionStorage of other origins waits for tabs that navigate there, see
// [Browser.PendingSessions]. If clear is true, all that the browser keeps of sites is removed
// first. Errors come from the protocol and from [Browser.InHiddenTab]; what had been loaded by then
// stays.
func (bc *BrowserContext) LoadState(ctx context.Context, s sitedata.State, clear bool) (done Loaded, err error) {
	if clear {
		if err := bc.clearSites(ctx); err != nil {
			return done, err
		}
	}
	refused := &CookieError{}
	if err := bc.SetCookies(ctx, s.Cookies); err != nil && !errors.As(err, &refused) {
		return done, err
	}
	done.Cookies, done.Left = len(s.Cookies)-len(refused.Refused), refused.Refused
	for _, o := range s.Origins {
		bc.AddOrigin(o.Origin)
	}
	if len(s.Origins) > 0 {
		err = bc.InHiddenTab(ctx, func(ctx context.Context, p *page.Page) error { return done.loadAll(ctx, p, s.Origins) })
	}
	if err == nil {
		bc.giveSessions(ctx, s.SessionStorage, &done)
	}
	return done, err
}

// clearSites removes the cookies, and the storage of the origins that tabs have shown.
func (bc *BrowserContext) clearSites(ctx context.Context) error {
	if _, err := bc.ClearCookies(ctx, CookieFilter{}); err != nil {
		return err
	}
	bc.dropPending()
	origins := bc.originsToSave(nil)
	if len(origins) == 0 {
		return nil
	}
	return bc.InHiddenTab(ctx, func(ctx context.Context, p *page.Page) error {
		for _, origin := range origins {
			if err := site.ClearOrigin(ctx, p, origin); err != nil {
				return err
			}
		}
		return nil
	})
}

// loadAll loads the storage of origins, one after the other, in the page p.
func (done *Loaded) loadAll(ctx context.Context, p *page.Page, origins []sitedata.Origin) error {
	for _, o := range origins {
		err := done.load(ctx, p, o)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			done.Left = append(done.Left, fmt.Sprintf("storage of %s: %v", o.Origin, err))
		} else {
			done.Origins++
		}
	}
	return nil
}

func (done *Loaded) load(ctx context.Context, p *page.Page, o sitedata.Origin) error {
	// The document has this origin, so page functions in it can write the origin's storage.
	shown, err := site.Open(ctx, p, o.Origin)
	if err != nil {
		return err
	}
	if err := shown.SetItems(ctx, site.LocalStorage, o.LocalStorage, true); err != nil {
		return err
	}
	if o.IndexedDB == nil {
		return nil // the state was saved without databases, as Playwright does by default
	}
	// A page function could delete a database only if no tab has it open.
	if err := site.DropDatabases(ctx, p, o.Origin); err != nil {
		return err
	}
	if _, err := shown.Databases(ctx); err != nil { // also loads the page functions that WriteDatabase needs
		return err
	}
	for _, d := range o.IndexedDB {
		if err := shown.WriteDatabase(ctx, d); err != nil {
			done.Left = append(done.Left, fmt.Sprintf("IndexedDB %s of %s: %v", d.Name, o.Origin, err))
		}
	}
	return nil
}
