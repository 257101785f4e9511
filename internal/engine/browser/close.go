package browser

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/target"

	"chela/internal/engine/cdp"
	"chela/internal/engine/page"
)

// closeRetryTime is how long a tab may take to close before Target.closeTarget is sent again. If
// the command comes while one document replaces another, Chromium answers it but does not close the
// tab.
const closeRetryTime = time.Second

// Close closes the tab without asking its page (no beforeunload), and waits until it has gone. A
// script that keeps the page from closing is terminated. Close ends at the deadline of ctx, or
// after 30 s if it has none, but not if ctx is cancelled. The context of a turn on this tab ends
// with the page, before the browser has listed the tab as gone. Errors are [cdp.ErrClosed], the
// deadline, and a [*cdp.Error] with [cdp.Withheld] if the user has stopped all agents.
func (t *Tab) Close(ctx context.Context) error {
	ctx, cancel := deadlineOnly(ctx)
	defer cancel()
	b := t.browser
	p := b.beginClosing(t)
	if p == nil {
		return nil
	}
	b.keepWindow(ctx, t)
	p.EndDialogs()
	for {
		reply := cdp.Send(b.conn.Root(), target.CloseTarget, target.CloseTargetParams{TargetID: target.ID(p.ID)})
		p.Unstick(ctx, p.Ended())
		_, err := reply.Wait(ctx)
		if refusal, ok := errors.AsType[*cdp.Error](err); err != nil && (!ok || refusal.Unknown() || refusal.Code == cdp.Withheld) { // any other refusal means that the tab is gone, or that the reply was lost
			if ok {
				b.noteStaysOpen(t, p)
			}
			return fmt.Errorf("close tab %s: %w", t.ID, err)
		}
		soon, cancel := context.WithTimeout(ctx, closeRetryTime)
		err = b.await(soon, func() bool { return b.byTargetLocked(p.ID) == nil })
		cancel()
		if err == nil {
			<-p.Ended()
			return nil
		}
		if ctx.Err() != nil || errors.Is(err, cdp.ErrClosed) {
			return err
		}
	}
}

// beginClosing records that chela is closing the target of a tab, and returns the page of that
// target. From then on the tab gets no other page, see takeOver. If the page has ended with an
// earlier browser, there is no target to close. The tab is then removed, and the result is nil.
func (b *Browser) beginClosing(t *Tab) *page.Page {
	b.mu.Lock()
	defer b.mu.Unlock()
	if errors.Is(t.page.Err(), cdp.ErrClosed) {
		b.forgetLocked(t)
		return nil
	}
	b.noteClosingLocked(t, t.page.ID)
	t.page.SetClosing(true)
	return t.page
}

// noteStaysOpen records that the browser has refused to close a tab.
func (b *Browser) noteStaysOpen(t *Tab, p *page.Page) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.closing, p.ID)
	t.closing = false
	p.SetClosing(false)
	b.kept.raise()
}

// noteClosingLocked records that chela is closing the target of a tab.
func (b *Browser) noteClosingLocked(t *Tab, id string) {
	b.closing[id], t.closing = true, true
	b.kept.raise()
}

// deadlineOnly returns a context that ends at the deadline of ctx, but not when ctx is cancelled.
func deadlineOnly(ctx context.Context) (context.Context, context.CancelFunc) {
	bare := context.WithoutCancel(ctx)
	if deadline, ok := ctx.Deadline(); ok {
		return context.WithDeadline(bare, deadline)
	}
	return context.WithTimeout(bare, backgroundTime)
}
