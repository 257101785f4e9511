package browser

import (
	"context"
	"slices"
	"time"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	"chela/internal/cdp"
	"chela/internal/page"
)

// How many tabs a page may open: with one act, and that stay open.
const (
	maxPopups     = 8
	maxPopupsOpen = 20
)

// popups are the tabs that a tab's page has opened, guarded by the browser's mu.
type popups struct {
	before      []*Tab // tabs that there were at CountPopups
	count       int    // since then
	refused     int    // of these
	undelivered []*Tab // that are in no answer yet
}

// CountPopups begins to count anew what the tab's page opens.
func (t *Tab) CountPopups() {
	t.browser.mu.Lock()
	defer t.browser.mu.Unlock()
	t.popups.before, t.popups.count, t.popups.refused = slices.Clone(t.browser.tabs), 0, 0
}

// admit counts one more tab that the page opens, of which so many are open, and
// decides whether it may.
func (p *popups) admit(open int) bool {
	p.count++
	if p.count <= maxPopups && open < maxPopupsOpen {
		return true
	}
	p.refused++
	return false
}

// add makes t one of the tabs that the page has opened.
func (p *popups) add(t *Tab) { p.undelivered = append(p.undelivered, t) }

// unclaimed returns, of the tabs that came without an opener, those that the
// page asked for: a link that is clicked with Control opens one. It returns no
// more of them than the page has asked for and not got.
func (p *popups) unclaimed(tabs []*Tab, asked []string) (found []*Tab) {
	for _, t := range tabs {
		if p.count+len(found) < len(asked) && t.opener == nil && !t.ordered && !slices.Contains(p.before, t) && slices.Contains(asked, t.url) {
			found = append(found, t)
		}
	}
	return found
}

// openedByLocked is how many tabs are open that the page of a tab has opened.
func (b *Browser) openedByLocked(opener *Tab) (open int) {
	for _, t := range b.tabs {
		if t.opener == opener {
			open++
		}
	}
	return open
}

// refuse closes a target that a page may not open. While it is paused, the page
// that opens it is, too.
func (b *Browser) refuse(s *cdp.Session, id target.ID) {
	cdp.Send(s, runtime.RunIfWaitingForDebugger, protocol.Empty{})
	cdp.Send(b.conn.Root(), target.CloseTarget, target.CloseTargetParams{TargetID: id})
}

// Popups returns the tabs that the page has opened and that are in no answer
// yet, and how many were refused since CountPopups. It waits for those that the
// page asked for, by their addresses, and until they are there, but not for
// long; one that the browser blocks does not come, one that sends a file does
// not stay.
func (t *Tab) Popups(ctx context.Context, asked []string) ([]*Tab, int) {
	b := t.browser
	soon, cancel := context.WithTimeout(ctx, 500*time.Millisecond)
	defer cancel()
	b.await(soon, func() bool {
		t.claimLocked(asked)
		return t.popups.count >= len(asked)
	})
	b.mu.Lock()
	opened, refused := t.popups.undelivered, t.popups.refused
	t.popups.undelivered = nil
	b.mu.Unlock()
	for i, popup := range opened {
		arrives := popup.Page().Ready
		if i < len(asked) && asked[i] != "" && asked[i] != page.Blank {
			arrives = popup.Page().Arrive
		}
		popup.Page().Watch(soon, arrives)
	}
	b.conn.Root().Events().Sync(soon) // the event of the file is there
	return slices.DeleteFunc(opened, func(x *Tab) bool { return x.Page().Err() == page.ErrClosed }), refused
}

// claimLocked takes the tabs that came without an opener and that the page
// asked for.
func (t *Tab) claimLocked(asked []string) {
	for _, x := range t.popups.unclaimed(t.browser.tabs, asked) {
		x.opener = t
		t.browser.swaps.claimed(x)
		t.popups.count++
		t.popups.add(x)
	}
}
