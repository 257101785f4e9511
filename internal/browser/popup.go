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
	before  []*Tab // tabs that there were at CountPopups
	count   int    // since then
	refused int    // of these
	untold  []*Tab
}

// CountPopups begins to count anew what the tab's page opens.
func (t *Tab) CountPopups() {
	t.browser.mu.Lock()
	defer t.browser.mu.Unlock()
	t.popups.before, t.popups.count, t.popups.refused = slices.Clone(t.browser.tabs), 0, 0
}

// admit decides whether a page may open one more tab. It is called with mu held.
func (b *Browser) admit(opener *Tab) bool {
	if opener == nil {
		return true
	}
	opener.popups.count++
	open := 0
	for _, t := range b.tabs {
		if t.opener == opener {
			open++
		}
	}
	if opener.popups.count <= maxPopups && open < maxPopupsOpen {
		return true
	}
	opener.popups.refused++
	return false
}

// refuse closes a target that a page may not open. While it is paused, the page
// that opens it is, too.
func (b *Browser) refuse(s *cdp.Session, id target.ID) {
	cdp.Send(s, runtime.RunIfWaitingForDebugger, protocol.Empty{})
	cdp.Send(b.conn.Root(), target.CloseTarget, target.CloseTargetParams{TargetID: id})
}

// Popups returns the tabs that the page has opened and nobody was told of, and
// how many were refused since CountPopups. It waits for those that the page
// asked for, by their addresses, and until they are there, but not for long; one
// that the browser blocks does not come, one that sends a file does not stay.
func (t *Tab) Popups(ctx context.Context, asked []string) ([]*Tab, int) {
	b := t.browser
	soon, cancel := context.WithTimeout(ctx, 500*time.Millisecond)
	defer cancel()
	b.await(soon, func() bool {
		t.claim(asked)
		return t.popups.count >= len(asked)
	})
	b.mu.Lock()
	opened, refused := t.popups.untold, t.popups.refused
	t.popups.untold = nil
	b.mu.Unlock()
	for i, popup := range opened {
		arrives := popup.Page().Ready
		if i < len(asked) && asked[i] != "" && asked[i] != page.Blank {
			arrives = popup.Page().Arrive
		}
		popup.Page().Watch(soon, arrives)
	}
	b.conn.Root().Events().Sync(soon) // the file is told of there
	return slices.DeleteFunc(opened, func(x *Tab) bool { return x.Page().Err() == page.ErrClosed }), refused
}

// claim finds, among the tabs that came without an opener, those that the page
// asked for: a link that is clicked with Control opens one. It is called with mu held.
func (t *Tab) claim(asked []string) {
	for _, x := range t.browser.tabs {
		if x.opener != nil || x.ordered || slices.Contains(t.popups.before, x) || !slices.Contains(asked, x.url) {
			continue
		}
		x.opener = t
		t.popups.count++
		t.popups.untold = append(t.popups.untold, x)
	}
}
