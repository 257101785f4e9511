package browser

import (
	"cmp"
	"reflect"
	"slices"

	"github.com/chromedp/cdproto/network"

	"chela/internal/page"
)

// A Memory is what the next browser of a profile takes over from the last: all
// of one that was lost; of one that was closed only the cookies that Chromium
// would forget. It is plain data, so that it can be written to a file, and
// keeps nothing of the last browser alive.
type Memory struct {
	LastTab int               `json:"lastTab,omitempty"` // tab numbers are never used again
	Tabs    []SavedTab        `json:"tabs,omitempty"`    // the most recently used first
	Current string            `json:"current,omitempty"` // handle of the tab used last
	Cookies []*network.Cookie `json:"cookies,omitempty"`
}

// A SavedTab is what is kept of a tab: enough to list it, and to open it again.
type SavedTab struct {
	ID       string   `json:"id"`
	TargetID string   `json:"targetId"`
	Former   []string `json:"former,omitempty"` // target ids that it had before
	Label    string   `json:"label,omitempty"`
	Title    string   `json:"title,omitempty"`
	URL      string   `json:"url"`
	Viewport Viewport `json:"viewport,omitzero"`
	Lost     []string `json:"lost,omitempty"` // what it loses beside what every tab loses that is opened anew
}

// A Viewport is a size that a caller has given a tab; the zero Viewport is that
// of its window.
type Viewport struct {
	Width  int `json:"width"`
	Height int `json:"height"`
}

// maxFormer bounds how many target ids a tab is still known by.
const maxFormer = 16

// Info is what is listed of the tab while no browser runs.
func (s SavedTab) Info() Info {
	return Info{TargetID: s.TargetID, ID: s.ID, Label: s.Label, Title: s.Title, URL: s.URL, Crashed: true}
}

// Memory returns what is left of the browser when it has gone.
func (b *Browser) Memory() Memory {
	<-b.done
	b.saving.Lock()
	b.keepMemory = nil // a call that ends late must not write after who asks now
	b.saving.Unlock()
	m := b.memory()
	if b.wasClosed() {
		return m.Closed()
	}
	return m
}

// Closed is what is left of a browser that was closed: tab numbers, and the
// cookies that Chromium itself forgets.
func (m Memory) Closed() Memory { return Memory{LastTab: m.LastTab, Cookies: ofSession(m.Cookies)} }

func (b *Browser) wasClosed() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.closed
}

// memory is what would be left if the browser were lost now. It asks the pages
// without holding mu: one that is slow must not hold up the tabs of others.
func (b *Browser) memory() Memory {
	b.mu.Lock()
	m := Memory{LastTab: b.lastTab, Cookies: b.jar.cookies}
	if b.current != nil {
		m.Current = b.current.ID
	}
	pages, unreached := make([]*page.Page, len(b.tabs)), make([]string, len(b.tabs))
	for i, t := range b.tabs {
		m.Tabs = append(m.Tabs, t.savedLocked())
		pages[i], unreached[i] = t.page, t.unreached
	}
	b.mu.Unlock()
	for i, p := range pages {
		s := &m.Tabs[i]
		s.URL = placeOf(p, unreached[i], s.URL)
		s.Lost = slices.Concat(s.Lost, p.Armed())
	}
	return m
}

// savedLocked is what the browser knows of the tab. Its address is that of
// Chromium's list of targets.
func (t *Tab) savedLocked() SavedTab {
	return SavedTab{
		ID: t.ID, TargetID: t.page.ID, Former: t.former, Label: t.label, Title: t.title, URL: t.url, Viewport: t.viewport, Lost: t.lost,
	}
}

// place is where the tab is to be opened again.
func (t *Tab) place() string {
	t.browser.mu.Lock()
	p, unreached, listed := t.page, t.unreached, t.url
	t.browser.mu.Unlock()
	return placeOf(p, unreached, listed)
}

// placeOf is where a page is to be opened again: its document's address. An
// empty page is where it was to go, and an error page stands for the address
// that Chromium lists for its target.
func placeOf(p *page.Page, unreached, listed string) string {
	url := p.URL()
	switch {
	case url == page.Blank:
		return cmp.Or(unreached, p.Leaving(), url)
	case page.IsError(url):
		return cmp.Or(unreached, listed)
	}
	return url
}

// Remember keeps what has changed since the last call for the browser that may
// have to take over: tabs at once, cookies with their next copy.
func (b *Browser) Remember() {
	b.copyCookies()
	b.save()
}

// save passes the memory on if it has changed. Calls that end together write
// once: the first takes along what the others have changed.
func (b *Browser) save() {
	b.saving.Lock()
	defer b.saving.Unlock()
	if b.keepMemory == nil {
		return
	}
	m := b.memory()
	if b.wasClosed() || m.same(b.saved) {
		return
	}
	b.saved = m
	b.keepMemory(m)
}

// same reports whether two memories are equal; a copy of the cookies is only
// equal to itself, as comparing thousands would take longer than writing them.
func (m Memory) same(o Memory) bool {
	return m.LastTab == o.LastTab && m.Current == o.Current && sameSlice(m.Cookies, o.Cookies) && reflect.DeepEqual(m.Tabs, o.Tabs)
}

func sameSlice[T any](a, b []*T) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// recall takes over the tabs of the last browser. They open again when they are
// used. It is called before any tab can appear.
func (b *Browser) recall(m Memory) {
	b.lastTab, b.jar.cookies = m.LastTab, m.Cookies
	for _, s := range m.Tabs {
		t := newTab(b, page.Gone(s.TargetID, s.URL))
		t.ID, t.former, t.label, t.title, t.url, t.viewport, t.lost = s.ID, s.Former, s.Label, s.Title, s.URL, s.Viewport, s.Lost
		b.tabs = append(b.tabs, t)
		if t.ID == m.Current {
			b.current = t
		}
	}
}

// lose notes for every tab that the browser could not take something over.
func (b *Browser) lose(what []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, t := range b.tabs {
		t.lost = slices.Concat(t.lost, what)
	}
}
