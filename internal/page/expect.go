package page

import (
	"context"
	"errors"
	"sync"
	"time"
)

// ErrNothingBegan says that an act did not begin what it was to begin.
var ErrNothingBegan = errors.New("nothing has begun")

const (
	// longestRest is how long a page that goes on changing may take to come to rest.
	longestRest = 10 * time.Second
	// lastChance is how long a page may rest before what it is expected to begin will not come.
	lastChance = 3 * time.Second
)

// Expect runs wait, which waits for what an act was to begin, for as long as that
// may still come. When the page has come to rest after the act, and begins
// nothing for a while, the context of wait ends with ErrNothingBegan. Requests
// without an answer and navigations under way are signs that something is to come, and so is
// another tab that the page opened since the effects are collected: what that
// one does is not seen here.
func (p *Page) Expect(ctx context.Context, since *Effects, wait func(context.Context) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	var watching sync.WaitGroup
	defer watching.Wait()
	defer cancel(nil)
	watching.Go(func() {
		if p.comesToNothing(ctx, since) {
			cancel(ErrNothingBegan)
		}
	})
	return wait(ctx)
}

// activity is what has begun in a page so far.
type activity struct {
	visits, navigations, files int
	lastRequest                time.Time
}

// activityLocked says what has begun so far, and whether any of it is under way.
func (p *Page) activityLocked() (begun activity, underWay bool) {
	begun = activity{p.visits, p.navigationCount, p.downloads.begun, p.requests.lastSent}
	return begun, p.requests.unanswered() || len(p.navigations) > 0
}

// comesToNothing waits until the page has rested for lastChance; false if ctx ends before.
func (p *Page) comesToNothing(ctx context.Context, since *Effects) bool {
	for {
		err := p.await(ctx, func() bool {
			_, underWay := p.activityLocked()
			return !underWay && since.begun[NewTab].IsZero()
		})
		if err != nil {
			return false
		}
		limited, cancel := context.WithTimeout(ctx, longestRest)
		since.comeToRest(limited)
		cancel()
		if !p.stirs(ctx, lastChance) {
			return ctx.Err() == nil
		}
	}
}

// stirs reports whether something begins within a time.
func (p *Page) stirs(ctx context.Context, within time.Duration) bool {
	p.mu.Lock()
	before, _ := p.activityLocked()
	p.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	return p.await(ctx, func() bool {
		now, underWay := p.activityLocked()
		return underWay || now != before
	}) == nil
}
