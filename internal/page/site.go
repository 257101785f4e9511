package page

import (
	"context"
	"errors"

	"chela/internal/frame"
	"chela/internal/sitedata"
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

// A StorageArea is one of the two storages of a document.
type StorageArea string

const (
	LocalStorage   StorageArea = "local"   // of an origin, in all tabs
	SessionStorage StorageArea = "session" // of an origin in one tab
)

// A Site is what the browser keeps for the origin of a document: it is used by that
// document. Its methods return ErrNoStorage and ErrStorageFull, beside what [frame.Call]
// does.
type Site struct{ world *frame.World }

// Site is that of the document that the tab shows, or of one in a frame of it, if an
// origin is named: then the error is ErrNotShown if there is none. A frame of another site
// has storage of its own, apart from that of its origin in a tab.
func (p *Page) Site(ctx context.Context, origin string) (Site, error) {
	f := p.main()
	if origin != "" {
		if f = p.frameOf(origin); f == nil {
			return Site{}, ErrNotShown
		}
	}
	w, err := p.worldOf(ctx, f)
	return Site{w}, err
}

// frameOf returns a frame that shows a document of an origin, the main frame if that
// does; nil if there is none.
func (p *Page) frameOf(origin string) (found *frame.Frame) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for f := range p.frames.All() {
		if f.World != nil && f.World.IsOf(origin) && (found == nil || f.Parent == nil) {
			found = f
		}
	}
	return found
}

// OpenSite has the page show an empty document of an origin, without a request to its
// server. The page must be one that no site uses.
func (p *Page) OpenSite(ctx context.Context, origin string) (Site, error) {
	w, err := p.openEmpty(ctx, origin)
	return Site{w}, err
}

// A storageAnswer is what page functions answer about storage.
type storageAnswer struct {
	Fault   string
	Items   []sitedata.Item
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
func (s Site) Items(ctx context.Context, area StorageArea, key *string) (items []sitedata.Item, changed []string, err error) {
	a, err := frame.Call[storageAnswer](ctx, s.world, "storageItems", area, key)
	if err == nil {
		err = a.err()
	}
	return a.Items, a.Changed, err
}

// SetItems sets entries; with clear, all others are removed before.
func (s Site) SetItems(ctx context.Context, area StorageArea, items []sitedata.Item, clear bool) error {
	return s.change(ctx, area, "setStorage", items, clear)
}

// RemoveItems removes the entry with a key, or all if there is none.
func (s Site) RemoveItems(ctx context.Context, area StorageArea, key *string) error {
	return s.change(ctx, area, "removeStorage", key)
}

// change calls a page function that changes a storage. That must not be the first call in
// a document, which has no time limit in the page (see [frame.Send]), so it reads first.
func (s Site) change(ctx context.Context, area StorageArea, fn string, args ...any) error {
	none := ""
	if _, _, err := s.Items(ctx, area, &none); err != nil {
		return err
	}
	a, err := frame.Call[storageAnswer](ctx, s.world, fn, append([]any{area}, args...)...)
	if err == nil {
		err = a.err()
	}
	return err
}
