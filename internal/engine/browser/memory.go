package browser

import (
	"cmp"
	"slices"
	"time"

	"github.com/chromedp/cdproto/network"

	"chela/internal/engine/frame"
	"chela/internal/engine/journal"
	"chela/internal/engine/page"
	"chela/internal/engine/setting"
)

// A Memory is the state that the next browser of a profile takes over from the last one. A browser
// that was lost (killed, crashed, or gone with the server) leaves its tabs and the cookies that may
// not be on disk.
//
// A browser that was closed leaves no tabs. It leaves its session cookies (or all cookies, if it
// had to be killed), the origins that tabs have shown, and which sessions are isolated. A Memory is
// plain data, so it can be written to a file and keeps nothing of the last browser alive.
type Memory struct {
	LastTab  int                  `json:"lastTab,omitempty"`  // number in the newest tab handle: a handle is never used again
	Tabs     []SavedTab           `json:"tabs,omitempty"`     // the most recently used first
	Current  map[string]string    `json:"currents,omitempty"` // handle of the tab that a session has used last, by the session's key
	Used     map[string]time.Time `json:"used,omitempty"`     // when a session has used a tab last, by the session's key
	Isolated []string             `json:"isolated,omitempty"` // keys of the isolated sessions; their cookies and storage are not kept
	Cookies  []*network.Cookie    `json:"cookies,omitempty"`
	Grants   []Grant              `json:"grants,omitempty"`  // permissions that origins were given
	Origins  []string             `json:"origins,omitempty"` // origins that tabs have shown, see visited
	Swept    []string             `json:"swept,omitempty"`   // handles of tabs that a sweep has closed, see [Cleanup]
	Pending  pendingSessions      `json:"pending,omitempty"` // sessionStorage that was loaded and waits for tabs
	Unkept   []string             `json:"unkept,omitempty"`  // origins whose pending sessionStorage was too large to be kept

	Settings setting.Common `json:"settings,omitzero"` // settings of all tabs; empty after the browser was closed
}

// A SavedTab has what is needed to list a tab while no browser runs, and to open it again.
type SavedTab struct {
	ID         string        `json:"id"`
	TargetID   string        `json:"targetId"`
	Former     []string      `json:"former,omitempty"` // target ids that the tab had before
	Label      string        `json:"label,omitempty"`
	Owner      string        `json:"owner,omitempty"`    // key of the session that the tab belongs to
	Unowned    bool          `json:"unowned,omitempty"`  // the tab belongs to no session
	Isolated   string        `json:"isolated,omitempty"` // key of the isolated session that the tab is in; "": it is in the default browser context
	Title      string        `json:"title,omitempty"`
	URL        string        `json:"url"`
	Lease      Lease         `json:"lease,omitzero"`       // lease of the session that has the sole use of the tab
	Person     page.TakeOver `json:"person,omitzero"`      // use of the tab by a person, if a person has taken it over
	PersonFrom string        `json:"personFrom,omitempty"` // address of the tab when the person got it
	GivenBack  *GiveBack     `json:"givenBack,omitempty"`  // the last use by a person that has ended; nil: there was none
	Lost       []string      `json:"lost,omitempty"`       // what the tab loses when it is opened again, besides forms and the like

	Viewport setting.Viewport `json:"viewport,omitzero"`
	Refs     frame.UsedRefs   `json:"refs,omitzero"` // highest ref numbers that the tab has used, rounded up: they are not used again

	Downloads bool `json:"downloads,omitempty"` // the tab has downloads that are under way or that no answer has reported

	OfUser  bool             `json:"-"` // the tab was the user's, see Tab.ofUser; such tabs are not written to a file
	Journal *journal.Journal `json:"-"` // the tab's event log; nil if the tab was read from a file
	Control *page.Control    `json:"-"` // whether a person has taken over the tab; nil if the tab was read from a file
}

// Info describes the tab for a list of tabs while no browser runs.
func (s SavedTab) Info() Info {
	return Info{
		TargetID: s.TargetID, ID: s.ID, Label: s.Label, Owner: s.Owner, Unowned: s.Unowned, Title: s.Title, URL: s.URL,
		Isolated: s.Isolated != "", Crashed: true, Lease: s.Lease.at(time.Now()), Person: s.takenOver(),
	}
}

// Memory waits until the browser has ended, and returns the state that it leaves. After that, the
// browser does not call Options.Keep any more.
func (b *Browser) Memory() Memory {
	<-b.done
	b.saver.stop()
	m := b.memory()
	if !b.WasClosed() {
		b.keepJournals(m.Tabs)
		return m
	}
	b.endTakeovers()
	if b.host.exitedCleanly() {
		m.Cookies = sessionCookies(m.Cookies)
	}
	return m.Closed()
}

// keepJournals adds the event logs and controls of the tabs to the saved tabs. The next browser
// continues the logs, and calls that wait for a person go on waiting.
func (b *Browser) keepJournals(saved []SavedTab) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for i := range saved {
		for _, t := range b.tabs.list {
			if t.ID == saved[i].ID {
				saved[i].Journal, saved[i].Control = t.journal, t.control
			}
		}
	}
}

// Fresh returns the part of the memory that stays even if the next browser has other user data. It
// is what callers rely on. The handle of a tab that has gone never means another one. An isolated
// session stays isolated until it ends: otherwise its next tabs would have the user's cookies, and
// its caller would not know. When it was used last decides whether it may be forgotten, see maxIsolated.
func (m Memory) Fresh() Memory {
	fresh := Memory{LastTab: m.LastTab, Isolated: m.Isolated}
	for _, key := range m.Isolated {
		if at, known := m.Used[key]; known {
			if fresh.Used == nil {
				fresh.Used = map[string]time.Time{}
			}
			fresh.Used[key] = at
		}
	}
	return fresh
}

// Closed returns the part of the memory that stays when a browser was closed: [Memory.Fresh], the
// cookies that are not on disk, and the origins with storage on disk. Settings are not kept: the
// next browser begins with Chromium's own.
func (m Memory) Closed() Memory {
	closed := m.Fresh()
	closed.Cookies, closed.Origins = m.Cookies, m.Origins
	return closed
}

// WithoutSession returns the memory without session cookies, which have no date of expiry.
func (m Memory) WithoutSession() Memory {
	m.Cookies = slices.DeleteFunc(slices.Clone(m.Cookies), func(c *network.Cookie) bool { return c.Session })
	return m
}

// Clean removes what chela never writes, but a damaged or edited file may have: null in lists, and an
// isolated session without a key.
func (m *Memory) Clean() {
	m.Cookies, m.Isolated = withoutZero(m.Cookies), withoutZero(m.Isolated)
	s := &m.Settings
	s.Routes, s.Headers, s.Logins = withoutZero(s.Routes), withoutZero(s.Headers), withoutZero(s.Logins)
}

func withoutZero[T comparable](list []T) []T {
	return slices.DeleteFunc(list, func(x T) bool { return x == *new(T) })
}

// WasClosed reports whether [Browser.Close] was called. A browser that has ended without that was
// lost, for example in a crash.
func (b *Browser) WasClosed() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.closed
}

// memory returns the state that the next browser would take over if this one were lost now. It
// takes the mutex of each page, one at a time and without the browser's own mutex. A page that
// keeps its mutex long must not delay calls on other tabs.
func (b *Browser) memory() Memory {
	b.mu.Lock()
	m := Memory{LastTab: b.tabs.last, Cookies: b.jar.cookies, Grants: b.grants, Origins: b.visited, Settings: b.settings.common}
	m.Current, m.Isolated, m.Swept = b.tabs.currents(), b.tabs.isolated(), slices.Clone(b.tabs.swept)
	m.Used = b.tabs.lastUses()
	m.Pending, m.Unkept = b.pending.kept()
	var places []location
	for _, t := range b.tabs.list {
		if !t.closing { // a tab that is being closed is not kept
			m.Tabs = append(m.Tabs, t.savedLocked())
			places = append(places, t.locationLocked())
		}
	}
	b.mu.Unlock()
	for i, at := range places {
		s := &m.Tabs[i]
		s.URL = at.reopenURL()
		s.Lost = slices.Concat(s.Lost, at.page.Armed())
		s.Refs = at.page.UsedRefs().RoundUp()
	}
	return m
}

// savedLocked returns the tab as it is saved. Its address comes from Chromium's list of targets.
func (t *Tab) savedLocked() SavedTab {
	return SavedTab{
		ID: t.ID, TargetID: t.page.ID, Former: t.former, Label: t.label, Owner: t.owner, Unowned: t.unowned, Isolated: t.context.isolated,
		Title: t.title, URL: t.url, Lease: t.leaseLocked(time.Now()), Lost: t.lost, Viewport: t.viewport, OfUser: t.ofUser,
		Downloads: len(t.browser.downloads.open(t)) > 0, Person: t.control.Last(), PersonFrom: t.from, GivenBack: t.last,
	}
}

// reopenURL returns the address at which the tab is opened again after a crash.
func (t *Tab) reopenURL() string {
	t.browser.mu.Lock()
	at := t.locationLocked()
	t.browser.mu.Unlock()
	return at.reopenURL()
}

// A location has the addresses that a tab may be opened at again.
type location struct {
	page         *page.Page
	unreachedURL string // address where opening the tab again has failed
	previousURL  string // the tab's address before it got an empty page that a call then navigates
	listedURL    string // URL that Chromium lists for the target
}

func (t *Tab) locationLocked() location {
	return location{t.page, t.unreachedURL, t.previousURL, t.url}
}

// reopenURL returns the address at which the page is opened again: the URL of its document. An
// empty page has not reached its destination, so the destination counts. That is the unreached
// address of an earlier attempt, or the URL of its navigation. If the page crashed before the
// navigation began, the tab keeps its earlier address. An error page
// (chrome-error://chromewebdata/) stands for the URL that Chromium lists.
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
