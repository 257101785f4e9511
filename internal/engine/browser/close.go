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
	b, p := t.browser, t.Page()
	if b.forgetDead(t, p) {
		return nil
	}
	b.keepWindow(ctx, t)
	for {
		reply := cdp.Send(b.conn.Root(), target.CloseTarget, target.CloseTargetParams{TargetID: target.ID(p.ID)})
		p.Unstick(ctx, p.Ended())
		_, err := reply.Wait(ctx)
		if refusal, ok := errors.AsType[*cdp.Error](err); err != nil && (!ok || refusal.Unknown() || refusal.Code == cdp.Withheld) { // any other refusal means that the tab is gone
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

// forgetDead removes a tab whose page has ended with an earlier browser: it has no target to close.
// For any other tab it records that chela is closing the target, and returns false.
func (b *Browser) forgetDead(t *Tab, p *page.Page) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if errors.Is(p.Err(), cdp.ErrClosed) {
		b.forgetLocked(t)
		return true
	}
	b.noteClosingLocked(t, p.ID)
	return false
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
