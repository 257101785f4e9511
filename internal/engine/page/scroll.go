package page

import (
	"context"
	"errors"
	"math"

	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"

	"chela/internal/engine/cdp"
	"chela/internal/engine/frame"
)

// A Scroll says how far to turn the mouse wheel. One of To, Direction, or DeltaX and
// DeltaY is set.
type Scroll struct {
	To             End
	Direction      Direction
	DeltaX, DeltaY float64 // CSS pixels, to the right and down

	X, Y *float64 // where [Page.Scroll] turns the wheel, in the viewport; nil: in its middle
}

// An End is the top or the bottom of what can be scrolled.
type End string

// The values of [End].
const (
	Top    End = "top"
	Bottom End = "bottom"
)

// A Direction is one of the four directions in which the wheel can be turned.
type Direction string

// The values of [Direction].
const (
	Up    Direction = "up"
	Down  Direction = "down"
	Left  Direction = "left"
	Right Direction = "right"
)

const (
	// mostOfView is the share of a box's visible size by which a scroll up, down, left or right
	// moves it. So the last visible lines stay visible, even under a fixed header.
	mostOfView = 0.8

	// endless is a distance in pixels that is longer than any page. A scroll to an end turns the
	// wheel by it; a page that handles the wheel by itself gets the same distance.
	endless = 1e6

	// maxTurns limits how often the wheel is turned to get to an end. With scroll-snap-stop, each
	// turn goes to the next item only.
	maxTurns = 100
)

// distance returns how far to turn the wheel over the boxes of a wheelPath, in CSS pixels.
func (s Scroll) distance(over wheelPath) (x, y float64) {
	switch {
	case s.To == Top:
		return 0, -endless
	case s.To == Bottom:
		return 0, endless
	}
	box := over.target(s)
	switch s.Direction {
	case Up:
		return 0, -mostOf(box.ClientHeight)
	case Down:
		return 0, mostOf(box.ClientHeight)
	case Left:
		return -mostOf(box.ClientWidth), 0
	case Right:
		return mostOf(box.ClientWidth), 0
	}
	return s.DeltaX, s.DeltaY
}

func mostOf(size int) float64 { return math.Round(mostOfView * float64(size)) }

// vertical and horizontal report whether s scrolls in that direction.
func (s Scroll) vertical() bool {
	return s.To != "" || s.Direction == Up || s.Direction == Down || s.DeltaY != 0
}

func (s Scroll) horizontal() bool {
	return s.Direction == Left || s.Direction == Right || s.DeltaX != 0
}

// Scrolled says how far a box is scrolled after a scroll. If no box was scrolled, it describes the
// box that the wheel would have scrolled. All distances are in CSS pixels.
type Scrolled struct {
	Top, ScrollHeight, ClientHeight int
	Left, ScrollWidth, ClientWidth  int

	AtEnd bool // the box cannot be scrolled further in the direction of the scroll

	// Instead is the box that was scrolled because the element was gone: the box that the last
	// scroll over the element had moved. It is the zero Ref if the element was there.
	Instead Ref

	// ByPage says that the page has prevented the wheel event from scrolling anything. Maps do so,
	// and editors that move their text by themselves. Then no other field is known.
	ByPage bool
}

// Scroll turns the mouse wheel over a point, by default the middle of the viewport. It scrolls the
// innermost box under that point that can be scrolled further. To get to an end, it scrolls the
// boxes one after the other, up to the document itself.
//
// It returns when the scroll is over, and the page's handlers have run. The error is ErrBusy, with
// ErrSent if the event was sent, an [OutsideError], or why the turn ended.
func (p *Page) Scroll(ctx context.Context, s Scroll) (Scrolled, error) {
	if err := p.takesInput(ctx); err != nil {
		return Scrolled{}, err
	}
	at, err := p.wheelPoint(ctx, s)
	if err != nil {
		return Scrolled{}, err
	}
	return p.repeatTurn(s, func(first bool) (wheelResult, error) {
		path, err := p.expectWheel(ctx, at, false, first)
		if err != nil {
			return wheelResult{}, err
		}
		if err := p.turnWheelAt(ctx, at, s, path); err != nil {
			return wheelResult{}, err
		}
		return p.awaitWheel(ctx, s, path, false)
	})
}

// wheelPoint returns where a scroll of the page turns the wheel.
func (p *Page) wheelPoint(ctx context.Context, s Scroll) (point, error) {
	w, err := p.worldOf(ctx, p.main())
	if err != nil {
		return point{}, err
	}
	size, err := frame.Call[point](ctx, w, "viewport")
	if err != nil {
		return point{}, err
	}
	at := point{float64(int(size.X / 2)), float64(int(size.Y / 2))}
	if s.X != nil {
		at.X = *s.X
	}
	if s.Y != nil {
		at.Y = *s.Y
	}
	return at, at.within(size)
}

// Scroll turns the mouse wheel over the element when the element is visible, does not move and is
// not covered. It scrolls the element itself, or the innermost box around it that can be scrolled.
// If that box is already at its end, nothing around it is scrolled.
//
// A scroll over a row of a virtual list often removes the row. The next scroll by the ref of that
// row moves the box that the last one has moved, and says so: see Scrolled.Instead.
//
// It returns the same errors as Click, and waits as Page.Scroll does.
func (e *Element) Scroll(ctx context.Context, s Scroll) (Scrolled, error) {
	return e.page.repeatTurn(s, func(first bool) (wheelResult, error) { return e.turnWheel(ctx, s, first) })
}

// repeatTurn turns the wheel once or, if the scroll goes to an end, until the box has reached it.
// That is the end as it was before the first turn. If a list grows when its end comes into view,
// the scroll does not go on.
func (p *Page) repeatTurn(s Scroll, turn func(first bool) (wheelResult, error)) (Scrolled, error) {
	for count := 1; ; count++ {
		done, err := turn(count == 1)
		if err != nil && count > 1 {
			err = withSent(err)
		}
		if err != nil {
			return Scrolled{}, err
		}
		again := done.Moved && !done.Again && (!done.Arrived || done.more)
		if s.To == "" || !again || count == maxTurns {
			return done.Scrolled, nil
		}
	}
}

// turnWheel turns the wheel over the element. As clickGuarded does for a click, it makes sure that
// only the element got the event.
func (e *Element) turnWheel(ctx context.Context, s Scroll, first bool) (wheelResult, error) {
	for {
		at, err := e.aim(ctx, needs{guard: guardTime(ctx), wheel: true})
		if err != nil {
			return wheelResult{}, err
		}
		path, err := e.page.expectWheel(ctx, at.point, true, first)
		if err != nil {
			e.page.endGuards(ctx, false)
			return wheelResult{}, err
		}
		before, err := e.inputMark(ctx, at.world)
		if err != nil {
			return wheelResult{}, err
		}
		if at.Frame { // the content of the iframe gets the event
			if err := e.unguardFrame(ctx, before); err != nil {
				return wheelResult{}, err
			}
		}
		if err := e.page.turnWheelAt(ctx, at.point, s, path); err != nil {
			return wheelResult{}, err
		}
		if at.Frame {
			return e.awaitElementWheel(ctx, s, path, at)
		}
		v, err := e.takeVerdict(ctx, before)
		switch {
		case errors.Is(err, frame.ErrGone) || errors.Is(err, ErrClosed):
			return wheelResult{Scrolled: Scrolled{ByPage: true}}, nil // the event made the page navigate
		case err != nil:
			return wheelResult{}, withSentIfBusy(err)
		case v.Passed:
			return e.awaitElementWheel(ctx, s, path, at)
		case remaining(ctx) == 0:
			return wheelResult{}, e.missed("scroll", v)
		}
	}
}

// awaitElementWheel calls awaitWheel for a turn over the element. It adds the box that was scrolled
// if the element was gone: see Scrolled.Instead.
func (e *Element) awaitElementWheel(ctx context.Context, s Scroll, path wheelPath, at report) (wheelResult, error) {
	out, err := e.page.awaitWheel(ctx, s, path, true)
	out.Instead = e.page.refIn(e.frame, at.Instead)
	return out, err
}

// A wheelPath lists the frames at a point with the boxes that the wheel can scroll there, the
// innermost frame first.
type wheelPath []wheelFrame

type wheelFrame struct {
	world *frame.World
	wheelState
}

// A wheelState is what a document reports about a turn of the wheel, see wheel.js.
type wheelState struct {
	Owner int // ref number of the iframe at the point; 0 if there is none
	point     // coordinates of the point in that iframe

	Seen      bool       // the event has come to this document
	Prevented bool       // the page has kept the event from scrolling
	Boxes     []wheelBox // boxes at the point that the wheel can scroll, the innermost first
	Page      wheelBox   // the document itself
}

// A wheelBox says where a box is scrolled to, and how large it is.
type wheelBox struct {
	Left, Top                 int
	ScrollWidth, ScrollHeight int
	ClientWidth, ClientHeight int

	Room    struct{ Up, Down, Left, Right bool } // directions in which the box can be scrolled further
	Moved   bool                                 // the box has been scrolled
	Arrived bool                                 // the box is where its end was when the scroll began
	Again   bool                                 // Arrived was already true after an earlier turn of the wheel
}

// scrolls reports whether the box can be scrolled at all in a direction of s.
func (b wheelBox) scrolls(s Scroll) bool {
	return s.vertical() && b.ScrollHeight > b.ClientHeight || s.horizontal() && b.ScrollWidth > b.ClientWidth
}

// atEnd reports whether s cannot scroll the box further.
func (b wheelBox) atEnd(s Scroll) bool {
	more := (s.To == Bottom || s.Direction == Down || s.DeltaY > 0) && b.Room.Down ||
		(s.To == Top || s.Direction == Up || s.DeltaY < 0) && b.Room.Up ||
		(s.Direction == Right || s.DeltaX > 0) && b.Room.Right ||
		(s.Direction == Left || s.DeltaX < 0) && b.Room.Left
	return !more
}

// target returns the innermost box that s can scroll or, if there is none, the tab's document.
func (path wheelPath) target(s Scroll) wheelBox {
	for _, f := range path {
		for _, box := range f.Boxes {
			if box.scrolls(s) {
				return box
			}
		}
	}
	return path[len(path)-1].Page
}

// expected returns the index of the innermost frame in which s can still move a box; ok is false if
// there is none. If contained is true, only the innermost box may move.
func (path wheelPath) expected(s Scroll, contained bool) (i int, ok bool) {
	for i, f := range path {
		for _, box := range f.Boxes {
			if !box.atEnd(s) {
				return i, true
			}
			if contained && box.scrolls(s) {
				return i, false
			}
		}
	}
	return 0, false
}

// expectWheel prepares the documents at a point of the tab's viewport for a wheel event, and
// returns the boxes that it can scroll there. The parameter contained is explained at contain in
// wheel.js.
func (p *Page) expectWheel(ctx context.Context, at point, contained, first bool) (wheelPath, error) {
	var path wheelPath
	for f := p.main(); f != nil; {
		w, err := p.worldOf(ctx, f)
		if err != nil {
			return nil, err
		}
		state, err := frame.Call[wheelState](ctx, w, "expectWheel", at.X, at.Y, map[string]any{"contained": contained, "first": first})
		if err != nil {
			return nil, err
		}
		path = append(wheelPath{{w, state}}, path...)
		f, at = p.childOf(ctx, f, state.Owner), state.point
	}
	return path, nil
}

// childOf returns the frame in the iframe element whose ref number is the parameter owner. It
// returns nil if there is no such frame, or the frame does not answer.
func (p *Page) childOf(ctx context.Context, parent *frame.Frame, owner int) *frame.Frame {
	if owner == 0 {
		return nil
	}
	for _, f := range p.children(parent) {
		if n, err := p.owner(ctx, f); err == nil && n == owner && !p.hasLost(f) {
			return f
		}
	}
	return nil
}

// wheelTurn has the parameters of Input.dispatchMouseEvent for the wheel. Chromium requires both
// distances, but the type of cdproto leaves out a 0.
type wheelTurn struct {
	Type   input.DispatchMouseEventType `json:"type"`
	X      float64                      `json:"x"`
	Y      float64                      `json:"y"`
	DeltaX float64                      `json:"deltaX"`
	DeltaY float64                      `json:"deltaY"`

	Modifiers int64 `json:"modifiers"`
}

var dispatchWheel = proto.Command[wheelTurn, proto.Empty]{Method: input.DispatchMouseEvent.Method}

// turnWheelAt moves the mouse to a point and turns the wheel there. The move is needed after a turn
// over an iframe that scrolled nothing. Without the move, Chromium takes the next turn, wherever it
// is, for a part of that earlier turn, and scrolls nothing.
//
// It waits until the page has handled the event. Chromium replies only after the listeners have
// run, because the guard's listener may prevent the scroll.
func (p *Page) turnWheelAt(ctx context.Context, at point, s Scroll, over wheelPath) error {
	if err := checkTime(ctx); err != nil {
		return err
	}
	x, y := s.distance(over)
	return awaitHandled(ctx, []*cdp.Reply[proto.Empty]{
		p.sendMouse(input.DispatchMouseEventTypeMouseMoved, at, unpressed, 0),
		cdp.Send(p.session, dispatchWheel, wheelTurn{input.DispatchMouseEventTypeMouseWheel, at.X, at.Y, x, y, int64(p.heldModifiers())}),
	})
}

// wheelResult is the outcome of one turn of the wheel.
type wheelResult struct {
	Scrolled
	wheelBox      // the box that was scrolled
	more     bool // a box around that one can also be scrolled
}

// awaitWheel waits until the scrolling that a turn of the wheel has begun is over. First it asks
// the document that is expected to scroll. That may take many animation frames. In the other
// documents it takes two at most, so they are asked afterwards.
func (p *Page) awaitWheel(ctx context.Context, s Scroll, path wheelPath, contained bool) (wheelResult, error) {
	at, expected := path.expected(s, contained)
	if err := path.ask(ctx, at, expected); err != nil {
		return wheelResult{}, withSentIfBusy(err)
	}
	for i := range path {
		if i == at {
			continue
		}
		if err := path.ask(ctx, i, false); err != nil && !isLost(err) {
			return wheelResult{}, withSentIfBusy(err)
		}
	}
	out := path.outcome(s)
	out.more = out.more && !contained
	return out, nil
}

// ask waits until the scrolling in a frame is over, and keeps the state that the frame returns.
func (path wheelPath) ask(ctx context.Context, i int, expected bool) error {
	state, err := frame.Call[wheelState](ctx, path[i].world, "wheelOver", map[string]any{"by": ScriptDeadline(ctx), "expected": expected})
	if err == nil {
		path[i].wheelState = state
	}
	return err
}

// outcome returns which box the turn has scrolled, and where that box is now.
func (path wheelPath) outcome(s Scroll) wheelResult {
	box, prevented, more := path.target(s), false, false
	for _, f := range path {
		prevented = prevented || f.Prevented
		for _, each := range f.Boxes {
			switch {
			case each.Moved && !box.Moved:
				box = each
			case box.Moved && !each.atEnd(s):
				more = true
			}
		}
	}
	out := wheelResult{wheelBox: box, more: more}
	if prevented && !box.Moved {
		out.ByPage = true
		return out
	}
	out.Scrolled = Scrolled{
		Top: box.Top, ScrollHeight: box.ScrollHeight, ClientHeight: box.ClientHeight,
		Left: box.Left, ScrollWidth: box.ScrollWidth, ClientWidth: box.ClientWidth,
		AtEnd: box.atEnd(s),
	}
	return out
}
