package page

import (
	"context"
	"errors"
	"fmt"
	"time"

	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"

	"chela/internal/cdp"
	"chela/internal/keys"
)

// A Button is a mouse button as the protocol names it.
type Button = input.MouseButton

// Click says how to click.
type Click struct {
	Button    Button // left if empty
	Double    bool
	Modifiers keys.Modifiers
	Hold      time.Duration // between press and release
}

// Click waits until the element can be clicked, and clicks it. If something
// else would get the click, nothing does, and it tries again.
func (e *Element) Click(ctx context.Context, c Click) error {
	return e.strike(ctx, c, func(at point) error { return e.page.press(ctx, at, c) })
}

// Hover moves the mouse over the element.
func (e *Element) Hover(ctx context.Context) error {
	at, err := e.aim(ctx, aim{})
	if err != nil {
		return err
	}
	if err := inTime(ctx); err != nil {
		return err
	}
	_, err = e.page.mouse(input.DispatchMouseEventTypeMouseMoved, at.point, Click{Button: input.MouseButtonNone}, 0).Wait(ctx)
	return pageError(ctx, err)
}

// An OutsideError says that a point is outside of the viewport. All are CSS pixels.
type OutsideError struct{ X, Y, Width, Height float64 }

func (e *OutsideError) Error() string {
	return fmt.Sprintf("the point %g,%g is outside of the viewport of %gx%g", e.X, e.Y, e.Width, e.Height)
}

// ClickAt clicks at a point of the viewport, whatever is there. A point outside
// is an [OutsideError]: Chromium would give the page a click that no user can make.
func (p *Page) ClickAt(ctx context.Context, x, y float64, c Click) error {
	if err := p.awake(ctx, p.main()); err != nil {
		return err
	}
	w, err := p.worldOf(ctx, p.main())
	if err != nil {
		return err
	}
	size, err := call[point](ctx, w, "viewport")
	switch {
	case err != nil:
		return err
	case x >= size.X || y >= size.Y:
		return &OutsideError{x, y, size.X, size.Y}
	}
	return p.press(ctx, point{x, y}, c)
}

// press moves the mouse to a point and clicks. The commands go out back to
// back: a press takes the move with it, which alone would wait for a frame.
func (p *Page) press(ctx context.Context, at point, c Click) error {
	if err := inTime(ctx); err != nil {
		return err
	}
	replies := []*cdp.Reply[proto.Empty]{
		p.mouse(input.DispatchMouseEventTypeMouseMoved, at, Click{Button: input.MouseButtonNone, Modifiers: c.Modifiers}, 0),
	}
	for count := int64(1); count <= c.count(); count++ {
		replies = append(replies, p.mouse(input.DispatchMouseEventTypeMousePressed, at, c, count))
		if c.Hold > 0 {
			Pause(ctx, c.Hold) // a press is always released
		}
		replies = append(replies, p.mouse(input.DispatchMouseEventTypeMouseReleased, at, c, count))
	}
	return confirmed(ctx, replies)
}

// Lasts is how long the mouse is held down.
func (c Click) Lasts() time.Duration { return time.Duration(c.count()) * c.Hold }

// isPlain reports whether it is one press of the left button, and no longer than it takes.
func (c Click) isPlain() bool {
	return !c.Double && c.Hold == 0 && (c.Button == "" || c.Button == input.MouseButtonLeft)
}

func (c Click) count() int64 {
	if c.Double {
		return 2
	}
	return 1
}

// mouse sends one mouse event. Input goes to the tab's own session, in its
// coordinates: sent to a frame's it would go through what covers the frame.
func (p *Page) mouse(kind input.DispatchMouseEventType, at point, c Click, count int64) *cdp.Reply[proto.Empty] {
	if c.Button == "" {
		c.Button = input.MouseButtonLeft
	}
	params := input.DispatchMouseEventParams{Type: kind, X: at.X, Y: at.Y, Button: c.Button, ClickCount: count, Modifiers: int64(c.Modifiers)}
	if kind != input.DispatchMouseEventTypeMouseReleased {
		params.Buttons = map[Button]int64{input.MouseButtonLeft: 1, input.MouseButtonRight: 2, input.MouseButtonMiddle: 4}[c.Button]
	}
	if params.Buttons != 0 {
		params.Force = 0.5 // the pressure of a mouse that is pressed, by the Pointer Events standard
	}
	return cdp.Send(p.session, input.DispatchMouseEvent, params)
}

// maxSlips is how often an element may move away while it is pressed.
const maxSlips = 3

// strike aims at the element, sends a click there, and makes sure that the
// element got it. A press that made the page render is held: the page has had it
// by then, but no release, and the same click, sent again, brings that. When something slid in
// between, the guard has swallowed the input, so nothing has happened and it
// tries again. So it does when the element moved away while it was pressed and
// the page has not answered the press; what fails then says that it was sent.
func (e *Element) strike(ctx context.Context, c Click, send func(point) error) error {
	aiming, cancel := reserve(ctx, c.Lasts())
	defer cancel()
	for slips := 0; ; {
		since := e.page.navigationMark()
		at, err := e.aim(aiming, aim{enabled: true, guard: guardTime + c.Lasts(), click: true, hold: c.isPlain()})
		if err != nil && slips > 0 {
			err = pressed(err)
		}
		if err != nil {
			return err
		}
		if at.Frame { // what is in the frame is to get it
			e.verdict(ctx, since)
			return send(at.point)
		}
		sent := send(at.point)
		v, err := e.verdict(ctx, since)
		if sent == nil && err == nil && v.Held {
			sent = send(at.point)
			v, err = e.verdict(ctx, since)
		}
		switch {
		case errors.Is(err, errWorldGone) || errors.Is(err, ErrClosed):
			return nil // the page left while it took the input
		case sent != nil:
			return sent
		case err != nil:
			return unconfirmed(err)
		case v.Passed && !v.Slipped:
			return nil
		case v.Slipped:
			slips++
		}
		switch {
		case slips == maxSlips, slips > 0 && remaining(aiming) == 0:
			return pressed(e.failure(report{Missing: Slipped}))
		case remaining(aiming) == 0:
			return e.failure(report{Missing: MissedInput, By: v.By})
		}
	}
}

// pressed is the error of a click whose press the page has got.
func pressed(err error) error { return fmt.Errorf("%w: %w", ErrSent, err) }

// Pause waits for a time that the caller asked for.
func Pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
