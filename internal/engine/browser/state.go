package browser

import (
	"context"
	"fmt"
	"strings"

	"chela/internal/base/sitedata"
	"chela/internal/engine/page"
	"chela/internal/engine/site"
)

// maxState limits the bytes of storage in a saved state; Chromium limits the cookies. If the
// storage of an origin or a database does not fit, it is left out as a whole, and SaveState reports
// that. For a site, half of its data could be worse than none.
const maxState = 24 << 20

// SaveState returns the state that the browser keeps for sites. It has all cookies, the
// sessionStorage of the pages in tabs, and the storage of origins. These are the origins that tabs
// have shown, and additional ones: the parameter further. SaveState also returns one text for each
// thing that is missing, with the reason. Errors come from the protocol and from
// [Browser.InHiddenTab].
func (bc *BrowserContext) SaveState(ctx context.Context, further []string) (s sitedata.State, left []string, err error) {
	s.Cookies, s.Origins = []sitedata.Cookie{}, []sitedata.Origin{}
	cookies, err := bc.cookies(ctx, CookieFilter{})
	if err != nil {
		return s, nil, err
	}
	for _, c := range cookies {
		if c.PartitionKeyOpaque { // a cookie of a sandboxed frame: the protocol cannot name its partition
			left = append(left, nameOf(c.Name, c.Domain))
		} else {
			s.Cookies = append(s.Cookies, sitedata.CookieOf(c))
		}
	}
	saver := stateSaver{room: maxState, left: left}
	s.SessionStorage = saver.saveSessions(bc.sessionStorages(ctx))
	if origins := bc.originsToSave(further); len(origins) > 0 {
		err = bc.InHiddenTab(ctx, func(ctx context.Context, p *page.Page) error { return saver.saveAll(ctx, p, origins) })
	}
	s.Origins = append(s.Origins, saver.origins...)
	return s, saver.left, err
}

// A stateSaver collects storage for a saved state.
type stateSaver struct {
	room    int // how many more bytes may be saved
	origins []sitedata.Origin
	left    []string // one text for each thing that was left out
}

// fits reserves room for items. If there is not enough, it returns false and adds an entry to
// s.left. The parameter what describes the storage for that entry.
func (s *stateSaver) fits(items []sitedata.StorageItem, what string) bool {
	size := sitedata.Size(items)
	if size > s.room {
		s.left = append(s.left, what+": it is too large")
		return false
	}
	s.room -= size
	return true
}

// saveAll collects the storage of origins, one after the other, in a page that no caller uses. An
// origin that cannot be read is left out. If ctx or the page ends, saveAll ends with an error.
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
	shown, err := site.Open(ctx, p, origin)
	if err != nil {
		return o, err
	}
	items, changed, err := shown.Items(ctx, site.LocalStorage, nil)
	if err != nil {
		return o, err
	}
	if o.LocalStorage = items; !s.fits(items, "localStorage of "+origin) {
		o.LocalStorage = []sitedata.StorageItem{}
	}
	if len(changed) > 0 {
		s.left = append(s.left, fmt.Sprintf("localStorage of %s: values that are no text, in %s", origin, strings.Join(changed, ", ")))
	}
	names, err := shown.Databases(ctx)
	if err != nil {
		return o, err
	}
	for _, name := range names {
		d, size, lost, err := shown.ReadDatabase(ctx, name, s.room)
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
