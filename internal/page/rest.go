package page

import (
	"context"
	"errors"
	"time"

	"chela/internal/frame"
)

// calm is how long nothing happens in a page that has come to rest.
const calm = 100 * time.Millisecond

// atOnce is how long after its input a page does what the input did at once, as
// in the page script.
const atOnce = 50 * time.Millisecond

// AwaitLater has Rest wait until something happens later than the input of the
// act. It is called before the act.
func (e *Effects) AwaitLater() {
	e.page.mu.Lock()
	defer e.page.mu.Unlock()
	e.later = true
}

func (p *Page) awaitsLaterLocked() bool {
	for e := range p.collecting {
		if e.later {
			return true
		}
	}
	return false
}

// Rest waits until the page has come to rest, at most for a time. A page is also
// at rest before a timer of its own goes off, of which nobody can know;
// AwaitLater is for a caller who expects one.
func (e *Effects) Rest(ctx context.Context, most time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	if e.later && e.page.awaitLater(ctx) != nil {
		return
	}
	e.comeToRest(ctx)
}

// comeToRest waits until for a moment nothing has changed, no request is under
// way, and no transition runs that ends before ctx does.
func (e *Effects) comeToRest(ctx context.Context) {
	p := e.page
	for {
		err := e.rest(ctx)
		switch {
		case errors.Is(err, frame.ErrGone): // another document is to rest
			if p.sync(ctx) != nil {
				return
			}
		case err != nil:
			return
		case p.quiet():
			return
		}
		if p.awaitRequests(ctx) != nil {
			return
		}
	}
}

// awaitLater waits until something has happened that is later than the input:
// a document changed some time after the input, a request was answered or ended,
// whenever it was sent, another document or a file came, or the page gave itself
// another address.
func (p *Page) awaitLater(ctx context.Context) error {
	changed := make(chan struct{}, 1)
	for _, w := range p.origins() {
		later := frame.Send[struct{}](ctx, w, "awaitLater", time.Until(frame.Deadline(ctx)).Milliseconds())
		go func() {
			if _, err := later.Wait(ctx); ctx.Err() != nil || err != nil && !errors.Is(err, frame.ErrGone) {
				return
			}
			select {
			case changed <- struct{}{}:
			default: // another document did first
			}
		}()
	}
	return p.awaitOr(ctx, changed, func() bool { return p.outcomes > p.act.outcomes || p.visits > p.act.visits || p.act.later() })
}

// rest waits for the documents to come to rest.
func (e *Effects) rest(ctx context.Context) error {
	p := e.page
	if _, err := p.worldOf(ctx, p.main()); err != nil {
		return err
	}
	var answers []frame.Answer[changes]
	for _, w := range p.origins() {
		answers = append(answers, frame.Send[changes](ctx, w, "awaitQuiet", calm.Milliseconds(), time.Until(frame.Deadline(ctx)).Milliseconds()))
	}
	for _, a := range answers {
		c, err := a.Wait(ctx)
		if err != nil {
			return err
		}
		e.changedLater(a.World, c)
	}
	return nil
}

// changedLater notes a change after an act, unless another document has come
// meanwhile: that is an effect of its own, and every document changes while it loads.
func (e *Effects) changedLater(w *frame.World, c changes) {
	p := e.page
	p.mu.Lock()
	defer p.mu.Unlock()
	if c.At > 0 && p.main().Loader == e.loader {
		p.recordChangesLocked(w, c)
	}
}

// quiet reports whether no request is under way, or was sent a moment ago.
func (p *Page) quiet() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	return p.requests.wait(now) <= 0 && now.Sub(p.requests.lastSent) >= calm
}

// awaitRequests waits until no request is under way.
func (p *Page) awaitRequests(ctx context.Context) error {
	for {
		p.mu.Lock()
		wait, changed := p.requests.wait(time.Now()), p.changed
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
