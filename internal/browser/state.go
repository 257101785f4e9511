package browser

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"chela/internal/cdp"
	"chela/internal/page"
	"chela/internal/sitedata"
)

// maxState bounds the databases in a saved state, in characters of their JSON. All else in
// it Chromium bounds: cookies in their number, storage to 5 million characters an origin.
const maxState = 24 << 20

// SaveState returns what the browser keeps of sites: all cookies, the storage of the origins
// that tabs have shown and of further ones, and the sessionStorage of the pages that tabs
// show. Left says in words what is not in it, and why. Errors are those of the protocol and of
// [Browser.InHiddenTab].
func (b *Browser) SaveState(ctx context.Context, further []string) (s sitedata.State, left []string, err error) {
	s.Cookies, s.Origins = []sitedata.Cookie{}, []sitedata.Origin{}
	cookies, err := b.cookies(ctx, CookieFilter{})
	if err != nil {
		return s, nil, err
	}
	for _, c := range cookies {
		if c.PartitionKeyOpaque { // of a sandboxed frame: nothing can name its partition
			left = append(left, nameOf(c.Name, c.Domain))
		} else {
			s.Cookies = append(s.Cookies, sitedata.CookieOf(c))
		}
	}
	sessions, unread := b.sessionStorages(ctx)
	s.SessionStorage, left = sessions, append(left, unread...)
	saver := stateSaver{room: maxState}
	if origins := b.originsToSave(further); len(origins) > 0 {
		err = b.InHiddenTab(ctx, func(ctx context.Context, p *page.Page) error { return saver.saveAll(ctx, p, origins) })
	}
	s.Origins = append(s.Origins, saver.origins...)
	return s, append(left, saver.left...), err
}

// sessionTime bounds how long a page may take to answer with its sessionStorage, or to take it.
const sessionTime = 3 * time.Second

// sessionStorages reads the sessionStorage of the pages that the tabs show, all at once. A
// tab that was not opened again after a crash has none.
func (b *Browser) sessionStorages(ctx context.Context) (list []sitedata.Session, left []string) {
	ctx, cancel := context.WithTimeout(ctx, sessionTime)
	defer cancel()
	tabs := b.listed()
	found, failed := make([]sitedata.Session, len(tabs)), make([]error, len(tabs))
	var reading sync.WaitGroup
	for i, t := range tabs {
		reading.Go(func() {
			p := t.Page()
			failed[i] = p.Watch(ctx, func(ctx context.Context) (err error) {
				site, err := p.Site(ctx, "")
				if err == nil {
					found[i], err = site.Session(ctx)
				}
				return err
			})
		})
	}
	reading.Wait()
	for i, err := range failed {
		switch {
		case errors.Is(err, page.ErrNoStorage), errors.Is(err, cdp.ErrClosed):
		case err != nil:
			left = append(left, fmt.Sprintf("sessionStorage of %s: %s", tabs[i].ID, why(err)))
		case len(found[i].Items) > 0:
			list = append(list, found[i])
		}
	}
	return list, left
}

// listed returns the tabs that callers can name.
func (b *Browser) listed() []*Tab {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]*Tab(nil), b.tabs.list...)
}

// why says in a few words why a page could not be used.
func why(err error) string {
	if _, asks := errors.AsType[*page.DialogOpen](err); asks {
		return "a dialog is open"
	}
	if errors.Is(err, page.ErrBusy) || errors.Is(err, context.DeadlineExceeded) {
		return "the page is busy"
	}
	return err.Error()
}

// A stateSaver collects the storage of origins.
type stateSaver struct {
	room    int // characters of databases that there is still room for
	origins []sitedata.Origin
	left    []string
}

// saveAll collects the storage of origins, one after the other, in a page that no site uses.
// An origin that cannot be read is left out; when the page or the time ends, so does it.
func (s *stateSaver) saveAll(ctx context.Context, p *page.Page, origins []string) error {
	for _, origin := range origins {
		o, err := s.save(ctx, p, origin)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			s.left = append(s.left, fmt.Sprintf("storage of %s: %v", origin, err))
		} else if len(o.LocalStorage) > 0 || len(o.IndexedDB) > 0 {
			s.origins = append(s.origins, o)
		}
	}
	return nil
}

func (s *stateSaver) save(ctx context.Context, p *page.Page, origin string) (sitedata.Origin, error) {
	o := sitedata.Origin{Origin: origin, IndexedDB: []sitedata.Database{}}
	site, err := p.OpenSite(ctx, origin)
	if err != nil {
		return o, err
	}
	items, changed, err := site.Items(ctx, page.LocalStorage, nil)
	if err != nil {
		return o, err
	}
	o.LocalStorage = items
	if len(changed) > 0 {
		s.left = append(s.left, fmt.Sprintf("localStorage of %s: values that are no text, in %s", origin, strings.Join(changed, ", ")))
	}
	names, err := site.Databases(ctx)
	if err != nil {
		return o, err
	}
	for _, name := range names {
		d, size, lost, err := site.ReadDatabase(ctx, name, s.room)
		if err != nil {
			s.left = append(s.left, fmt.Sprintf("IndexedDB %s of %s: %v", name, origin, err))
			continue
		}
		if len(lost) > 0 {
			s.left = append(s.left, fmt.Sprintf("values of IndexedDB %s of %s that JSON cannot hold: %s", name, origin, strings.Join(lost, ", ")))
		}
		s.room -= size
		o.IndexedDB = append(o.IndexedDB, d)
	}
	return o, nil
}

// A Loaded state says what was loaded of it.
type Loaded struct {
	Cookies  int
	Origins  int
	Sessions int      // tabs that were given their sessionStorage
	Pending  int      // further sessionStorage, for tabs that are navigated to its origin
	Left     []string // what was not loaded, in words
}

// LoadState gives the browser what was saved of another one. Cookies are set beside those
// that there are. Storage replaces that of its origins: localStorage, and the databases if the
// state has some or an empty list of them. SessionStorage goes to tabs that show its origin, and
// what is left of it to tabs that navigate there next, see [Browser.PendingSessions]. With
// clear, all that the browser keeps of sites is removed first. Errors are those of the protocol
// and of [Browser.InHiddenTab]; what had been loaded by then stays.
func (b *Browser) LoadState(ctx context.Context, s sitedata.State, clear bool) (done Loaded, err error) {
	if clear {
		if err := b.clearSites(ctx); err != nil {
			return done, err
		}
	}
	refused := &CookieError{}
	if err := b.SetCookies(ctx, s.Cookies); err != nil && !errors.As(err, &refused) {
		return done, err
	}
	done.Cookies, done.Left = len(s.Cookies)-len(refused.Refused), refused.Refused
	for _, o := range s.Origins {
		b.AddOrigin(o.Origin)
	}
	if len(s.Origins) > 0 {
		err = b.InHiddenTab(ctx, func(ctx context.Context, p *page.Page) error { return done.loadAll(ctx, p, s.Origins) })
	}
	if err == nil {
		b.giveSessions(ctx, s.SessionStorage, &done)
	}
	return done, err
}

// clearSites removes the cookies and, of the origins that tabs have shown, the storage.
func (b *Browser) clearSites(ctx context.Context) error {
	if _, err := b.ClearCookies(ctx, CookieFilter{}); err != nil {
		return err
	}
	origins := b.originsToSave(nil)
	if len(origins) == 0 {
		return nil
	}
	return b.InHiddenTab(ctx, func(ctx context.Context, p *page.Page) error {
		for _, origin := range origins {
			if err := p.ClearOrigin(ctx, origin); err != nil {
				return err
			}
		}
		return nil
	})
}

// loadAll loads the storage of origins, as saveAll saves it.
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
	site, err := p.OpenSite(ctx, o.Origin)
	if err != nil {
		return err
	}
	if err := site.SetItems(ctx, page.LocalStorage, o.LocalStorage, true); err != nil {
		return err
	}
	if o.IndexedDB == nil {
		return nil
	}
	if err := p.DropDatabases(ctx, o.Origin); err != nil {
		return err
	}
	if _, err := site.Databases(ctx); err != nil {
		return err
	}
	for _, d := range o.IndexedDB {
		if err := site.WriteDatabase(ctx, d); err != nil {
			done.Left = append(done.Left, fmt.Sprintf("IndexedDB %s of %s: %v", d.Name, o.Origin, err))
		}
	}
	return nil
}

// giveSessions gives sessionStorage to the tabs that show its origin, each to one tab, and
// keeps the rest for tabs that navigate there.
func (b *Browser) giveSessions(ctx context.Context, sessions []sitedata.Session, done *Loaded) {
	tabs := b.listed()
	pending := map[string][][]sitedata.Item{}
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
			done.Left = append(done.Left, fmt.Sprintf("sessionStorage of %s: %s", t.ID, why(err)))
		}
		if !given {
			pending[s.Origin] = append(pending[s.Origin], s.Items)
			done.Pending++
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.sessions = pending
}

func giveSession(ctx context.Context, p *page.Page, s sitedata.Session) error {
	ctx, cancel := context.WithTimeout(ctx, sessionTime)
	defer cancel()
	return p.Turn(ctx, func(ctx context.Context) error {
		site, err := p.Site(ctx, s.Origin)
		if err != nil {
			return err
		}
		return site.SetItems(ctx, page.SessionStorage, s.Items, true)
	})
}

// PendingSessions returns, by origin, the sessionStorage that a tab is to be given if it
// navigates there; nil is the usual case.
func (b *Browser) PendingSessions() map[string][]sitedata.Item {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.sessions) == 0 {
		return nil
	}
	first := map[string][]sitedata.Item{}
	for origin, list := range b.sessions {
		first[origin] = list[0]
	}
	return first
}

// SessionGiven takes note that a tab was given the pending sessionStorage of an origin.
func (b *Browser) SessionGiven(origin string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if list := b.sessions[origin]; len(list) > 1 {
		b.sessions[origin] = list[1:]
	} else {
		delete(b.sessions, origin)
	}
}
