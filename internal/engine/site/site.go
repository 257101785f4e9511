package site

import (
	"context"
	"encoding/json"
	"errors"

	"chela/internal/base/sitedata"
	"chela/internal/engine/frame"
	"chela/internal/engine/page"
	"chela/internal/reading/pagejs"
)

var (
	// ErrNoStorage says that a document has no storage because its origin is opaque. That is so for
	// about:blank, a data: URL and a sandboxed frame.
	ErrNoStorage = errors.New("the document has no storage")

	// ErrStorageFull says that a value is too large for the storage of an origin.
	ErrStorageFull = errors.New("the storage of the origin is full")

	// ErrNotShown says that no document in the tab has the origin.
	ErrNotShown = errors.New("the tab shows no document of the origin")
)

// An Area is one of the two storages of a document.
type Area string

const (
	LocalStorage   Area = "local"   // storage of an origin, shared by all tabs
	SessionStorage Area = "session" // storage of an origin in one tab
)

// A Site is what the browser keeps for the origin of a document, accessed through that document.
// Its methods return ErrNoStorage, ErrStorageFull and the errors of [frame.Call].
type Site struct{ world *frame.World }

// Of returns the site of the tab's main document or, if origin is not "", of a document with that
// origin in any frame. The error is ErrNotShown if no document has it. Chromium partitions storage:
// a cross-site frame does not share the storage of a tab with the frame's origin.
func Of(ctx context.Context, p *page.Page, origin string) (Site, error) {
	w, err := p.World(ctx, origin)
	if err == nil && w == nil {
		err = ErrNotShown
	}
	return Site{w}, err
}

// SeedSession fills the sessionStorage of later documents of the tab with the entries for their
// origin, unless a sessionStorage already has entries. The entries are there before scripts of the
// page run. The function end stops this for later documents. Errors come from
// Page.addScriptToEvaluateOnNewDocument.
func SeedSession(ctx context.Context, p *page.Page, byOrigin map[string][]sitedata.StorageItem) (end func(), err error) {
	raw, err := json.Marshal(byOrigin)
	if err != nil {
		return nil, err
	}
	return p.AddScript(ctx, "("+pagejs.Seed+")("+string(raw)+")")
}

// Open has a page show an empty document of an origin, without a request to its server. The page
// must be one that no site uses.
func Open(ctx context.Context, p *page.Page, origin string) (Site, error) {
	w, err := openEmpty(ctx, p, origin)
	return Site{w}, err
}

// A storageAnswer is the answer of the page functions for storage.
type storageAnswer struct {
	Fault   string // "" for success, "denied" or "full"
	Origin  string
	Items   []sitedata.StorageItem
	Changed []string // see Items
	Missing bool     // see RemoveItems
}

func (a storageAnswer) err() error {
	switch a.Fault {
	case "denied":
		return ErrNoStorage
	case "full":
		return ErrStorageFull
	}
	return nil
}

// Items returns the entries of a storage, or the entry with the key if key is not nil. The result
// changed has the names of entries whose text is not well-formed Unicode, and so arrives changed;
// see pagejs/storage.js.
func (s Site) Items(ctx context.Context, area Area, key *string) (items []sitedata.StorageItem, changed []string, err error) {
	a, err := s.items(ctx, area, key)
	return a.Items, a.Changed, err
}

func (s Site) items(ctx context.Context, area Area, key *string) (storageAnswer, error) {
	a, err := frame.Call[storageAnswer](ctx, s.world, "storageItems", area, key)
	return a, faultOf(a, err)
}

// Session returns the entries of the document's sessionStorage, with its origin.
func (s Site) Session(ctx context.Context) (sitedata.Session, error) {
	a, err := s.items(ctx, SessionStorage, nil)
	return sitedata.Session{Origin: a.Origin, Items: a.Items}, err
}

// SetItems sets entries. If clear is true, it removes all earlier entries.
func (s Site) SetItems(ctx context.Context, area Area, items []sitedata.StorageItem, clear bool) error {
	if err := s.readFirst(ctx, area); err != nil {
		return err
	}
	return faultOf(frame.Call[storageAnswer](ctx, s.world, "setStorage", area, items, clear))
}

// RemoveItems removes the entry with this key; without a key, it removes all entries. The result
// missing says that there was no entry with the key.
func (s Site) RemoveItems(ctx context.Context, area Area, key *string) (missing bool, err error) {
	if err := s.readFirst(ctx, area); err != nil {
		return false, err
	}
	a, err := frame.Call[storageAnswer](ctx, s.world, "removeStorage", area, key)
	return a.Missing, faultOf(a, err)
}

// readFirst reads from the storage before a change. The first call in a document has no deadline in
// the page, see [frame.Send], so a change must not be the first.
func (s Site) readFirst(ctx context.Context, area Area) error {
	none := ""
	_, err := s.items(ctx, area, &none)
	return err
}

// faultOf returns err, the error of calling a page function, or else the error in the function's
// answer.
func faultOf[A interface{ err() error }](a A, err error) error {
	if err != nil {
		return err
	}
	return a.err()
}
