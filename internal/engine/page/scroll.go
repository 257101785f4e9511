package page

import (
	"context"
	"errors"
	"fmt"
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
}

// An End is where content begins or ends.
type End string

// The ends.
const (
	Top    End = "top"
	Bottom End = "bottom"
)

// A Direction is one of the four in which the wheel can be turned.
type Direction string

// The directions.
const (
	Up    Direction = "up"
	Down  Direction = "down"
	Left  Direction = "left"
	Right Direction = "right"
)

const (
	// mostOfView is how much of a box a scroll in a direction moves by: what was last
	// in view is still there, and so are the lines under a header that stays.
	mostOfView = 0.8

	// endless is, in pixels, more than any page can be scrolled by. A page that handles
	// the wheel by itself gets it, too.
	endless = 1e6

	// maxTurns is how often the wheel is turned to get to an end: scroll-snap-stop lets
	// each turn go to the next item only.
	maxTurns = 100
)

// turn is how far the wheel is turned over what can be scrolled there.
func (s Scroll) turn(over wheelPath) (x, y float64) {
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

// vertical and horizontal report in which directions it scrolls.
func (s Scroll) vertical() bool {
	return s.To != "" || s.Direction == Up || s.Direction == Down || s.DeltaY != 0
}

func (s Scroll) horizontal() bool {
	return s.Direction == Left || s.Direction == Right || s.DeltaX != 0
}

// Scrolled says where a scroll has led to: of the box that was scrolled or, if none
// was, of the one that would have been. All are CSS pixels.
type Scrolled struct {
	Top, ScrollHeight, ClientHeight int
	Left, ScrollWidth, ClientWidth  int

	AtEnd bool // there is no more in the direction of the scroll

	// Instead is the box that was scrolled when the element was gone: the one that the last
	// scroll over the element had moved. The zero Ref if the element was there.
	Instead Ref

	// ByPage: the page has prevented the wheel event from scrolling anything, as maps do,
	// and editors that move their text by themselves. Nothing else here is known.
	ByPage bool
}

// Scroll turns the mouse wheel over the middle of the viewport. The box under it that
// can be scrolled further is, or one around it. To an end, the boxes are scrolled one
// after the other, up to the document itself.
//
// It returns when that is over, and the page's handlers have run. The error is
// ErrBusy, with ErrSent if the event was sent, or why the turn ended.
func (p *Page) Scroll(ctx context.Context, s Scroll) (Scrolled, error) {
	if err := p.awake(ctx, p.main()); err != nil {
		return Scrolled{}, err
	}
	w, err := p.worldOf(ctx, p.main())
	if err != nil {
		return Scrolled{}, err
	}
	size, err := frame.Call[point](ctx, w, "viewport")
	if err != nil {
		return Scrolled{}, err
	}
	middle := point{float64(int(size.X / 2)), float64(int(size.Y / 2))}
	return p.turns(s, func(first bool) (wheeled, error) {
		path, err := p.expectWheel(ctx, middle, false, first)
		if err != nil {
			return wheeled{}, err
		}
		if err := p.wheel(ctx, middle, s, path); err != nil {
			return wheeled{}, err
		}
		return p.wheelOver(ctx, s, path, false)
	})
}

// Scroll turns the mouse wheel over the element, when that is visible, does not move
// and is not covered. What is scrolled is the element itself, or the innermost box
// around it that can be: also when it is at its end already, nothing around it is.
//
// A row of a virtual list is often removed by a scroll over it. A scroll by the ref of such a
// row moves the box that the one before has moved, and says so: see Scrolled.Instead.
//
// It returns what Click returns. It waits for what Page.Scroll waits for.
func (e *Element) Scroll(ctx context.Context, s Scroll) (Scrolled, error) {
	return e.page.turns(s, func(first bool) (wheeled, error) { return e.turnWheel(ctx, s, first) })
}

// turns turns the wheel once or, to get to an end, until what it moves is there. What
// was the end at first counts: a list that grows when it comes to its end is not followed.
func (p *Page) turns(s Scroll, turn func(first bool) (wheeled, error)) (Scrolled, error) {
	for count := 1; ; count++ {
		done, err := turn(count == 1)
		if err != nil {
			return Scrolled{}, err
		}
		again := done.Moved && !done.Again && (!done.Arrived || done.more)
		if s.To == "" || !again || count == maxTurns {
			return done.Scrolled, nil
		}
	}
}

// turnWheel turns the wheel over the element, and makes sure that the element got the
// event, and nothing else did: see clickGuarded.
func (e *Element) turnWheel(ctx context.Context, s Scroll, first bool) (wheeled, error) {
	for {
		since := e.page.navigationMark()
		at, err := e.aim(ctx, needs{guard: guardTime, wheel: true})
		if err != nil {
			return wheeled{}, err
		}
		path, err := e.page.expectWheel(ctx, at.point, true, first)
		if err != nil {
			return wheeled{}, err
		}
		if at.Frame { // what is in it gets the event
			e.verdict(ctx, since) // ends the guard
		}
		if err := e.page.wheel(ctx, at.point, s, path); err != nil {
			return wheeled{}, err
		}
		if at.Frame {
			return e.wheeled(ctx, s, path, at)
		}
		v, err := e.verdict(ctx, since)
		switch {
		case errors.Is(err, frame.ErrGone) || errors.Is(err, ErrClosed):
			return wheeled{Scrolled: Scrolled{ByPage: true}}, nil // the page has gone elsewhere for it
		case err != nil:
			return wheeled{}, unconfirmed(err)
		case v.Passed:
			return e.wheeled(ctx, s, path, at)
		case v.Late && remaining(ctx) == 0:
			return wheeled{}, fmt.Errorf("scroll: %w", ErrBusy)
		case remaining(ctx) == 0:
			return wheeled{}, e.failure(report{Missing: MissedInput, By: v.By, ByRef: v.ByRef})
		}
	}
}

// wheeled is wheelOver, with the box that was scrolled in place of the element.
func (e *Element) wheeled(ctx context.Context, s Scroll, path wheelPath, at report) (wheeled, error) {
	out, err := e.page.wheelOver(ctx, s, path, true)
	out.Instead = e.page.refIn(e.frame, at.Instead)
	return out, err
}

// A wheelPath is what the wheel can scroll at a point: what can be in each frame that
// is there, the innermost first.
type wheelPath []wheelFrame

type wheelFrame struct {
	world *frame.World
	wheelState
}

// A wheelState is what a document says of the wheel: see wheel.js.
type wheelState struct {
	Owner int // ref number of the iframe at the point, 0: there is none
	point     // in that frame

	Seen      bool // the event has come to this document
	Prevented bool // the page has kept it from scrolling
	Boxes     []wheelBox
	Page      wheelBox
}

// A wheelBox is where a box is scrolled to, and how large it is.
type wheelBox struct {
	Left, Top                 int
	ScrollWidth, ScrollHeight int
	ClientWidth, ClientHeight int

	Room    struct{ Up, Down, Left, Right bool } // it can be scrolled further
	Moved   bool                                 // it has been scrolled
	Arrived bool                                 // to what was its end
	Again   bool                                 // and had been before, in this act
}

// scrolls reports whether it can be scrolled at all in a direction of s.
func (b wheelBox) scrolls(s Scroll) bool {
	return s.vertical() && b.ScrollHeight > b.ClientHeight || s.horizontal() && b.ScrollWidth > b.ClientWidth
}

// atEnd reports whether it cannot be scrolled further by s.
func (b wheelBox) atEnd(s Scroll) bool {
	more := (s.To == Bottom || s.Direction == Down || s.DeltaY > 0) && b.Room.Down ||
		(s.To == Top || s.Direction == Up || s.DeltaY < 0) && b.Room.Up ||
		(s.Direction == Right || s.DeltaX > 0) && b.Room.Right ||
		(s.Direction == Left || s.DeltaX < 0) && b.Room.Left
	return !more
}

// target returns the innermost box that s can scroll, or else the tab's document.
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

// expected returns the innermost frame in which s can move something now; ok is false
// if there is none. Contained, only the innermost box is to move.
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

// expectWheel prepares the documents at a point of the tab's viewport for the wheel,
// and returns what it can scroll there. Contained: see contain in wheel.js.
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

// childOf returns the frame in an iframe element of a document, nil if there is none
// that answers.
func (p *Page) childOf(ctx context.Context, parent *frame.Frame, owner int) *frame.Frame {
	if owner == 0 {
		return nil
	}
	for _, f := range p.children(parent) {
		if n, err := p.owner(ctx, f); err == nil && n == owner && !p.lost(f) {
			return f
		}
	}
	return nil
}

// wheelTurn has the parameters of Input.dispatchMouseEvent for the wheel. Chromium
// wants both distances, and those of cdproto leave out what is 0.
type wheelTurn struct {
	Type   input.DispatchMouseEventType `json:"type"`
	X      float64                      `json:"x"`
	Y      float64                      `json:"y"`
	DeltaX float64                      `json:"deltaX"`
	DeltaY float64                      `json:"deltaY"`

	Modifiers int64 `json:"modifiers"`
}

var dispatchWheel = proto.Command[wheelTurn, proto.Empty]{Method: input.DispatchMouseEvent.Method}

// wheel moves the mouse to a point and turns the wheel there. Without the move, after
// a turn that had nothing to scroll in an iframe, Chromium takes the next turn to
// belong to that one, wherever it is, and scrolls nothing.
//
// It waits until the page has taken the event: Chromium replies after its listeners
// have run, as the guard's is one that may prevent the scroll.
func (p *Page) wheel(ctx context.Context, at point, s Scroll, over wheelPath) error {
	if err := inTime(ctx); err != nil {
		return err
	}
	x, y := s.turn(over)
	return confirmed(ctx, []*cdp.Reply[proto.Empty]{
		p.mouse(input.DispatchMouseEventTypeMouseMoved, at, Click{Button: input.MouseButtonNone}, 0),
		cdp.Send(p.session, dispatchWheel, wheelTurn{input.DispatchMouseEventTypeMouseWheel, at.X, at.Y, x, y, int64(p.heldModifiers())}),
	})
}

// wheeled is what one turn of the wheel has done.
type wheeled struct {
	Scrolled
	wheelBox      // that was scrolled
	more     bool // a box around it can be scrolled, too
}

// wheelOver waits until what the turn of the wheel has begun is over. Only in the frame
// that it is expected to scroll may that take more than two frames; the others are
// asked afterwards.
func (p *Page) wheelOver(ctx context.Context, s Scroll, path wheelPath, contained bool) (wheeled, error) {
	at, expected := path.expected(s, contained)
	if err := path.ask(ctx, at, expected); err != nil {
		return wheeled{}, unconfirmed(err)
	}
	for i := range path {
		if i == at {
			continue
		}
		if err := path.ask(ctx, i, false); err != nil && !errors.Is(err, frame.ErrGone) {
			return wheeled{}, unconfirmed(err)
		}
	}
	out := path.outcome(s)
	out.more = out.more && !contained
	return out, nil
}

// ask has a frame wait until it is over, and keeps what it says.
func (path wheelPath) ask(ctx context.Context, i int, expected bool) error {
	state, err := frame.Call[wheelState](ctx, path[i].world, "wheelOver", map[string]any{"by": ScriptDeadline(ctx), "expected": expected})
	if err == nil {
		path[i].wheelState = state
	}
	return err
}

// outcome says where the scroll has led to.
func (path wheelPath) outcome(s Scroll) wheeled {
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
	out := wheeled{wheelBox: box, more: more}
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
