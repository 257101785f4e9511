package page

import (
	"context"
	"errors"
	"time"
)

// Act runs an act and waits for what it began. A page that closes itself took the act.
func (p *Page) Act(ctx context.Context, do func(context.Context) error) error {
	mark, files := p.navigationMark(), p.downloadsMark()
	p.watchChanges(ctx)
	if err := do(ctx); err != nil {
		return err
	}
	p.collectChanges(ctx, mark)
	if err := p.settle(ctx, mark, files); !errors.Is(err, ErrClosed) {
		return err
	}
	return nil
}

// begun marks now, for settle.
func (p *Page) navigationMark() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.navigationCount
}

// settle waits until what has begun since a mark has its outcome: each
// navigation has committed or come to nothing, each file has begun to arrive.
// One whose server is slow is left to go on when the deadline comes. A
// navigation that was only requested is given a moment to begin: it may have
// been for another program.
func (p *Page) settle(ctx context.Context, since int, files downloads) error {
	if err := p.sync(ctx); err != nil {
		return err
	}
	p.inputTaken()
	p.restoreExpected(files)
	pending := func(counts func(navigation) bool) func() bool {
		return func() bool {
			for _, o := range p.navigations {
				if o.order > since && counts(o) {
					return false
				}
			}
			return true
		}
	}
	soon, cancel := context.WithTimeout(ctx, 500*time.Millisecond)
	defer cancel()
	p.await(soon, pending(func(o navigation) bool { return o.loader == "" }))
	limited, cancel := context.WithTimeout(ctx, remaining(ctx))
	defer cancel()
	documents := pending(func(o navigation) bool { return o.loader != "" })
	p.await(limited, func() bool { return documents() && !p.downloadPendingLocked(files) })
	if ctx.Err() != nil && interrupts(context.Cause(ctx)) {
		return context.Cause(ctx)
	}
	return nil
}

// An actMark is what the page was like when the last act on it began or, for
// visits, when it had taken the input.
type actMark struct {
	outcomes  int
	visits    int
	input     int64 // when the last input came, as the page's clock counts
	elsewhere int64 // when a document of another origin than the input's first changed
}

// later reports whether a document changed later than the input which did not
// get that: a frame of another site, for one, that got a message.
func (m actMark) later() bool {
	return m.input > 0 && m.elsewhere > m.input+atOnce.Milliseconds()
}

// inputTaken marks that the page has taken the input of an act: an address that
// it gives itself from now on comes later than that.
func (p *Page) inputTaken() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.act.visits = p.visits
}
