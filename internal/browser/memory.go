package browser

import (
	"cmp"
	"slices"
	"time"

	"github.com/chromedp/cdproto/network"

	"chela/internal/journal"
	"chela/internal/page"
)

// A Memory is what the next browser of a profile takes over from the last. Of
// one that was lost (killed, crashed, or gone with the server) that is all: the
// tabs, and the cookies that may not be on disk. Of one that was closed it is only
// the cookies that are not there, those of sessions (or all, if it had to be ended by
// force), which origins tabs have shown, and which sessions are isolated. It is plain data,
// so that it can be written to a file, and keeps nothing of the last browser alive.
type Memory struct {
	LastTab  int                 `json:"lastTab,omitempty"`    // number in the newest handle: handles are never used again
	Tabs     []SavedTab          `json:"tabs,omitempty"`       // the most recently used first
	Current  map[string]string   `json:"currents,omitempty"`   // handle of the tab that a session has used last, by its key
	Isolated []string            `json:"isolated,omitempty"`   // keys of the sessions that have cookies and storage of their own, which are not in here
	Hosts    map[string][]string `json:"allowHosts,omitempty"` // the only hosts that isolated sessions may open, by key; all of those that are not here
	Cookies  []*network.Cookie   `json:"cookies,omitempty"`
	Grants   []Grant             `json:"grants,omitempty"`  // permissions that origins were given
	Origins  []string            `json:"origins,omitempty"` // that tabs have shown, see visited

	Settings page.Common `json:"settings,omitzero"` // of all tabs; one that was closed leaves none
}

// A SavedTab is what is kept of a tab: enough to list it, and to open it again.
type SavedTab struct {
	ID       string   `json:"id"`
	TargetID string   `json:"targetId"`
	Former   []string `json:"former,omitempty"` // target ids that it had before
	Label    string   `json:"label,omitempty"`
	Owner    string   `json:"owner,omitempty"`    // key of the session that it belongs to
	Unowned  bool     `json:"unowned,omitempty"`  // it belongs to nobody
	Isolated string   `json:"isolated,omitempty"` // key of the session of which it has cookies and storage; "": it has those of the browser
	Title    string   `json:"title,omitempty"`
	URL      string   `json:"url"`
	Lost     []string `json:"lost,omitempty"` // what it loses when it is opened again, beside what every tab loses

	Viewport page.Viewport `json:"viewport,omitzero"`

	Found   bool             `json:"-"` // it was the user's; those are not written to a file
	Journal *journal.Journal `json:"-"` // what happened in it; nil in what is read from a file
}

// Info is what is listed of the tab while no browser runs.
func (s SavedTab) Info() Info {
	return Info{TargetID: s.TargetID, ID: s.ID, Label: s.Label, Owner: s.Owner, Unowned: s.Unowned, Title: s.Title, URL: s.URL, Isolated: s.Isolated != "", Crashed: true}
}

// Memory waits until the browser has gone, and returns what is left of it. The
// options' Keep is not called any more after that.
func (b *Browser) Memory() Memory {
	<-b.done
	b.saver.stop()
	m := b.memory()
	if !b.WasClosed() {
		b.keepJournals(m.Tabs)
		return m
	}
	if b.host.endedWell() {
		m.Cookies = ofSession(m.Cookies)
	}
	return m.Closed()
}

// keepJournals adds the journals of the tabs, which the next browser goes on with.
func (b *Browser) keepJournals(saved []SavedTab) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for i := range saved {
		for _, t := range b.tabs.list {
			if t.ID == saved[i].ID {
				saved[i].Journal = t.journal
			}
		}
	}
}

// Closed is what is left of a browser that was closed: the number of its newest
// handle, the cookies that are not on the disk, and the origins whose storage is. Its
// settings are not: a caller that stops a browser finds the next one as Chromium is by
// itself. But a session that is isolated stays so until it ends, or it would get the user's
// cookies unawares.
func (m Memory) Closed() Memory {
	return Memory{LastTab: m.LastTab, Isolated: m.Isolated, Hosts: m.Hosts, Cookies: m.Cookies, Origins: m.Origins}
}

// WithoutSession is the memory without the cookies that Chromium itself forgets when it
// ends.
func (m Memory) WithoutSession() Memory {
	m.Cookies = slices.DeleteFunc(slices.Clone(m.Cookies), func(c *network.Cookie) bool { return c.Session })
	return m
}

// WasClosed reports whether [Browser.Close] was called. A browser of which it was not has
// been lost, if it does not run any more.
func (b *Browser) WasClosed() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.closed
}

// memory is what would be left if the browser were lost now. It takes the mutex
// of each page, but not while it holds its own: a page that keeps its mutex long
// must not hold up the calls on other tabs.
func (b *Browser) memory() Memory {
	b.mu.Lock()
	m := Memory{LastTab: b.tabs.last, Cookies: b.jar.cookies, Grants: b.grants, Origins: b.visited, Settings: b.settings.common}
	m.Current, m.Isolated, m.Hosts = b.tabs.currents(), b.tabs.isolated(), b.tabs.allowed()
	places := make([]place, len(b.tabs.list))
	for i, t := range b.tabs.list {
		m.Tabs = append(m.Tabs, t.savedLocked())
		places[i] = t.placeLocked()
	}
	b.mu.Unlock()
	for i, at := range places {
		s := &m.Tabs[i]
		s.URL = at.reopenURL()
		s.Lost = slices.Concat(s.Lost, at.page.Armed())
	}
	return m
}

// savedLocked is what the browser knows of the tab. Its address is that of
// Chromium's list of targets.
func (t *Tab) savedLocked() SavedTab {
	return SavedTab{
		ID: t.ID, TargetID: t.page.ID, Former: t.former, Label: t.label, Owner: t.owner, Unowned: t.unowned, Isolated: t.sites.isolated,
		Title: t.title, URL: t.url, Lost: t.lost, Viewport: t.viewport, Found: t.found,
	}
}

// reopenURL is where the tab is to be opened again.
func (t *Tab) reopenURL() string {
	t.browser.mu.Lock()
	at := t.placeLocked()
	t.browser.mu.Unlock()
	return at.reopenURL()
}

// A place is what is known of where a tab is.
type place struct {
	page      *page.Page
	unreached string // where it was to be opened again, if it did not get there
	left      string // where it was when it got an empty page, to be navigated
	listed    string // URL that Chromium lists for the target
}

func (t *Tab) placeLocked() place { return place{t.page, t.unreached, t.left, t.url} }

// reopenURL is where the page is to be opened again: at the URL of its document.
// An empty page has not got to where it was to go, which is the unreached
// address of an earlier attempt, or that of its navigation; if it died before
// the navigation began, the tab is still meant to be where it was. An error page
// (chrome-error://chromewebdata/) stands for the URL that Chromium lists.
func (at place) reopenURL() string {
	url := at.page.URL()
	switch {
	case url == page.Blank:
		return cmp.Or(at.unreached, at.page.Leaving(), at.left, url)
	case page.IsError(url):
		return cmp.Or(at.unreached, at.listed)
	}
	return url
}

// restoreTabs takes over the tabs of the last browser. They have pages that have
// gone, so each opens again when it is used. It is called before any target can
// be attached.
func (b *Browser) restoreTabs(m Memory) {
	b.visited = m.Origins
	settings, lost := m.Settings.Restored()
	b.tabs.last, b.jar.cookies, b.settings.common = m.LastTab, m.Cookies, settings
	for _, key := range m.Isolated {
		b.isolateLocked(key).hosts = m.Hosts[key]
	}
	for _, s := range m.Tabs {
		t := newTab(b, page.Gone(s.TargetID, s.URL, page.Callbacks{Network: b.network}))
		t.journal = cmp.Or(s.Journal, t.journal)
		t.ID, t.former, t.label, t.owner, t.used = s.ID, s.Former, s.Label, s.Owner, time.Now()
		t.unowned = s.Unowned
		t.title, t.url, t.lost, t.viewport = s.Title, s.URL, slices.Concat(s.Lost, lost), s.Viewport
		if s.Isolated != "" { // what it had was in memory only
			t.sites, t.lost = b.isolateLocked(s.Isolated), append(t.lost, "cookies and storage of the isolated session")
		}
		b.tabs.list = append(b.tabs.list, t)
		for key, id := range m.Current {
			if t.ID == id {
				u := b.tabs.of(key)
				u.current, u.last = t, t.used
			}
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
