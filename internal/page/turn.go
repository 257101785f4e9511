package page

import (
	"context"
	"errors"
	"fmt"
	"time"

	"chela/internal/cdp"
	"chela/internal/frame"
)

// Turn runs fn while nothing else touches the page. Its context ends with the
// caller's, or with what made the page unable to answer. ErrOccupied comes with
// the cause when other turns lasted until then.
func (p *Page) Turn(ctx context.Context, fn func(ctx context.Context) error) error {
	return p.TurnBefore(ctx, frame.Deadline(ctx), fn)
}

// TurnBefore is Turn that must begin before latest, which is before ctx ends.
func (p *Page) TurnBefore(ctx context.Context, latest time.Time, fn func(ctx context.Context) error) error {
	ctx, done := p.interruptible(ctx)
	defer done()
	waiting, cancel := context.WithDeadlineCause(ctx, latest, context.DeadlineExceeded)
	defer cancel()
	select {
	case p.turn <- struct{}{}:
	case <-waiting.Done():
		if errors.Is(waiting.Err(), context.DeadlineExceeded) {
			return fmt.Errorf("%w: %w", ErrOccupied, context.Cause(waiting))
		}
		return context.Cause(waiting)
	}
	defer func() { <-p.turn }()
	return p.watch(ctx, fn)
}

// Watch is Turn for what only looks and waits: it runs beside the turns of others.
func (p *Page) Watch(ctx context.Context, fn func(ctx context.Context) error) error {
	ctx, done := p.interruptible(ctx)
	defer done()
	return p.watch(ctx, fn)
}

// Occupied reports whether somebody is at work on the page.
func (p *Page) Occupied() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.calls) > 0
}

func (p *Page) watch(ctx context.Context, fn func(ctx context.Context) error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	err := fn(ctx)
	if cause := context.Cause(ctx); cause != nil && err != nil && interrupts(cause) {
		return cause // whatever failed, failed because of this
	}
	if errors.Is(err, frame.ErrGone) {
		return fmt.Errorf("%w: %w", ErrReplaced, err)
	}
	return err
}

// interruptible returns a context that also ends when the page can not answer.
func (p *Page) interruptible(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.calls[&cancel] = struct{}{}
	if p.end != nil {
		cancel(p.end)
	} else if open := p.dialogs.open(); open != nil {
		cancel(open)
	}
	return ctx, func() {
		cancel(nil)
		p.mu.Lock()
		delete(p.calls, &cancel)
		p.mu.Unlock()
		p.onIdle()
	}
}

// interrupts reports whether a context's cause is that the page can not answer.
func interrupts(cause error) bool {
	_, dialog := errors.AsType[*DialogOpen](cause)
	return dialog || errors.Is(cause, ErrCrashed) || errors.Is(cause, ErrClosed) || errors.Is(cause, cdp.ErrClosed)
}

// interrupt ends the turns under way. It is called with mu held.
func (p *Page) interruptLocked(cause error) {
	for cancel := range p.calls {
		(*cancel)(cause)
	}
}
