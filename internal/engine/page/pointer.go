package page

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"

	"chela/internal/engine/cdp"
	"chela/internal/engine/frame"
	"chela/internal/engine/keys"
)

// A Button is a mouse button as the protocol names it.
type Button = input.MouseButton

// Click says how to click.
type Click struct {
	Button    Button // empty: the left button
	Count     int    // how many clicks, 1 to 3; 0: one
	Position  *Point // where to click in the element, see needs.position; nil: anywhere it can be hit
	Modifiers keys.Modifiers
	Hold      time.Duration // time between press and release; 0: as short as possible

	// Doubt is called if the click was sent, but may not have done what the caller wants. Its argument is
	// an [ElementError]: Unclicked or Reclosed. Nobody can tell, so it is not the error of the call. nil:
	// nobody is told.
	Doubt func(error)

	left func() bool // reports whether the clicked document has left; asked before each press after a Hold
}

// Click waits until the element can be clicked, and clicks it with the mouse. If something else
// would get the click, the page does not get it, and Click tries again.
//
// The error is an [ElementError], a [StaleRefError], a [HeldError], ErrBusy or why the turn ended. ErrSent
// comes with it if the page may have got the click, or has got a press.
func (e *Element) Click(ctx context.Context, c Click) error {
	before := inputMark{world: e.page.ourWorld(e.frame.ID), navigations: e.page.navigationMark()}
	c.left = func() bool { return e.hasLeft(before) }
	err := e.clickGuarded(ctx, c, func(at point, pressed func()) error { return e.page.clickPoint(ctx, at, c, pressed) })
	if err == nil && c.opensByLink() {
		e.awaitAsk(ctx)
	}
	return err
}

// Hover moves the mouse over the element when the element is visible, does not move and is not
// covered. It returns the same errors as Click. ErrSent then means that the mouse was moved.
//
// The element gets two moves, as no person's mouse stops at the first pixel. Some menus take only
// the second for a move: the first may come from a page that scrolls under the mouse (jQuery UI).
// Hover waits in between, since Chromium joins moves of the same animation frame into one.
//
// If the mouse is over the element already, it may have to leave it first. That may close the menu that
// the element is in, so Hover looks for the element again.
//
// An element with the attribute interestfor shows another one only after a delay. Hover waits until
// it has done so.
func (e *Element) Hover(ctx context.Context) error {
	at, err := e.aim(ctx, needs{hover: true})
	if err != nil {
		return err
	}
	if at.Leave != nil {
		if err := e.page.hoverAt(ctx, point{at.X + at.Leave.X, at.Y + at.Leave.Y}); err != nil {
			return err
		}
		if at, err = e.aim(ctx, needs{hover: true}); err != nil {
			return withSent(err)
		}
	}
	if err = e.page.hoverAt(ctx, point{at.X - 1, at.Y}); err == nil {
		if err = e.rest(ctx, at); err != nil {
			err = withSent(err)
		}
	}
	if errors.Is(err, frame.ErrGone) || errors.Is(err, ErrClosed) {
		return nil // a move may have made the page load another document, or close: see Act
	}
	return err
}

// rest moves the mouse to the element that it has just come to, and waits for what that shows.
func (e *Element) rest(ctx context.Context, at report) error {
	err := e.page.hoverAt(ctx, at.point)
	if err == nil && at.Interest {
		_, err = ask[struct{}](ctx, e, "awaitInterest", ScriptDeadline(ctx))
	}
	return err
}

// hoverAt moves the mouse to a point, and waits until the page has handled that. The move is the
// act's input: see awaitHandled.
func (p *Page) hoverAt(ctx context.Context, to point) error {
	if err := checkTime(ctx); err != nil {
		return err
	}
	return awaitHandled(ctx, []*cdp.Reply[proto.Empty]{p.sendMouse(input.DispatchMouseEventTypeMouseMoved, to, unpressed, 0)})
}

// unpressed is the Click of a move without a button of its own.
var unpressed = Click{Button: input.MouseButtonNone}

// moveMouse moves the mouse to a point, with the button and the modifiers of a click c. It waits until
// the page has handled that. The move only prepares the input of an act, so its error has no ErrSent.
func (p *Page) moveMouse(ctx context.Context, to point, c Click) error {
	if err := checkTime(ctx); err != nil {
		return err
	}
	_, err := p.sendMouse(input.DispatchMouseEventTypeMouseMoved, to, c, 0).Wait(ctx)
	return frame.Failure(ctx, err)
}

// An OutsideError says that a point is outside of the viewport. All fields are in CSS pixels.
type OutsideError struct{ X, Y, Width, Height float64 }

func (e *OutsideError) Error() string {
	return fmt.Sprintf("the point %g,%g is outside of the viewport of %gx%g", e.X, e.Y, e.Width, e.Height)
}

// ClickAt clicks at a point of the viewport, whatever is there. A point outside is an
// [OutsideError]: Chromium would give the page a click that no user can make.
func (p *Page) ClickAt(ctx context.Context, x, y float64, c Click) error {
	if err := p.takesInput(ctx); err != nil {
		return err
	}
	if err := p.inViewport(ctx, x, y); err != nil {
		return err
	}
	w, err := p.worldOf(ctx, p.main())
	if err != nil {
		return err
	}
	before := inputMark{world: w, navigations: p.navigationMark()}
	c.left = func() bool { return p.hasLeft(p.main(), before) }
	if err := p.moveFirst(ctx, w, point{x, y}, c); err != nil {
		return err
	}
	return p.clickPoint(ctx, point{x, y}, c, func() {})
}

// moveFirst moves the mouse to the point of a click c, and waits until the page has handled that. A
// page may learn from the move what is under the mouse, and only use that at the click. Frameworks
// put such work off until the next frame, or a later task. A person's click always comes after that.
//
// It takes a frame of 17 ms. So it is only done where the page listens for the mouse, and for clicks
// at points. The parameter w is the document that is waited for.
func (p *Page) moveFirst(ctx context.Context, w *frame.World, at point, c Click) error {
	if err := p.moveMouse(ctx, at, Click{Button: input.MouseButtonNone, Modifiers: c.Modifiers}); err != nil {
		return err
	}
	_, err := frame.Call[struct{}](ctx, w, "moveHandled")
	return err
}

// inViewport returns an [OutsideError] for a point that is outside of the tab's viewport.
func (p *Page) inViewport(ctx context.Context, x, y float64) error {
	w, err := p.worldOf(ctx, p.main())
	if err != nil {
		return err
	}
	size, err := frame.Call[point](ctx, w, "viewport")
	if err != nil {
		return err
	}
	return point{x, y}.within(size)
}

// within returns an [OutsideError] for a point that is outside of a viewport of this size.
func (at point) within(size point) error {
	if at.X < 0 || at.Y < 0 || at.X >= size.X || at.Y >= size.Y {
		return &OutsideError{at.X, at.Y, size.X, size.Y}
	}
	return nil
}

// isNegative reports whether a point is to the left of the viewport, or above it.
func (at point) isNegative() bool { return at.X < 0 || at.Y < 0 }

// clickPoint moves the mouse to a point and clicks there. The commands are sent without waiting for
// the replies in between. Chromium delivers a move only with the next animation frame, up to 17 ms
// later. If a press follows the move, Chromium delivers both at once. When Chromium has replied to the
// last press, clickPoint calls pressed.
//
// Time passes while the button is held. If ctx ends meanwhile, no further press is sent, and the error
// wraps ErrSent. No press is sent to another document either, as that one has no guard. That is no error:
// most likely the first press has loaded it.
func (p *Page) clickPoint(ctx context.Context, at point, c Click, pressed func()) error {
	if err := checkTime(ctx); err != nil {
		return err
	}
	replies := []*cdp.Reply[proto.Empty]{
		p.sendMouse(input.DispatchMouseEventTypeMouseMoved, at, Click{Button: input.MouseButtonNone, Modifiers: c.Modifiers}, 0),
	}
	for count := int64(1); count <= int64(c.count()); count++ {
		if count > 1 && c.Hold > 0 {
			if err := checkTime(ctx); err != nil {
				return withSent(err)
			}
			if c.left() {
				break
			}
		}
		replies = append(replies, p.sendMouse(input.DispatchMouseEventTypeMousePressed, at, c, count))
		if c.Hold > 0 {
			Pause(ctx, c.Hold) // returns early if ctx ends, so the release is always sent
		}
		replies = append(replies, p.sendMouse(input.DispatchMouseEventTypeMouseReleased, at, c, count))
	}
	last := len(replies) - 1
	if err := awaitHandled(ctx, replies[:last]); err != nil {
		return err
	}
	pressed()
	return awaitHandled(ctx, replies[last:])
}

// Lasts returns how long the mouse is held down, over all presses of the click.
func (c Click) Lasts() time.Duration { return time.Duration(c.count()) * c.Hold }

// isPlain reports whether the click is a single click with the left button, without a pause.
func (c Click) isPlain() bool {
	return c.count() == 1 && c.Hold == 0 && (c.Button == "" || c.Button == input.MouseButtonLeft)
}

func (c Click) count() int { return max(1, c.Count) }

// sendMouse sends one mouse event with the held keys and buttons, see sendRawMouse, and records
// where the mouse is now.
func (p *Page) sendMouse(kind input.DispatchMouseEventType, at point, c Click, count int64) *cdp.Reply[proto.Empty] {
	p.mu.Lock()
	c.Modifiers |= p.held.modifiers()
	if c.Button == input.MouseButtonNone && len(p.held.buttons) > 0 {
		c.Button = p.held.buttons[0]
	}
	p.held.at = at
	p.held.moves++
	p.held.record(kind, buttonEvent{cmp.Or(c.Button, input.MouseButtonLeft), at, count, time.Now()})
	p.mu.Unlock()
	if kind == input.DispatchMouseEventTypeMousePressed {
		p.reportPress(Press{At: &at})
	}
	return p.sendRawMouse(kind, at, c, count)
}

// Mouse returns where the mouse is, in CSS pixels of the viewport. The result used is how often it
// was moved, pressed or released.
func (p *Page) Mouse() (at Point, used int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.held.at, p.held.moves
}

// sendRawMouse sends one mouse event, at CSS pixels of the tab's viewport. The event always goes to
// the tab's own session, although a cross-site frame has a session of its own. If it went to the
// frame's session, the frame's document would get it even where something covers the frame.
func (p *Page) sendRawMouse(kind input.DispatchMouseEventType, at point, c Click, count int64) *cdp.Reply[proto.Empty] {
	if c.Button == "" {
		c.Button = input.MouseButtonLeft
	}
	params := input.DispatchMouseEventParams{Type: kind, X: at.X, Y: at.Y, Button: c.Button, ClickCount: count, Modifiers: int64(c.Modifiers)}
	if kind != input.DispatchMouseEventTypeMouseReleased {
		params.Buttons = map[Button]int64{input.MouseButtonLeft: 1, input.MouseButtonRight: 2, input.MouseButtonMiddle: 4}[c.Button]
	}
	if params.Buttons != 0 {
		params.Force = 0.5 // the Pointer Events standard gives a pressed mouse this pressure
	}
	return cdp.Send(p.session, input.DispatchMouseEvent, params)
}

// maxSlips limits how often the mouse clicks an element that moves away while it is pressed.
const maxSlips = 3

// clickGuarded waits until the element can be clicked, and calls send to click at its point. It
// makes sure that the element got the click, and nothing else did.
//
// A page can move between the hit test and the input: an image above has loaded, a banner slides
// in. Chromium delivers input to what is at the point when it comes. Therefore every document has
// an input guard (guard.js). The guard adds its listeners to the window before the page adds any.
// If a trusted event is not for the element, they stop it before the page sees it. Afterwards the
// guard's verdict says what happened:
//
//   - Passed: the element got the click. But the page may have put another control under the mouse
//     before the next press of a double click, or a frame. That press is kept from the page, and an
//     error says so.
//   - Not passed: the page has seen nothing of the click, so we aim and send it again.
//   - Slipped: the element got the press, but moved away before the release. A button that shrinks
//     while it is pressed does so. The page has seen a press and a release elsewhere, but no click. The
//     mouse clicks again, up to maxSlips times, and the guard lets only the click pass. So whatever the
//     page does at a press, it does once. After that, an error says that input was sent.
//   - Unclicked: the same, but the element has changed or is covered, or the page has changed something
//     at the press. The press may have done what the click was for, so no click is sent. The caller is
//     told, see Click.
//   - Held: the press made the page render. Frameworks attach the handlers one frame after they
//     render. A release that comes at once would miss them; no person's release comes that early.
//     The guard has kept that release and its click from the page. The same click is sent once
//     more, and this time the guard keeps the press from the page. So the page sees one press that
//     lasted for a frame.
//
// A click on an iframe element is for its content. The document in the iframe gets the input, and a
// guard in the document around the iframe would see nothing of it. So the click is sent without a
// guard.
func (e *Element) clickGuarded(ctx context.Context, c Click, send func(at point, pressed func()) error) (err error) {
	if err := e.page.checkReleased(); err != nil {
		return err
	}
	aiming, cancel := reserve(ctx, c.Lasts())
	defer cancel()
	var met verdict // what the last attempt met in place of the element, if By is not empty
	defer func() {
		if met.By != "" && errors.Is(err, ErrBusy) && !errors.Is(err, ErrSent) {
			err = e.missed("click", met) // the time ended in a later attempt
		}
	}()
	closed := false
	for slips := 0; ; {
		at, err := e.aim(aiming, needs{enabled: true, guard: guardTime(ctx), click: true, closed: closed, hold: c.isPlain() && slips == 0, clickOnly: slips > 0, position: c.Position})
		closed = closed || at.Closed
		if err == nil && at.Follows {
			if err = e.orStale(e.page.moveFirst(ctx, at.world, at.point, c)); err != nil {
				e.page.endGuards(ctx, false) // no click follows
			}
		}
		before := inputMark{}
		if err == nil {
			before, err = e.inputMark(ctx, at.world)
		}
		if err != nil && slips > 0 {
			err = withSent(err)
		}
		if err != nil {
			return err
		}
		if at.Frame {
			if err := e.unguardFrame(ctx, before); err != nil {
				return err
			}
			return send(at.point, func() {})
		}
		v, sent, err := e.clickAndTakeVerdict(ctx, c, before, func(pressed func()) error { return send(at.point, pressed) })
		if sent == nil && err == nil && v.Held {
			e.guardOthers(ctx) // the press may have moved a frame of another origin under the mouse
			if !e.hasLeft(before) {
				if sent = send(at.point, func() {}); sent != nil {
					sent = withSent(sent) // the page has the press
				}
			}
			v, err = e.takeVerdict(ctx, before)
		}
		switch {
		case errors.Is(err, frame.ErrGone) || errors.Is(err, ErrClosed):
			return nil // the click made the page load another document, so it had arrived
		case sent != nil:
			return sent
		case err != nil:
			return withSentIfBusy(err)
		case v.Missing == Slipped:
			slips++
		case v.Passed && c.count() > 1 && v.By != "": // a later press would have reached something else
			return withSent(e.missed("click", v))
		case v.Passed:
			if v.Missing != "" && c.Doubt != nil {
				c.Doubt(e.failure(report{Missing: v.Missing, By: v.By, ByRef: v.ByRef}))
			}
			return nil
		case !v.Late:
			met = v
		}
		switch {
		case slips == maxSlips, slips > 0 && remaining(aiming) == 0:
			return withSent(e.failure(report{Missing: Slipped}))
		case remaining(aiming) == 0:
			return e.missed("click", v)
		}
	}
}

// withSent adds ErrSent to an error that has none: input was sent, and the page may have it.
func withSent(err error) error {
	if errors.Is(err, ErrSent) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrSent, err)
}

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
