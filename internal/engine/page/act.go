package page

import (
	"context"
	"errors"
	"time"

	protocol "github.com/chromedp/cdproto/cdp"
	proto "github.com/chromedp/cdproto/page"

	"chela/internal/engine/cdp"
)

// Act calls the function do, which sends input to the page. It then waits until the navigations and
// downloads that the input began have an outcome (see settle). It does not wait until the page is
// quiet: see [Effects.AwaitQuiet]. An act that closes the page has succeeded, so ErrClosed is not
// an error here, unless chela is closing the tab: see [Page.SetClosing]. Other errors come from do. If an
// error wraps ErrSent, input was sent before it occurred.
func (p *Page) Act(ctx context.Context, do func(context.Context) error) error {
	defer p.keepHeld()()
	defer p.Paint()()
	p.endHighlight()
	defer p.beginFlash()()
	mark, files := p.navigationMark(), p.downloadsMark()
	p.watchChanges(ctx)
	if err := do(ctx); err != nil {
		return p.withCandidates(ctx, err)
	}
	p.collectChanges(ctx, mark)
	switch err := p.settle(ctx, mark, files); {
	case p.isClosing() && (err != nil || p.Err() != nil):
		return withSent(ErrClosed)
	case err == nil, errors.Is(err, ErrClosed):
		return nil
	default:
		return withSent(err)
	}
}

// SetClosing records whether chela is closing the tab or its browser. An act that is under way fails if
// its page then ends before the outcome is known. Chromium may also leave the tab open.
func (p *Page) SetClosing(now bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closing = now
}

func (p *Page) isClosing() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.closing
}

// navigationMark returns how many navigations have begun so far. A navigation that begins later has
// a higher number: see navigation.order.
func (p *Page) navigationMark() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.navigationCount
}

// requestTime is how long a navigation that a page has requested may take to begin. A navigation to
// another program (mailto:) never begins.
const requestTime = 500 * time.Millisecond

// settle waits until each navigation and download that began in this act has an outcome. The
// parameters since and files are the navigationMark and the downloadsMark from before the act. A
// navigation has an outcome when its document has been committed, or when it has ended without one.
// A download has one when it has begun. The answer to the act can then name the new address and the
// file, and the next call sees the new document. Whatever is not finished at [ScriptDeadline]
// continues, and settle returns.
func (p *Page) settle(ctx context.Context, since int, files downloads) error {
	if err := p.Sync(ctx); err != nil && !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return err
	}
	p.recordInputTaken()
	p.awaitStart(ctx, since)
	limited, cancel := context.WithTimeout(ctx, remaining(ctx))
	defer cancel()
	p.await(limited, func() bool { return !p.leavingAnyLocked(since) && !p.downloadPendingLocked(files) })
	if ctx.Err() != nil && interrupts(context.Cause(ctx)) {
		return context.Cause(ctx)
	}
	return nil
}

// awaitStart waits, for requestTime at most, until each navigation that was requested since a moment
// has started or ended. The parameter since is the navigationMark of that moment.
func (p *Page) awaitStart(ctx context.Context, since int) {
	soon, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	p.await(soon, func() bool {
		for _, o := range p.navigations {
			if o.order > since && o.loader == "" {
				return false
			}
		}
		return true
	})
}

// A Place is where the main frame of a page was at a moment.
type Place struct {
	page                *Page
	visits, navigations int // [Page.Visits], and the navigationMark
	url, loader         string
}

// Place returns where the main frame is now.
func (p *Page) Place() Place {
	p.mu.Lock()
	defer p.mu.Unlock()
	return Place{p, p.visits, p.navigationCount, p.main().Address(), p.main().Loader}
}

// HasLeft reports whether the main frame has got another document or address since, or has begun to
// load one since. It waits until that one is there, or ctx ends.
func (at Place) HasLeft(ctx context.Context) bool {
	p := at.page
	// A page of another process has led this one elsewhere, and has asked the browser process for it. That
	// process reports the navigation before it answers a later command. What it answers does not matter.
	cdp.CallWithin(ctx, p.session, proto.GetNavigationHistory, protocol.Empty{}, 64<<10)
	p.Sync(ctx)
	p.awaitStart(ctx, at.navigations)
	p.await(ctx, func() bool {
		o := p.navigations[p.main().ID]
		return o.order <= at.navigations || o.loader == ""
	})
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.main().Loader == at.loader && p.main().Address() != at.url {
		return true
	}
	return p.mainNavigation > at.navigations && (p.visits > at.visits || p.navigations[p.main().ID].loader != "")
}

// An actMark says when the tab's last act began, and when the page got its input. What the page
// does later may be an effect of the input.
type actMark struct {
	outcomes int   // Page.outcomes when the act began
	visits   int   // Page.visits when the page had received the input
	input    int64 // when the documents got the last input event, in milliseconds of their own Date.now; 0: none so far
}

// recordInputTaken records that the page has received the input of an act. An address that a script
// sets from now on counts as a later effect, see awaitLater.
func (p *Page) recordInputTaken() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.act.visits = p.visits
}
