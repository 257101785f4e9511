package page

import (
	"context"
	"errors"
	"fmt"
	"time"

	"chela/internal/base/stage"
	"chela/internal/engine/cdp"
	"chela/internal/engine/frame"
)

// Turn runs fn while no other turn runs, in the order of the calls. The context of fn also ends
// when the page can no longer answer. If fn then fails, Turn returns the cause of that context,
// because the cause made fn fail.
//
// The error is ErrOccupied, with the cause, if other turns lasted until ctx ended. It is
// ErrReplaced if fn needed a document that was replaced. It says why the page could not answer:
// ErrCrashed, ErrClosed, [cdp.ErrClosed], ErrStopped, a [*TakenError] or a [DialogOpen]. Otherwise it
// is the error of fn.
func (p *Page) Turn(ctx context.Context, fn func(ctx context.Context) error) error {
	return p.TurnBefore(ctx, frame.Deadline(ctx), fn)
}

// TurnBefore does what Turn does, but the turn must begin by the time latest, which is before the
// deadline of ctx. If it cannot, TurnBefore returns ErrOccupied at that time, and does not run fn.
func (p *Page) TurnBefore(ctx context.Context, latest time.Time, fn func(ctx context.Context) error) (err error) {
	ctx, done := p.interruptible(ctx)
	defer done()
	if err := p.awaitTurn(ctx, latest); err != nil {
		return err
	}
	defer p.endWork()
	defer p.turn.Unlock()
	p.beginWork()
	ctx, end := stage.Begin(ctx, stage.Turn)
	defer func() { end(err) }()
	return p.watch(ctx, fn)
}

// awaitTurn waits until no other turn runs, and takes the turn. If other turns last until the time
// in the parameter latest, it returns ErrOccupied. Otherwise the error is the cause of ctx.
func (p *Page) awaitTurn(ctx context.Context, latest time.Time) (err error) {
	_, end := stage.Begin(ctx, stage.Wait)
	defer func() { end(err) }()
	waiting, cancel := context.WithDeadlineCause(ctx, latest, context.DeadlineExceeded)
	defer cancel()
	err = p.turn.Lock(waiting)
	if err != nil && errors.Is(waiting.Err(), context.DeadlineExceeded) {
		return fmt.Errorf("%w: %w", ErrOccupied, err)
	}
	return err
}

// InTurn reports whether a turn is under way. A watch does not count: see [Page.Occupied].
func (p *Page) InTurn() bool { return p.turn.Locked() }

// Watch runs fn as Turn does, but at the same time as turns: fn must only read and wait. It never
// returns ErrOccupied.
func (p *Page) Watch(ctx context.Context, fn func(ctx context.Context) error) error {
	ctx, done := p.interruptible(ctx)
	defer done()
	return p.watch(ctx, fn)
}

// Occupied reports whether a Turn or a Watch is under way.
func (p *Page) Occupied() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.calls) > 0
}

// watch runs fn in an interruptible context, and returns its error or the cause that made it fail:
// see [Page.Turn].
func (p *Page) watch(ctx context.Context, fn func(ctx context.Context) error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	err := fn(ctx)
	if errors.Is(err, frame.ErrGone) {
		p.Sync(ctx) // if the tab has ended, that is the cause of ctx from now on
	}
	if cause := context.Cause(ctx); cause != nil && err != nil && interrupts(cause) {
		if errors.Is(err, ErrSent) {
			return withSent(cause)
		}
		return cause
	}
	if errors.Is(err, frame.ErrGone) {
		return fmt.Errorf("%w: %w", ErrReplaced, err)
	}
	return err
}

// interruptible returns a context that also ends when the page cannot answer. If the page cannot
// answer now, the context has already ended. The returned function must be called at the end of the
// turn or watch.
func (p *Page) interruptible(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.calls[&cancel] = touchOf(ctx)
	if p.end != nil {
		cancel(p.end)
	} else if why := p.withheldLocked(ctx); why != nil {
		cancel(why)
	} else if open := p.dialogs.open(); open != nil {
		cancel(open)
	}
	return ctx, func() {
		cancel(nil)
		p.mu.Lock()
		delete(p.calls, &cancel)
		p.mu.Unlock()
		if p.on.Idle != nil {
			p.on.Idle()
		}
	}
}

// interrupts reports whether the cause of a context, or another error, is that the page cannot answer.
func interrupts(cause error) bool {
	_, dialog := errors.AsType[*DialogOpen](cause)
	return dialog || errors.Is(cause, ErrCrashed) || errors.Is(cause, ErrStuck) || errors.Is(cause, ErrClosed) || errors.Is(cause, cdp.ErrClosed) || byPerson(cause)
}

// Interrupt ends the turns and watches under way, with a cause, see interruptLocked.
func (p *Page) Interrupt(cause error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.interruptLocked(cause)
}

// interruptLocked ends the contexts of all turns and watches under way. A [*TakenError] ends only
// those that the person keeps from touching the page.
func (p *Page) interruptLocked(cause error) {
	person, taken := errors.AsType[*TakenError](cause)
	for cancel, touch := range p.calls {
		if taken {
			cause = touch.withheld(person.TakeOver)
		}
		if cause != nil {
			(*cancel)(cause)
		}
	}
}
