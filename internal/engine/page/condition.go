package page

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"chela/internal/engine/frame"
)

// A condition is a state of a document for which a call waits. It is checked in each frame.
type condition struct {
	// The function in returns the world of a frame in which the condition is checked. That is the
	// page script's world, or the main world, where scripts of the page run.
	in func(*frame.Frame) *frame.World

	// holds waits until the condition holds in a document, and returns true. At waitDeadline it
	// returns false. It returns ErrEnded if it must not be repeated, such as the caller's function, which
	// may be what kept the page busy.
	holds func(context.Context, *frame.World) (bool, error)
}

// visibleCondition returns a condition about what a document shows. The page script checks it
// (wait.js).
func (p *Page) visibleCondition(ctx context.Context, what map[string]any) condition {
	what["by"] = waitDeadline(ctx)
	return condition{
		in: func(f *frame.Frame) *frame.World { return f.World },
		holds: func(ctx context.Context, w *frame.World) (bool, error) {
			for {
				holds, err := p.holdsIn(ctx, w, what)
				if !errors.Is(err, frame.ErrEnded) {
					return holds, err
				}
				// A call that changes nothing can be repeated.
			}
		},
	}
}

// awaitCondition waits until a condition holds in any frame or, if all is true, in every frame.
// Scripts in the documents do the waiting, so a long wait costs no messages.
//
// The error is a [WaitError] at the deadline, an error of c.holds, such as ErrEnded, or why the turn ended. At the
// deadline, each document answers that the condition did not hold. To receive these answers,
// awaitCondition itself waits for half of AnswerTime longer. If a document does not answer, the
// other half is left to report that the page is busy.
func (p *Page) awaitCondition(ctx context.Context, c condition, all bool, what Awaited) error {
	pings := p.sendPings(ctx)
	defer pings.end()
	for {
		err := p.await(ctx, func() bool { return c.in(p.main()) != nil || p.main().Crashed })
		if err != nil {
			return frame.Failure(ctx, err)
		}
		round, stop := context.WithDeadline(ctx, waitDeadline(ctx).Add(AnswerTime/2))
		holds, err := p.askFrames(round, c, all)
		stop()
		switch {
		case holds:
			return nil
		case errors.Is(err, errUnopened):
			return &WaitError{Awaited: what, Unopened: true}
		case errors.Is(err, frame.ErrEnded) && time.Now().Before(waitDeadline(ctx)):
			return err // an ErrEnded is also an ErrBusy, but before the deadline the page is not busy any more
		case errors.Is(ctx.Err(), context.DeadlineExceeded), errors.Is(err, ErrBusy):
			return &WaitError{Awaited: what, Busy: !pings.answered()}
		case context.Cause(ctx) != nil:
			return frame.Failure(ctx, cmp.Or(err, context.Cause(ctx)))
		case err != nil:
			return err
		case !time.Now().Before(waitDeadline(ctx)):
			return &WaitError{Awaited: what}
		}
	}
}

// errRoundOver is the cause with which askFrames ends the calls whose answers it no longer needs.
var errRoundOver = errors.New("the wait does not need this answer any more")

// askFrames waits in all documents at once until the condition holds in one or, if all is true, in
// every one. A document that comes meanwhile is asked as well. But if all is true and a document comes
// or goes, askFrames returns false: what the others have answered may no longer be so.
//
// A cross-site frame, such as an advertisement, may not answer. In a wait for any frame, that
// counts as if the condition did not hold there, and so does a frame that goes away. But if a frame
// in the main frame's process does not answer, it is an error: the main frame cannot answer either.
func (p *Page) askFrames(ctx context.Context, c condition, all bool) (bool, error) {
	type result struct {
		w     *frame.World
		holds bool
		err   error
		come  []*frame.World // documents that have come; the other fields are not set then
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(errRoundOver)
	results, over := make(chan result), make(chan struct{})
	defer close(over)
	send := func(r result) {
		select {
		case results <- r:
		case <-over:
		}
	}
	var asked []*frame.World
	waiting := 0
	ask := func(worlds []*frame.World) {
		asked = append(slices.Clip(asked), worlds...) // the goroutine before still reads the old list
		waiting += len(worlds)
		for _, w := range worlds {
			go func() {
				holds, err := c.holds(ctx, w)
				send(result{w: w, holds: holds, err: err})
			}()
		}
		known := asked
		go func() {
			var come []*frame.World
			err := p.await(ctx, func() bool {
				come = slices.DeleteFunc(p.frames.Worlds(c.in), func(w *frame.World) bool { return slices.Contains(known, w) })
				return len(come) > 0
			})
			if err == nil {
				send(result{come: come})
			}
		}()
	}
	ask(p.worlds(c.in))
	for waiting > 0 {
		r := <-results
		come, gone := len(r.come) > 0, errors.Is(r.err, frame.ErrGone)
		switch {
		case all && (come || gone):
			return false, nil
		case come:
			ask(r.come)
			continue
		case r.err != nil && !gone && (all || r.w.Session == p.session):
			return false, r.err
		case r.holds != all:
			return r.holds, nil
		}
		waiting--
	}
	return all && len(asked) > 0, nil
}

// shownAnswer is the page script's answer of awaitShown.
type shownAnswer struct {
	Holds    bool
	Unopened bool // it would hold if nothing else is in the elements that may have a closed shadow root
	unread
}

// errUnopened is the error of holdsIn for an answer that was Unopened until the deadline.
var errUnopened = errors.New(Unopened)

// holdsIn waits in one document. The script answers early when it finds elements that may have
// closed shadow roots. holdsIn then opens the shadow roots and asks again.
func (p *Page) holdsIn(ctx context.Context, w *frame.World, what map[string]any) (bool, error) {
	o := maps.Clone(what) // documents are asked at the same time
	var is shownAnswer    // the last answer
	for {
		_, err := p.makeReadable(ctx, w, func(last, whole bool) (unread, error) {
			o["last"], o["whole"] = last, last && whole
			next, err := frame.Call[shownAnswer](ctx, w, "awaitShown", o)
			if err == nil {
				is = next
			}
			return next.unread, err
		})
		switch {
		case is.Unopened && (err == nil && is.Suspects == 0 || errors.Is(ctx.Err(), context.DeadlineExceeded)):
			return false, errUnopened
		case err != nil || is.Suspects == 0:
			return is.Holds, err
		}
	}
}
