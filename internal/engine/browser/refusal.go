package browser

import (
	"context"
	"sync"
	"time"

	"github.com/chromedp/cdproto/target"

	"chela/internal/engine/cdp"
	"chela/internal/engine/page"
	"chela/internal/wall/guard"
	"chela/internal/wall/proxy"
)

// cancelNavigations cancels navigations that need a refused connection, so that the tabs keep their
// pages, see [page.Page.CancelRefused]. It is called before Chromium is told of the refusal. First
// it sends a command and waits for the answer: by then, Chromium has reported the beginning of
// these navigations.
func (b *Browser) cancelNavigations(ctx context.Context, r proxy.Refusal) {
	if _, err := b.Version(ctx); err != nil {
		return
	}
	if b.conn.Root().Events().Sync(ctx) != nil { // handle the events of tabs that have just come
		return
	}
	var tabs sync.WaitGroup
	for _, t := range b.all() {
		tabs.Go(func() {
			if begun, stopped := t.Page().CancelRefused(ctx, r); stopped {
				b.refusePopup(ctx, t, begun, r.Why)
			}
		})
	}
	tabs.Wait()
}

// barredPopupTime limits how long a refused request waits until its tab is known.
const barredPopupTime = 5 * time.Second

// closeBarredPopup is called when a judge, which applies the network policy in a browser without a
// proxy, has refused a request for a page's document. The page has already cancelled its
// navigation. If the page is an empty popup, closeBarredPopup closes it.
func (b *Browser) closeBarredPopup(p *page.Page, begun string, why *guard.Refused) {
	if p.Visits() > 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), barredPopupTime)
	defer cancel()
	if _, err := b.Version(ctx); err != nil || b.conn.Root().Events().Sync(ctx) != nil {
		return
	}
	var own *Tab
	for _, t := range b.all() {
		if t.Page() == p {
			own = t
		} else {
			t.Page().Sync(ctx) // this tab may be the one that opened the popup
		}
	}
	if own != nil {
		b.refusePopup(ctx, own, begun, why)
	}
}

// refusePopup closes a popup that is still empty, because the policy refused its address. It does
// so only if the opener has requested the popup in a call under way. That call gets the reason, and
// the opener's event log gets the events of the popup. A popup that came at another time stays, and
// is listed without an address.
func (b *Browser) refusePopup(ctx context.Context, t *Tab, begun string, why *guard.Refused) {
	if b.awaitDecided(ctx) != nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if t.requested || t.page.Visits() > 0 {
		return
	}
	t.forbidden = true
	if t.opener == nil || !t.opener.page.RequestedTab(begun) {
		return
	}
	t.opener.page.Refuse(why)
	b.noteClosingLocked(t, t.page.ID)
	t.page.Record(t.opener.journal)
	cdp.Send(b.conn.Root(), target.CloseTarget, target.CloseTargetParams{TargetID: target.ID(t.page.ID)})
	b.notifyLocked()
}
