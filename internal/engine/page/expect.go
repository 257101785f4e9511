package page

import (
	"context"
	"errors"
	"sync"
	"time"
)

// ErrNothingBegan says that an act did not begin what it was expected to begin.
var ErrNothingBegan = errors.New("nothing has begun")

const (
	// longestQuiet limits the wait for a page to become quiet, because some pages never do.
	longestQuiet = 10 * time.Second

	// idleLimit is how long a quiet page must begin nothing before we assume that it will begin
	// nothing.
	idleLimit = 3 * time.Second
)

// Expect calls the function wait, which waits for something that an act should cause, such as a
// download or a file chooser. The caller's deadline is minutes away, for slow servers. After a
// click on the wrong element, the wait should end sooner. So when the page is quiet after the act
// and has begun nothing for idleLimit, the context of wait ends with ErrNothingBegan.
//
// While a request has no response, a navigation is under way, or a file chooser is being filled, the
// expected event may still come. It may also come from another tab that the page has opened since
// the Effects began to collect. Expect does not see the activity of that tab. In these cases wait
// ends by itself or with ctx. Expect returns what wait returns.
func (p *Page) Expect(ctx context.Context, since *Effects, wait func(context.Context) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	var watching sync.WaitGroup
	defer watching.Wait()
	defer cancel(nil)
	watching.Go(func() {
		if p.beginsNothing(ctx, since) {
			cancel(ErrNothingBegan)
		}
	})
	return wait(ctx)
}

// activity counts what has begun in a page so far, such as requests and downloads.
type activity struct {
	visits, navigations, files int
	lastRequest                time.Time
}

// activityLocked returns the counts of an [activity], and whether a request or navigation is under
// way, or a file chooser is being filled. A navigation that is only requested is counted, but does
// not count as under way. In a browser that chela has not started, Chromium may ignore it without an
// event: see disabledFeatures in package chrome. Otherwise it starts as soon as the page is quiet.
func (p *Page) activityLocked() (begun activity, underWay bool) {
	begun = activity{p.visits, p.navigationCount, p.downloads.begun, p.requests.lastSent}
	return begun, p.requests.unanswered() || p.leavingAnyLocked(0) || p.filling > 0
}

// beginsNothing waits until the page is quiet and has begun nothing (no request, download, dialog
// or the like) for idleLimit. It returns false if ctx ends first.
func (p *Page) beginsNothing(ctx context.Context, since *Effects) bool {
	for {
		err := p.await(ctx, func() bool {
			_, underWay := p.activityLocked()
			return !underWay && since.begun[NewTab].IsZero()
		})
		if err != nil {
			return false
		}
		limited, cancel := context.WithTimeout(ctx, longestQuiet)
		since.awaitQuiet(limited, quietTime)
		cancel()
		if !p.beginsWithin(ctx, idleLimit) {
			return ctx.Err() == nil
		}
	}
}

// beginsWithin waits until the page begins something, but not longer than the parameter most. It
// reports whether something began.
func (p *Page) beginsWithin(ctx context.Context, most time.Duration) bool {
	p.mu.Lock()
	before, _ := p.activityLocked()
	p.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	return p.await(ctx, func() bool {
		now, underWay := p.activityLocked()
		return underWay || now != before
	}) == nil
}
