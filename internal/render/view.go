package render

import (
	"context"
	"errors"
	"fmt"
	"time"

	"chela/internal/page"
)

// A View is a page to show, and how.
type View struct {
	page.Destination
	page.Viewport
	Pause          // after the page has loaded
	Hosts []string // the only ones that the page may open; nil: all that the policy allows
}

// A Pause gives a page time to show what its scripts bring.
type Pause struct {
	Time    time.Duration
	Settled bool // instead, until the page is quiet
}

// A page is settled when it was quiet for quietTime; it is waited for for settleTime at most.
const (
	quietTime  = 500 * time.Millisecond
	settleTime = 10 * time.Second
)

// ErrSlow says that no document came in time.
var ErrSlow = errors.New("the server did not answer in time")

// errLookNow says that the rest of the time is needed to look at the page.
var errLookNow = errors.New("the page had not finished when it had to be looked at")

// How much of the time of a call is kept for looking at the page: a part of it, but not more
// than lookTime.
const (
	lookShare = 4
	lookTime  = 5 * time.Second
)

// show opens the page in an empty one, waits, and looks.
func (v View) show(ctx context.Context, p *page.Page, look func(context.Context, *page.Page) error) (partial bool, err error) {
	p.DismissDialogs()
	if err := p.Resize(ctx, v.Viewport); err != nil {
		return false, err
	}
	visits := p.Visits()
	opening, cancel := v.opening(ctx)
	defer cancel()
	err = v.open(opening, p)
	if partial = err != nil && context.Cause(opening) == errLookNow; partial {
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
	return partial, retried(ctx, p, look)
}

// opening returns a context that ends, with errLookNow, when the page has to be looked at.
func (v View) opening(ctx context.Context) (context.Context, context.CancelFunc) {
	deadline, _ := ctx.Deadline()
	return context.WithDeadlineCause(ctx, deadline.Add(-min(lookTime, time.Until(deadline)/lookShare)), errLookNow)
}

// open opens the page and waits. A page that has gone on to another one by then, as by a meta
// refresh, is waited for to load, and one whose script is busy to answer. Without a pause, a refresh after 0 seconds
// counts as well: Chromium begins it before it answers what is asked after the page has loaded.
func (v View) open(ctx context.Context, p *page.Page) error {
	if _, err := p.Go(ctx, v.Destination); err != nil {
		return err
	}
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

// Await returns when the time has passed or the page is quiet. The error is why ctx ended before.
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

// retried looks at the page, and again if another document came while it did, as long as there is
// time. A page that navigates without end is not worth more than a few tries.
func retried(ctx context.Context, p *page.Page, look func(context.Context, *page.Page) error) (err error) {
	for range 3 {
		err = p.Watch(ctx, func(ctx context.Context) error { return look(ctx, p) })
		if !errors.Is(err, page.ErrReplaced) {
			return err
		}
	}
	return err
}
