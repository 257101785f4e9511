package render

import (
	"context"
	"errors"
	"fmt"
	"time"

	"chela/internal/engine/page"
	"chela/internal/engine/setting"
)

// A View is a page to show, and how.
type View struct {
	page.Destination
	setting.Viewport
	Pause          // pause after the page has loaded
	Hosts []string // the only hosts that the page may open; nil: all that the policy allows
}

// A Pause gives the scripts of a page time to show their results.
type Pause struct {
	Time    time.Duration
	Settled bool // wait until the page is quiet instead
}

// A page is settled when it was quiet for quietTime. The wait for that takes at most settleTime.
const (
	quietTime  = 500 * time.Millisecond
	settleTime = 10 * time.Second
)

// ErrSlow says that no document came in time.
var ErrSlow = errors.New("the server did not answer in time")

// errLookNow says that the page must be looked at now, because looking at it needs the remaining
// time.
var errLookNow = errors.New("the page had not finished when it had to be looked at")

// A part of the time of a call is reserved for looking at the page: 1/lookShare of it, but at most
// lookTime. If a document has come and still loads, up to longLookTime is reserved: such a document
// may be large, and take long to look at.
const (
	lookShare    = 4
	lookTime     = 5 * time.Second
	longLookTime = 15 * time.Second
)

// show opens the page in an empty tab, waits as v.Pause says, and calls the function look. The
// result partial is true if the page had not loaded in time.
func (v View) show(ctx context.Context, p *page.Page, look func(context.Context, *page.Page) error) (partial bool, err error) {
	p.DismissDialogs()
	if err := p.Resize(ctx, v.Viewport); err != nil {
		return false, err
	}
	visits := p.Visits()
	err = v.open(ctx, p)
	if partial = errors.Is(err, errLookNow); partial {
		if p.Visits() == visits {
			return false, fmt.Errorf("%w: %w", ErrSlow, context.DeadlineExceeded)
		}
		p.StopLoading(ctx)
	} else if err != nil {
		return false, err
	}
	if err := p.LoadFailed(ctx); err != nil {
		return false, err
	}
	err = retryLook(ctx, p, look)
	return partial || p.Broken(), err
}

// open opens the page and waits. The error is errLookNow if loading has used up its part of the
// time, so the page must be looked at as it is.
func (v View) open(ctx context.Context, p *page.Page) error {
	deadline, _ := ctx.Deadline()
	kept := func(limit time.Duration) time.Duration { return min(limit, time.Until(deadline)/lookShare) }
	waiting, cancel := context.WithDeadlineCause(ctx, deadline.Add(-kept(lookTime)), errLookNow)
	defer cancel()
	loading, stop := context.WithCancelCause(waiting)
	defer stop(nil)
	visits := p.Visits()
	timer := time.AfterFunc(time.Until(deadline)-kept(longLookTime), func() {
		if p.Visits() > visits {
			stop(errLookNow)
		}
	})
	defer timer.Stop()
	if _, err := p.Go(loading, v.Destination); err != nil {
		return lookNow(loading, err)
	}
	return lookNow(waiting, v.settle(waiting, p))
}

// lookNow returns err, or errLookNow if ctx ended because the page has to be looked at.
func lookNow(ctx context.Context, err error) error {
	if err != nil && context.Cause(ctx) == errLookNow {
		return errLookNow
	}
	return err
}

// settle waits after the document has loaded. If the page has navigated to another one by then, for
// example by a meta refresh, settle waits until the other page has loaded. If a script of the page
// is busy, settle waits until the page answers. Even a refresh after 0 seconds counts: Chromium
// begins it before it answers commands that are sent after the load.
func (v View) settle(ctx context.Context, p *page.Page) error {
	if err := v.Await(ctx, p); err != nil {
		return err
	}
	if v.Pause == (Pause{}) {
		if err := p.AwaitAnswer(ctx); err != nil {
			return err
		}
	}
	if err := p.AwaitLoaded(ctx); err != nil {
		return err
	}
	return p.AwaitAnswer(ctx)
}

// Await waits until the time has passed, or the page is quiet. The error says why ctx ended before.
func (w Pause) Await(ctx context.Context, p *page.Page) error {
	if w.Settled {
		limited, cancel := context.WithTimeout(ctx, settleTime)
		defer cancel()
		p.AwaitSettled(limited, quietTime)
		return context.Cause(ctx)
	}
	timer := time.NewTimer(w.Time)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// retryLook looks at the page. If another document comes meanwhile, it looks again. It looks at
// most three times, as long as there is time.
func retryLook(ctx context.Context, p *page.Page, look func(context.Context, *page.Page) error) (err error) {
	for range 3 {
		err = p.Watch(ctx, func(ctx context.Context) error { return look(ctx, p) })
		if !errors.Is(err, page.ErrReplaced) {
			return err
		}
	}
	return err
}
