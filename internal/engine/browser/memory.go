package browser

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/chromedp/cdproto/network"

	"chela/internal/engine/journal"
	"chela/internal/engine/page"
	"chela/internal/engine/setting"
)

// A Memory is what the next browser of a profile takes over from the last. A browser that was lost
// (killed, crashed, or gone with the server) leaves its tabs and the cookies that may not be on
// disk.
//
// A browser that was closed leaves no tabs. It leaves its session cookies (or all cookies, if it
// had to be killed), the origins that tabs have shown, and which sessions are isolated. A Memory is
// plain data, so it can be written to a file and keeps nothing of the last browser alive.
type Memory struct {
	LastTab  int                  `json:"lastTab,omitempty"`  // number of the newest handle: handles are never used again
	Tabs     []SavedTab           `json:"tabs,omitempty"`     // the most recently used first
	Current  map[string]string    `json:"currents,omitempty"` // handle of the tab that a session has used last, by its key
	Used     map[string]time.Time `json:"used,omitempty"`     // when a session has used a tab last, by its key
	Isolated []string             `json:"isolated,omitempty"` // keys of the isolated sessions, whose cookies and storage are not in a Memory
	Cookies  []*network.Cookie    `json:"cookies,omitempty"`
	Grants   []Grant              `json:"grants,omitempty"`  // permissions that origins were given
	Origins  []string             `json:"origins,omitempty"` // that tabs have shown, see visited
	Swept    []string             `json:"swept,omitempty"`   // handles of tabs that were closed by a sweep
	Pending  pendingSessions      `json:"pending,omitempty"` // sessionStorage that was loaded and waits for tabs
	Unkept   []string             `json:"unkept,omitempty"`  // origins of such sessionStorage that was too large to be kept

	Settings setting.Common `json:"settings,omitzero"` // of all tabs; empty after the browser was stopped
}

// A SavedTab is what is kept of a tab, to list it and to open it again.
type SavedTab struct {
	ID       string   `json:"id"`
	TargetID string   `json:"targetId"`
	Former   []string `json:"former,omitempty"` // target ids that it had before
	Label    string   `json:"label,omitempty"`
	Owner    string   `json:"owner,omitempty"`    // key of the session that it belongs to
	Unowned  bool     `json:"unowned,omitempty"`  // it belongs to nobody
	Isolated string   `json:"isolated,omitempty"` // key of the session whose cookies and storage it has; "": those of the browser
	Title    string   `json:"title,omitempty"`
	URL      string   `json:"url"`
	Lease    Lease    `json:"lease,omitzero"` // of the session that has it for itself
	Lost     []string `json:"lost,omitempty"` // what it loses when it is opened again, beside what every tab loses

	Viewport setting.Viewport `json:"viewport,omitzero"`

	Downloads bool `json:"downloads,omitempty"` // there are downloads that are under way or in no answer

	OfUser  bool             `json:"-"` // it was the user's; those are not written to a file
	Journal *journal.Journal `json:"-"` // what happened in it; nil in what is read from a file
}

// Info describes the tab for a list of tabs while no browser runs.
func (s SavedTab) Info() Info {
	return Info{
		TargetID: s.TargetID, ID: s.ID, Label: s.Label, Owner: s.Owner, Unowned: s.Unowned, Title: s.Title, URL: s.URL,
		Isolated: s.Isolated != "", Crashed: true, Lease: s.Lease.at(time.Now()),
	}
}

// Memory waits until the browser has gone, and returns what is left of it. The options' Keep is not
// called any more after that.
func (b *Browser) Memory() Memory {
	<-b.done
	b.saver.stop()
	m := b.memory()
	if !b.WasClosed() {
		b.keepJournals(m.Tabs)
		return m
	}
	if b.host.exitedCleanly() {
		m.Cookies = sessionCookies(m.Cookies)
	}
	return m.Closed()
}

// keepJournals adds the event logs of the tabs, which are continued in the next browser.
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

// Closed is what is left of a browser that was closed. It has the number of its newest handle, the
// cookies that are not on disk, and the origins with storage on disk. Its settings are not kept:
// after a stop, the next browser begins with Chromium's own settings. But an isolated session stays
// isolated until it ends, or it would get the user's cookies unawares.
func (m Memory) Closed() Memory {
	used := maps.Clone(m.Used)
	maps.DeleteFunc(used, func(key string, _ time.Time) bool { return !slices.Contains(m.Isolated, key) })
	return Memory{LastTab: m.LastTab, Used: used, Isolated: m.Isolated, Cookies: m.Cookies, Origins: m.Origins}
}

// WithoutSession returns the memory without session cookies.
func (m Memory) WithoutSession() Memory {
	m.Cookies = slices.DeleteFunc(slices.Clone(m.Cookies), func(c *network.Cookie) bool { return c.Session })
	return m
}

// WasClosed reports whether [Browser.Close] was called. If it was not, and the browser does not run
// any more, the browser was lost.
func (b *Browser) WasClosed() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.closed
}

// memory returns what the next browser would take over if this one were lost now. It takes the
// mutex of each page, one at a time and without the browser's own mutex. A page that keeps its
// mutex long must not delay calls on other tabs.
func (b *Browser) memory() Memory {
	b.mu.Lock()
	m := Memory{LastTab: b.tabs.last, Cookies: b.jar.cookies, Grants: b.grants, Origins: b.visited, Settings: b.settings.common}
	m.Current, m.Isolated, m.Swept = b.tabs.currents(), b.tabs.isolated(), slices.Clone(b.tabs.swept)
	m.Used = b.tabs.lastUses()
	m.Pending, m.Unkept = b.pending.kept()
	var places []location
	for _, t := range b.tabs.list {
		if !t.closing { // a caller, or a sweep, has asked to close it
			m.Tabs = append(m.Tabs, t.savedLocked())
			places = append(places, t.locationLocked())
		}
	}
	b.mu.Unlock()
	for i, at := range places {
		s := &m.Tabs[i]
		s.URL = at.reopenURL()
		s.Lost = slices.Concat(s.Lost, at.page.Armed())
	}
	return m
}

// savedLocked returns what is kept of the tab. The address comes from Chromium's list of targets.
func (t *Tab) savedLocked() SavedTab {
	return SavedTab{
		ID: t.ID, TargetID: t.page.ID, Former: t.former, Label: t.label, Owner: t.owner, Unowned: t.unowned, Isolated: t.context.isolated,
		Title: t.title, URL: t.url, Lease: t.leaseLocked(time.Now()), Lost: t.lost, Viewport: t.viewport, OfUser: t.ofUser,
		Downloads: len(t.browser.downloads.open(t)) > 0,
	}
}

// reopenURL returns the address at which the tab is to be opened again.
func (t *Tab) reopenURL() string {
	t.browser.mu.Lock()
	at := t.locationLocked()
	t.browser.mu.Unlock()
	return at.reopenURL()
}

// A location is what is known of where a tab is.
type location struct {
	page         *page.Page
	unreachedURL string // address where opening the tab again has failed
	previousURL  string // where the tab was before it got an empty page in order to be navigated
	listedURL    string // URL that Chromium lists for the target
}

func (t *Tab) locationLocked() location {
	return location{t.page, t.unreachedURL, t.previousURL, t.url}
}

// reopenURL is where the page is to be opened again: at the URL of its document. An empty page has
// not reached its destination. So the destination counts: the unreached address of an earlier
// attempt, or that of its navigation. If the page died before the navigation began, the tab keeps
// its earlier address. An error page (chrome-error://chromewebdata/) stands for the URL that
// Chromium lists.
func (at location) reopenURL() string {
	url := at.page.URL()
	switch {
	case url == page.Blank:
		return cmp.Or(at.unreachedURL, at.page.Leaving(), at.previousURL, url)
	case page.IsError(url):
		return cmp.Or(at.unreachedURL, at.listedURL)
	}
	return url
}
