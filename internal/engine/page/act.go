package page

import (
	"context"
	"errors"
	"time"
)

// Act runs an act, and waits for the outcome of what it began; see settle. It does
// not wait for the page to become quiet: see [Effects.Rest]. A page that the act has
// closed has done what it was to do, so ErrClosed is no error here. The other errors
// are those of do; with ErrSent, input was sent.
func (p *Page) Act(ctx context.Context, do func(context.Context) error) error {
	defer p.keepHeld()()
	p.endHighlight()
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

// navigationMark returns the number of navigations that have begun. Those of a
// higher order begin later than now.
func (p *Page) navigationMark() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.navigationCount
}

// requestTime is how long a navigation that a page has requested may take to begin.
// One for another program (mailto:) never does.
const requestTime = 500 * time.Millisecond

// settle waits until what has begun since the marks has its outcome: each
// navigation has committed or ended without a document, each download has begun.
// So the answer to the act can name the new address and the file, and the next call
// sees the new document. What is still under way at the deadline of pages goes on.
func (p *Page) settle(ctx context.Context, since int, files downloads) error {
	if err := p.Sync(ctx); err != nil {
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
	soon, cancel := context.WithTimeout(ctx, requestTime)
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

// An actMark says, of the last act, what is compared with what comes later than its
// input. Times are those of Date.now in the page, in milliseconds.
type actMark struct {
	outcomes int   // Page.outcomes when the act began
	visits   int   // Page.visits when the page had taken the input
	input    int64 // when the documents got the last input event; 0: none so far
	otherAt  int64 // when a document that got no input first changed; 0: none did
}

// later reports whether a document that got no input has changed later than the
// input. A frame of another site does, for one, when it is sent a message.
func (m actMark) later() bool {
	return m.input > 0 && m.otherAt > m.input+atOnce.Milliseconds()
}

// inputTaken records that the page has taken the input of an act: an address that
// a script sets from now on comes later than that.
func (p *Page) inputTaken() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.act.visits = p.visits
}
