package page

import (
	"context"
	"errors"
	"time"

	"chela/internal/engine/frame"
)

// A page is quiet when for quietTime no document has changed or was scrolled, and no request is
// under way. Also, no transition may be running that ends before the deadline. Such quiet is no
// proof that the page has finished. A timer may be about to change everything, and no script can
// list a page's timers. So a caller who expects a later change can wait for that first (AwaitLater).
const quietTime = 100 * time.Millisecond

// AwaitLater makes AwaitQuiet first wait until something happens after the immediate effects of the
// input. It must be called before the act.
func (e *Effects) AwaitLater() {
	e.page.mu.Lock()
	defer e.page.mu.Unlock()
	e.later = true
}

// awaitsLaterLocked reports whether AwaitLater was called for any Effects that are being collected.
func (p *Page) awaitsLaterLocked() bool {
	for e := range p.collecting {
		if e.later {
			return true
		}
	}
	return false
}

// AwaitQuiet waits until the page is quiet, but not longer than the given time.
func (e *Effects) AwaitQuiet(ctx context.Context, most time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	if e.later && e.page.awaitLater(ctx) != nil {
		return
	}
	e.awaitQuiet(ctx, quietTime)
}

// AwaitSettled waits until nothing has happened in the page for as long as the parameter idle says,
// or until ctx ends; see quietTime. If a meta refresh will replace the page before ctx ends,
// AwaitSettled also waits for the new page.
func (p *Page) AwaitSettled(ctx context.Context, idle time.Duration) {
	e := p.Collect(ctx)
	defer e.End()
	e.awaitQuiet(ctx, idle)
	for p.awaitRefresh(ctx) {
		e.awaitQuiet(ctx, idle)
	}
}

// awaitQuiet waits for the documents, then for the requests. If it had to wait for a request, or
// another document came, it waits for the documents again.
func (e *Effects) awaitQuiet(ctx context.Context, idle time.Duration) {
	p := e.page
	if !e.isWatched() {
		p.watchChanges(ctx)
	}
	for {
		err := e.awaitDocuments(ctx, idle)
		switch {
		case errors.Is(err, frame.ErrGone): // another document has come, and is the one that must become quiet
			if p.Sync(ctx) != nil {
				return
			}
		case err != nil:
			return
		case p.networkQuiet(idle):
			return
		}
		if p.awaitRequests(ctx) != nil {
			return
		}
	}
}

// awaitLater waits until something has happened after the immediate effects of the input. One of
// these counts:
//
//   - A document changed, later after the input than AT_ONCE in change.js.
//   - A request that informs was answered or ended, whenever it was sent.
//   - Another document came, a download began, or a script set another address.
func (p *Page) awaitLater(ctx context.Context) error {
	p.mu.Lock()
	input := p.act.input
	p.mu.Unlock()
	changed := make(chan struct{}, 1)
	for _, later := range sendToOrigins[struct{}](ctx, p, "awaitLater", time.Until(frame.Deadline(ctx)).Milliseconds(), input) {
		go func() {
			if _, err := later.Wait(ctx); ctx.Err() != nil || err != nil && !isLost(err) {
				return
			}
			select {
			case changed <- struct{}{}:
			default: // another document changed first
			}
		}()
	}
	return p.awaitOr(ctx, changed, func() bool { return p.outcomes > p.act.outcomes || p.visits > p.act.visits })
}

// awaitDocuments waits until no document has changed or was scrolled for as long as the parameter
// idle says. It also waits for running transitions that end before ctx does. It records changes
// since the act began. If a document was replaced, the error is frame.ErrGone.
func (e *Effects) awaitDocuments(ctx context.Context, idle time.Duration) error {
	p := e.page
	if _, err := p.worldOf(ctx, p.main()); err != nil {
		return err
	}
	limit := time.Until(frame.Deadline(ctx)).Milliseconds()
	for _, a := range sendToOrigins[changes](ctx, p, "awaitQuiet", idle.Milliseconds(), limit) {
		c, err := a.Wait(ctx)
		if err != nil {
			return err
		}
		e.recordLater(a.World, c)
	}
	return nil
}

// recordLater records changes that a document reports while the page becomes quiet. It ignores them
// if the main frame has a new document. The new document is an effect of its own, and any document
// changes while it loads.
func (e *Effects) recordLater(w *frame.World, c changes) {
	p := e.page
	p.mu.Lock()
	defer p.mu.Unlock()
	if c.At > 0 && p.main().Loader == e.loader {
		p.recordChangesLocked(w, c)
	}
}

// networkQuiet reports whether no request is under way, and none was sent for as long as the
// parameter idle says.
func (p *Page) networkQuiet(idle time.Duration) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	return p.requests.waitFor(now) <= 0 && now.Sub(p.requests.lastSent) >= idle
}

// awaitRequests waits until no request is under way.
func (p *Page) awaitRequests(ctx context.Context) error {
	for {
		p.mu.Lock()
		wait, changed := p.requests.waitFor(time.Now()), p.changed
		p.mu.Unlock()
		if wait <= 0 {
			return nil
		}
		timer := time.NewTimer(wait)
		select {
		case <-changed:
		case <-timer.C:
		case <-ctx.Done():
		}
		timer.Stop()
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
}
