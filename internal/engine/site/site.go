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
	// ErrNoStorage says that a document has no storage: its origin is like no other, as
	// that of about:blank, a data: address or a sandboxed frame.
	ErrNoStorage = errors.New("the document has no storage")

	// ErrStorageFull says that a value is too large for the storage of an origin.
	ErrStorageFull = errors.New("the storage of the origin is full")

	// ErrNotShown says that a tab shows no document of an origin.
	ErrNotShown = errors.New("the tab shows no document of the origin")
)

// An Area is one of the two storages of a document.
type Area string

const (
	LocalStorage   Area = "local"   // of an origin, in all tabs
	SessionStorage Area = "session" // of an origin in one tab
)

// A Site is what the browser keeps for the origin of a document: it is used by that
// document. Its methods return ErrNoStorage and ErrStorageFull, beside what [frame.Call]
// does.
type Site struct{ world *frame.World }

// Of is the site of the document that the tab shows, or of one in a frame of it, if an
// origin is named: then the error is ErrNotShown if there is none. A frame of another site
// has storage of its own, apart from that of its origin in a tab.
func Of(ctx context.Context, p *page.Page, origin string) (Site, error) {
	w, err := p.World(ctx, origin)
	if err == nil && w == nil {
		err = ErrNotShown
	}
	return Site{w}, err
}

// SeedSession has the documents that the tab shows from now on begin with this
// sessionStorage, by origin, where it has none. It is there before scripts of the page run.
// The function that it returns ends that. Errors are those of
// Page.addScriptToEvaluateOnNewDocument.
func SeedSession(ctx context.Context, p *page.Page, byOrigin map[string][]sitedata.StorageItem) (end func(), err error) {
	raw, err := json.Marshal(byOrigin)
	if err != nil {
		return nil, err
	}
	return p.AddScript(ctx, "("+pagejs.Seed+")("+string(raw)+")")
}

// Open has a page show an empty document of an origin, without a request to its
// server. The page must be one that no site uses.
func Open(ctx context.Context, p *page.Page, origin string) (Site, error) {
	w, err := openEmpty(ctx, p, origin)
	return Site{w}, err
}

// A storageAnswer is what page functions answer about storage.
type storageAnswer struct {
	Fault   string
	Origin  string
	Items   []sitedata.StorageItem
	Changed []string
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

// Items returns the entries of a storage, or only that with a key. Changed are the names
// of those that hold what is no text: see pagejs/storage.js.
func (s Site) Items(ctx context.Context, area Area, key *string) (items []sitedata.StorageItem, changed []string, err error) {
	a, err := s.items(ctx, area, key)
	return a.Items, a.Changed, err
}

func (s Site) items(ctx context.Context, area Area, key *string) (storageAnswer, error) {
	a, err := frame.Call[storageAnswer](ctx, s.world, "storageItems", area, key)
	return a, faultOf(a, err)
}

// Session returns the sessionStorage of the document and its origin.
func (s Site) Session(ctx context.Context) (sitedata.Session, error) {
	a, err := s.items(ctx, SessionStorage, nil)
	return sitedata.Session{Origin: a.Origin, Items: a.Items}, err
}

// SetItems sets entries; with clear, all others are removed before.
func (s Site) SetItems(ctx context.Context, area Area, items []sitedata.StorageItem, clear bool) error {
	if err := s.readFirst(ctx, area); err != nil {
		return err
	}
	return faultOf(frame.Call[storageAnswer](ctx, s.world, "setStorage", area, items, clear))
}

// RemoveItems removes the entry with a key, or all if there is none.
func (s Site) RemoveItems(ctx context.Context, area Area, key *string) error {
	if err := s.readFirst(ctx, area); err != nil {
		return err
	}
	return faultOf(frame.Call[storageAnswer](ctx, s.world, "removeStorage", area, key))
}

// readFirst comes before a change, which must not be the first call in a document: that one
// has no time limit in the page, see [frame.Send].
func (s Site) readFirst(ctx context.Context, area Area) error {
	none := ""
	_, err := s.items(ctx, area, &none)
	return err
}

// faultOf is why a page function was not called, or the fault that it answers.
func faultOf[A interface{ err() error }](a A, err error) error {
	if err != nil {
		return err
	}
	return a.err()
}
