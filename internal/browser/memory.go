package browser

import (
	"cmp"
	"slices"

	"github.com/chromedp/cdproto/network"

	"chela/internal/page"
)

// A Memory is what the next browser of a profile takes over from the last. Of
// one that was lost (killed, crashed, or gone with the server) that is all: the
// tabs, and the cookies that may not be on disk. Of one that was closed it is
// only the session cookies, which Chromium never writes to disk. It is plain
// data, so that it can be written to a file, and keeps nothing of the last
// browser alive.
type Memory struct {
	LastTab int               `json:"lastTab,omitempty"` // number in the newest handle: handles are never used again
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
	Lost     []string `json:"lost,omitempty"` // what it loses when it is opened again, beside what every tab loses

	page.Settings // their fields stand beside those above in JSON
}

// Info is what is listed of the tab while no browser runs.
func (s SavedTab) Info() Info {
	return Info{TargetID: s.TargetID, ID: s.ID, Label: s.Label, Title: s.Title, URL: s.URL, Crashed: true}
}

// Memory waits until the browser has gone, and returns what is left of it. The
// options' Keep is not called any more after that.
func (b *Browser) Memory() Memory {
	<-b.done
	b.saver.stop()
	m := b.memory()
	if b.wasClosed() {
		return m.Closed()
	}
	return m
}

// Closed is what is left of a browser that was closed: the number of its newest
// handle, and the cookies that Chromium does not write to disk.
func (m Memory) Closed() Memory { return Memory{LastTab: m.LastTab, Cookies: ofSession(m.Cookies)} }

func (b *Browser) wasClosed() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.closed
}

// memory is what would be left if the browser were lost now. It takes the mutex
// of each page, but not while it holds its own: a page that keeps its mutex long
// must not hold up the calls on other tabs.
func (b *Browser) memory() Memory {
	b.mu.Lock()
	m := Memory{LastTab: b.tabs.last, Cookies: b.jar.cookies}
	if b.tabs.current != nil {
		m.Current = b.tabs.current.ID
	}
	pages, unreached := make([]*page.Page, len(b.tabs.list)), make([]string, len(b.tabs.list))
	for i, t := range b.tabs.list {
		m.Tabs = append(m.Tabs, t.savedLocked())
		pages[i], unreached[i] = t.page, t.unreached
	}
	b.mu.Unlock()
	for i, p := range pages {
		s := &m.Tabs[i]
		s.URL = reopenURLOf(p, unreached[i], s.URL)
		s.Lost = slices.Concat(s.Lost, p.Armed())
	}
	return m
}

// savedLocked is what the browser knows of the tab. Its address is that of
// Chromium's list of targets.
func (t *Tab) savedLocked() SavedTab {
	return SavedTab{
		ID: t.ID, TargetID: t.page.ID, Former: t.former, Label: t.label, Title: t.title, URL: t.url, Lost: t.lost, Settings: t.settings,
	}
}

// reopenURL is where the tab is to be opened again.
func (t *Tab) reopenURL() string {
	t.browser.mu.Lock()
	p, unreached, listed := t.page, t.unreached, t.url
	t.browser.mu.Unlock()
	return reopenURLOf(p, unreached, listed)
}

// reopenURLOf is where a page is to be opened again: at the URL of its document.
// An empty page has not got to where it was to go, which is the unreached
// address of an earlier attempt, or that of its navigation. An error page
// (chrome-error://chromewebdata/) stands for the address that Chromium lists for
// the target.
func reopenURLOf(p *page.Page, unreached, listed string) string {
	url := p.URL()
	switch {
	case url == page.Blank:
		return cmp.Or(unreached, p.Leaving(), url)
	case page.IsError(url):
		return cmp.Or(unreached, listed)
	}
	return url
}

// restoreTabs takes over the tabs of the last browser. They have pages that have
// gone, so each opens again when it is used. It is called before any target can
// be attached.
func (b *Browser) restoreTabs(m Memory) {
	b.tabs.last, b.jar.cookies = m.LastTab, m.Cookies
	for _, s := range m.Tabs {
		t := newTab(b, page.Gone(s.TargetID, s.URL), s.Settings)
		t.ID, t.former, t.label, t.title, t.url, t.lost = s.ID, s.Former, s.Label, s.Title, s.URL, s.Lost
		b.tabs.list = append(b.tabs.list, t)
		if t.ID == m.Current {
			b.tabs.current = t
		}
	}
}

// addLost notes for every tab what the browser could not take over.
func (b *Browser) addLost(what []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, t := range b.tabs.list {
		t.lost = slices.Concat(t.lost, what)
	}
}
