package browser

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"chela/internal/base/mutex"
	"chela/internal/engine/cdp"
	"chela/internal/engine/journal"
	"chela/internal/engine/page"
	"chela/internal/engine/setting"
)

// A Tab is a page with a handle that outlives the target behind it. Chromium gives a page another
// target when it discards and reloads a background tab. After a crash of the renderer or of the
// whole browser, chela opens the page in a new target. The handle, the label and the settings stay.
type Tab struct {
	ID string // t1, t2 …: never used again in the profile; set when the tab is listed

	browser *Browser
	journal *journal.Journal // event log of all pages that the tab has had
	// reviving is locked while a call gives the tab a new page. Other calls wait, and then find the
	// new page.
	reviving mutex.Mutex

	// The rest is guarded by the browser's mu.

	pageState
	takeover
	former    []string // target ids of the pages that the tab had before
	label     string
	owner     string           // key of the session that the tab belongs to
	unowned   bool             // the tab belongs to nobody, see attribute; owner is ""
	used      time.Time        // last time that a call used the tab
	context   *BrowserContext  // browser context that the tab is in
	lease     Lease            // lease of a session that has the sole use of the tab
	viewport  setting.Viewport // viewport of the tab's page, and of each later page
	opener    *Tab             // the tab whose page opened it; nil: none, or see first
	first     string           // handle of the first opener (see firstOpener), if opener was forgotten
	requested bool             // a Target.createTarget command of chela has made the tab
	ofUser    bool             // the tab is the user's: chela has not started the browser, and no call has opened the tab
	closing   bool             // chela is closing the tab, so a call finds it only by its name
	popups    popups

	unasked   bool     // a call that named no tab has opened this one, and no answer has reported that yet
	recovered bool     // the tab was opened again, and no answer has reported that yet
	lost      []string // what the tab lost when it was opened again, besides what every tab loses
}

// pageState has the fields of a tab that change when it gets another page.
type pageState struct {
	page            *page.Page
	title, url      string // title and URL that Chromium lists
	viewportMissing bool   // page does not have the viewport of the tab yet
	forbidden       bool   // the network policy does not allow the address that the page was opened for
	unreachedURL    string // address where opening the tab again has failed
	loadFailed      bool   // opening unreachedURL has loaded no document
	previousURL     string // the tab's address before it got this empty page, which a call is to navigate
}

// continueIn prepares a page that will replace the tab's page. The new page writes into the event
// log of the tab, and gives no ref that the tab has given before. It also takes over the tab's
// [page.Control].
func (t *Tab) continueIn(p *page.Page) {
	p.Record(t.journal)
	p.ControlledBy(t.control)
	p.ContinueRefs(t.page.UsedRefs())
}

// newTab returns a tab for a page. From now on the page writes into the event log of the tab.
func newTab(b *Browser, p *page.Page) *Tab {
	t := &Tab{browser: b, pageState: pageState{page: p}, takeover: takeover{control: new(page.Control)}, journal: journal.New(b.drops), reviving: mutex.New(), context: &b.BrowserContext}
	if p != nil {
		p.Record(t.journal)
		p.ControlledBy(t.control)
	}
	return t
}

// Info describes a tab for a list of tabs.
type Info struct {
	TargetID string
	ID       string
	Label    string
	Owner    string // key of the session that owns the tab; "": the session of calls without a key
	Unowned  bool   // the tab belongs to nobody: it is not known who opened it
	Title    string
	URL      string
	Isolated bool          // the tab shares cookies and storage only with tabs of its session
	OfUser   bool          // the tab is the user's: chela has not started the browser, and no call has opened the tab
	Refused  bool          // the network policy does not allow the tab's address
	Crashed  bool          // the tab's page has crashed, or has gone with its browser
	Current  bool          // in a list, the tab is the current one of the session that asked
	Lease    Lease         // lease of the session that has leased the tab; zero: none has
	Person   page.TakeOver // use of the tab by a person who has taken it over; zero: none has
	Port     int           // debugging port that the browser has opened for other programs; 0: none
}

// Journal returns the event log of the tab, for all pages that it has had.
func (t *Tab) Journal() *journal.Journal { return t.journal }

// SyncJournal waits until the event log has all that Chromium has reported so far, or ctx ends.
func (t *Tab) SyncJournal(ctx context.Context) { t.Page().SyncJournal(ctx) }

// Browser returns the browser that the tab is in.
func (t *Tab) Browser() *Browser { return t.browser }

// Page returns the page that the tab shows now. Another call may give the tab a new page at any
// time. A caller that uses the page more than once must therefore keep the result.
func (t *Tab) Page() *page.Page {
	t.browser.mu.Lock()
	defer t.browser.mu.Unlock()
	return t.page
}

// TargetIDs returns the target ids of the pages that the tab has had: the current one and at most
// maxFormer earlier ones. Each of them is also the id of the page's main frame.
func (t *Tab) TargetIDs() []string {
	t.browser.mu.Lock()
	defer t.browser.mu.Unlock()
	return append(slices.Clone(t.former), t.page.ID)
}

// belongsTo reports whether the tab belongs to the session with this key.
func (t *Tab) belongsTo(key string) bool { return t.owner == key && !t.unowned }

// Info returns the tab's entry in a list of tabs.
func (t *Tab) Info() Info {
	t.browser.mu.Lock()
	defer t.browser.mu.Unlock()
	return t.infoLocked()
}

func (t *Tab) infoLocked() Info {
	url, refused := t.page.URL(), t.page.Refused() != nil
	if url == page.Blank { // the tab was just opened: list the address that it is loading
		leaving := t.page.Leaving()
		url, refused = cmp.Or(leaving, url), t.page.Allows(leaving) != nil || t.forbidden && leaving == ""
	}
	return Info{
		TargetID: t.page.ID, ID: t.ID, Label: t.label, Owner: t.owner, Unowned: t.unowned, Title: t.title, URL: url,
		Isolated: t.context.isolated != "", OfUser: t.ofUser, Refused: refused, Crashed: lostPage(t.page.Err()), Lease: t.leaseLocked(time.Now()),
		Person: t.control.Taken(), Port: t.browser.Describe().Port,
	}
}

// lostPage reports whether an error says that a page cannot be used any more, though its tab was
// not closed. Its renderer has crashed, its browser has gone, or it is stuck in a dialog.
func lostPage(err error) bool {
	return errors.Is(err, page.ErrCrashed) || errors.Is(err, page.ErrStuck) || errors.Is(err, cdp.ErrClosed)
}
