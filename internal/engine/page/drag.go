package page

import (
	"cmp"
	"context"
	"errors"
	"math"
	"time"

	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"

	"chela/internal/engine/cdp"
	"chela/internal/engine/frame"
)

// A DragEnd is where a drag ends, and how. Exactly one of Onto, At and By is set.
type DragEnd struct {
	From     *Point   // point in the dragged element to press, as for a click; nil: the thumb of a range, or any point that can be hit
	Onto     *Element // element on which the drag ends
	Position *Point   // point in the element Onto, as for a click; nil: any point where it can be hit
	At       *Point   // point of the tab's viewport at which the drag ends
	By       *Point   // offset from where the drag began

	Steps int           // number of mouse moves on the way; 0: the moves of usualWay
	Hold  time.Duration // how long the mouse is held on the element before it moves

	// Done, if not nil, is called with what the drag has done.
	Done func(DragEffect)
}

// A DragEffect says what a drag has done.
type DragEffect struct {
	Doubt DragDoubt // why it may have done nothing, "" if it has done something
	Way   Point     // how far the mouse went with the element
	*Travel
}

// A Travel says how far a dragged element has moved, and by how much its size has changed, in pixels.
type Travel struct{ Moved, Grown Point }

// A DragDoubt says why a drag may have done nothing.
type DragDoubt string

const (
	// Undropped: data was dragged, and the page did not accept it where it was dropped. Neither what was
	// dragged nor what it was dragged onto has changed.
	Undropped DragDoubt = "undropped"
	// Unanswered: the page accepted data that was dropped, and has not changed since, as for Unmoved.
	Unanswered DragDoubt = "unanswered"
	// Unmoved: since the press, at most text has changed, and not in what was dragged or what it was
	// dragged onto. Nobody can tell this of a canvas: what a page draws there is no change of its document.
	Unmoved DragDoubt = "unmoved"
)

// Drag drags the element as a person would with the mouse: press, move in steps, release.
//
// Some lists let an item be dragged only after a long press: a move that comes sooner is for
// scrolling or selecting. The caller knows such a list, and gives the time to hold (end.Hold).
//
// Some pages only listen for mouse or pointer events, and need nothing more. In others, Chromium
// begins a drag of the operating system when a draggable element is moved (dragstart). From then on
// there are no mouse events, and a headless browser has no system that would do the rest. With
// Input.setInterceptDrags, Chromium sends us the drag's data instead (Input.dragIntercepted).
// Input.dispatchDragEvent then delivers it to the target as dragenter, dragover and drop.
//
// Errors are the same as for Click, about the dragged element or the target. If the drag would end
// outside of the viewport, the error is an [OutsideError]. Only the press may be repeated; what
// follows it is never sent twice. If it fails then, see abandonDrag, the error wraps ErrSent.
func (e *Element) Drag(ctx context.Context, end DragEnd) error {
	p := e.page
	if err := p.checkReleased(); err != nil {
		return err
	}
	if err := e.checkEnd(ctx, end); err != nil { // check the end before anything is pressed
		return err
	}
	p.setDragged(nil) // of the mouse, see MouseMove
	defer p.setDragged(nil)
	cdp.Send(p.session, input.SetInterceptDrags, input.SetInterceptDragsParams{Enabled: true})
	defer cdp.Send(p.session, input.SetInterceptDrags, input.SetInterceptDragsParams{Enabled: false})
	if end.Done != nil {
		e.watchDrag(ctx, end.Onto)
		defer sendToOrigins[struct{}](context.WithoutCancel(ctx), p, "unwatchDrag") // also after the deadline
	}
	return e.grab(ctx, end, func(from point, before inputMark) error {
		staying, cancel := e.whileStaying(ctx, before)
		to, err := e.dragFrom(staying, from, end)
		cancel()
		if err != nil {
			e.abandonDrag(ctx, from)
			return withSent(err)
		}
		released := p.sendMouse(input.DispatchMouseEventTypeMouseReleased, to, Click{}, 1)
		if err := awaitHandled(ctx, []*cdp.Reply[proto.Empty]{released}); err != nil && !errors.Is(err, frame.ErrGone) {
			return withSent(err)
		}
		if end.Done != nil {
			done := e.dragEffect(ctx, end.Onto)
			done.Way = Point{to.X - from.X, to.Y - from.Y}
			end.Done(done)
		}
		return nil
	})
}

// watchDrag has all documents watch what the drag of the element changes, see drageffect.js. It does
// not wait. The parameter onto is the element on which the drag ends, nil if there is none.
func (e *Element) watchDrag(ctx context.Context, onto *Element) {
	if w, err := e.world(ctx); err == nil {
		frame.Send[struct{}](ctx, w, "watchDrag", e.ref.Number, onto.numberIn(e.frame))
		sendToOthers[struct{}](ctx, e, "watchDrag", 0, 0)
	}
}

// dragEffect returns what the drag of the element has done, as far as that is known. It does not wait
// longer than effectTime.
func (e *Element) dragEffect(ctx context.Context, onto *Element) (done DragEffect) {
	soon, cancel := context.WithTimeout(ctx, effectTime)
	defer cancel()
	type effect struct {
		Near, Any bool
		Drop      string
		Travel    *Travel
	}
	var all effect
	for _, answer := range sendToOrigins[effect](soon, e.page, "dragEffect", ScriptDeadline(soon)) {
		o, err := answer.Wait(soon)
		if err != nil {
			return DragEffect{}
		}
		done.Travel = cmp.Or(done.Travel, o.Travel)
		all.Near, all.Any, all.Drop = all.Near || o.Near, all.Any || o.Any, cmp.Or(all.Drop, o.Drop)
	}
	switch {
	case all.Drop == "none" && !all.Near:
		done.Doubt = Undropped
	case all.Any || e.hasCanvas(ctx) || onto != nil && onto.hasCanvas(ctx):
	case all.Drop != "" && all.Drop != "none":
		done.Doubt = Unanswered
	default:
		done.Doubt = Unmoved
	}
	return done
}

// numberIn returns the number of the element if it is in the frame; else, and if e is nil, it returns 0.
func (e *Element) numberIn(f *frame.Frame) int {
	if e == nil || e.frame != f {
		return 0
	}
	return e.ref.Number
}

// effectTime is how long a page may take to report the effect of a drag, or what its fields hold. A page
// that loads another document does not answer meanwhile.
const effectTime = time.Second

// hasCanvas reports whether the element is, has or covers a canvas.
func (e *Element) hasCanvas(ctx context.Context) bool {
	has, err := ask[bool](ctx, e, "hasCanvas")
	return err == nil && has
}

// dragFrom drags the element from the point where the mouse is pressed. It returns the end point,
// where the mouse is to be released. The parameter ctx comes from whileStaying.
func (e *Element) dragFrom(ctx context.Context, from point, end DragEnd) (to point, err error) {
	if err := Pause(ctx, end.Hold); err != nil {
		return to, err
	}
	if err := e.page.moveMouse(ctx, firstMove(from, end.toward(ctx, from)), Click{}); err != nil {
		return to, err
	}
	begun, err := e.dragBegun(ctx)
	if err != nil {
		return to, err
	}
	// The page is scrolled to the target only now: Chromium looks for the dragged element where
	// the mouse was pressed.
	to, err = end.pointPastMiddle(ctx, e, from)
	if err != nil {
		return to, err
	}
	err = e.dragAlong(ctx, end.way(from, to), begun, end.Steps > 0)
	if opensAnother(err) && e.page.dragged() == nil {
		err = nil // only the release follows
	}
	return to, err
}

// dragBegins is how many pixels the mouse first moves, along the longer side of the way. Chromium
// requires them for a drag of data.
const dragBegins = 5

// firstMove returns where the mouse moves first in a drag. It is on the way to the end: some swipes
// decide by their first move whether they go up or aside.
func firstMove(from, to point) point {
	longer := max(math.Abs(to.X-from.X), math.Abs(to.Y-from.Y))
	if longer == 0 {
		return point{from.X + dragBegins, from.Y + dragBegins}
	}
	return between(from, to, dragBegins/longer)
}

// toward returns where the drag ends, as far as that is known before the page is scrolled there. If
// nothing is known, it returns the start.
func (end DragEnd) toward(ctx context.Context, from point) point {
	if end.Onto == nil {
		to, _ := end.point(ctx, nil, from) // such a point is only calculated
		return to
	}
	boxes, err := end.Onto.page.Boxes(ctx, []string{end.Onto.ref.String()})
	if err != nil || len(boxes) == 0 {
		return from // what is wrong with the element is reported when the mouse is to move there
	}
	in := point{boxes[0].Width / 2, boxes[0].Height / 2}
	if end.Position != nil {
		in = *end.Position
	}
	return point{boxes[0].X + in.X, boxes[0].Y + in.Y}
}

// abandonDrag ends a drag that has failed. Its data is dropped nowhere. The mouse returns to where
// it was pressed, and is released there. The page script keeps the click of this release from the
// page (drag.js). All this is sent even after the deadline: otherwise the tab would stay in the
// middle of the drag.
func (e *Element) abandonDrag(ctx context.Context, from point) {
	e.leaveWindow(ctx)
	e.page.sendMouse(input.DispatchMouseEventTypeMouseMoved, from, Click{}, 0)
	e.page.sendMouse(input.DispatchMouseEventTypeMouseReleased, from, Click{}, 1).Wait(ctx)
}

// pointPastMiddle returns the end point of a drag; the parameter from is its start. On an element,
// without a position in it, the point is slightly past the element's middle in the direction of
// travel. Many sortable lists move an item only when the mouse has passed the middle of another
// one. Exactly at the middle they do nothing, in one direction or in both.
func (end DragEnd) pointPastMiddle(ctx context.Context, e *Element, from point) (point, error) {
	to, err := end.point(ctx, e, from)
	if err != nil || end.Onto == nil || end.Position != nil {
		return to, err
	}
	by, err := ask[point](ctx, end.Onto, "pastMiddle", to.X-from.X, to.Y-from.Y)
	return point{to.X + by.X, to.Y + by.Y}, err
}

// checkEnd returns an error if a drag of the element cannot end where the parameter end says.
func (e *Element) checkEnd(ctx context.Context, end DragEnd) error {
	from := report{}
	if end.By != nil {
		var err error
		if from, err = e.aim(ctx, needs{position: end.From, drag: true}); err != nil {
			return err
		}
	}
	to, err := end.point(ctx, e, from.point)
	if lacks, ok := errors.AsType[*ElementError](err); ok {
		if at := end.toward(ctx, point{-1, -1}); e.page.inViewport(ctx, at.X, at.Y) == nil {
			lacks.At = &Point{math.Round(at.X), math.Round(at.Y)}
		}
	}
	if err != nil || end.Onto != nil {
		return err
	}
	return e.page.inViewport(ctx, to.X, to.Y)
}

// point returns the end point of a drag of the element e; the parameter from is its start.
func (end DragEnd) point(ctx context.Context, e *Element, from point) (point, error) {
	switch {
	case end.At != nil:
		return *end.At, nil
	case end.By != nil:
		return point{from.X + end.By.X, from.Y + end.By.Y}, nil
	}
	r, err := end.Onto.aim(ctx, needs{position: end.Position, dragged: e})
	return r.point, err
}

// usualWay lists the fractions of the way at which pages get a mouse move. There are several, since
// pages that follow the mouse expect more than one move. The last steps are short, since some pages
// take the direction of the last move for the direction of the drag.
var usualWay = []float64{.15, .3, .45, .6, .75, .9, .97, 1}

// way lists the points of the mouse moves from one point to another. The last of them is the end
// point itself.
func (end DragEnd) way(from, to point) (way []point) {
	parts := usualWay
	if end.Steps > 0 {
		parts = nil
	}
	for i := range end.Steps {
		parts = append(parts, float64(i+1)/float64(end.Steps))
	}
	for _, part := range parts {
		way = append(way, between(from, to, part))
	}
	return way
}

// grab presses the mouse on the element and calls the function rest. It makes sure that the element
// got the press, as clickGuarded does for a click. A press that the guard kept from the page is
// released, and tried again. The wait for the element leaves enough time to hold the mouse.
func (e *Element) grab(ctx context.Context, end DragEnd, rest func(from point, before inputMark) error) error {
	aiming, cancel := reserve(ctx, end.Hold)
	defer cancel()
	for {
		at, err := e.aim(aiming, needs{position: end.From, guard: guardTime(ctx), drag: true})
		if err != nil {
			return err
		}
		before, err := e.inputMark(ctx, at.world)
		if err != nil {
			return err
		}
		if err := e.page.pressAndHold(ctx, at.point); err != nil {
			return err
		}
		v, err := e.takeVerdict(ctx, before)
		if err == nil && v.Passed {
			return rest(at.point, before)
		}
		e.releaseGuarded(ctx, at.point, before)
		switch {
		case errors.Is(err, frame.ErrGone): // the press made the page load another document
			return withSent(err)
		case err != nil:
			return withSentIfBusy(err)
		case remaining(aiming) == 0:
			return e.missed("drag", v)
		}
	}
}

// releaseGuarded releases the mouse after a press that the guard kept from the page. Chromium makes
// a click of such a press and its release. So all documents are guarded again until the release has
// come: the guard of the press has ended with its verdict. The parameter before is the mark from
// before the press.
func (e *Element) releaseGuarded(ctx context.Context, at point, before inputMark) {
	if w, err := e.world(ctx); err == nil {
		guarded := frame.Send[struct{}](ctx, w, "guardAll", guardTime(ctx).Milliseconds(), false)
		e.guardOthers(ctx)
		awaitTaken(ctx, e, guarded, before)
	}
	e.page.sendMouse(input.DispatchMouseEventTypeMouseReleased, at, Click{}, 1).Wait(ctx)
	e.page.endGuards(ctx, false)
}

// pressAndHold moves the mouse to a point and presses it there, without releasing it. If it fails,
// the page may still get the press later, so it is then released.
func (p *Page) pressAndHold(ctx context.Context, at point) error {
	if err := checkTime(ctx); err != nil {
		return err
	}
	err := awaitHandled(ctx, []*cdp.Reply[proto.Empty]{
		p.sendMouse(input.DispatchMouseEventTypeMouseMoved, at, unpressed, 0),
		p.sendMouse(input.DispatchMouseEventTypeMousePressed, at, Click{}, 1),
	})
	if err != nil {
		p.sendMouse(input.DispatchMouseEventTypeMouseReleased, at, Click{}, 1)
	}
	return err
}

// dragAlong moves the pressed mouse along a way. If begun is true, Chromium has begun a drag of
// data, and the data is dropped at the end of the way. If over is also true, the data is dragged
// along the way: elements below it get dragenter, dragover and dragleave.
func (e *Element) dragAlong(ctx context.Context, way []point, begun, over bool) error {
	along := func(way []point) error {
		for _, at := range way {
			if err := e.page.moveMouse(ctx, at, Click{}); err != nil {
				return err
			}
			if begun && over {
				if err := e.page.dragEvent(ctx, input.DispatchDragEventTypeDragOver, at); err != nil {
					return err
				}
			}
		}
		return nil
	}
	if err := along(way); err != nil {
		return err
	}
	if !begun { // the drag of a link begins only some pixels later
		var err error
		if begun, err = e.dragBegun(ctx); err != nil {
			return err
		}
	}
	w, err := e.world(ctx)
	if err != nil {
		return err
	}
	if begun {
		return e.page.drop(ctx, w, way[len(way)-1])
	}
	// Two moves: Chromium dispatches no move to the point where the mouse is.
	return awaitFollowed(ctx, w, 0, func() error { return along(way[max(0, len(way)-2):]) })
}

// opensAnother reports whether a step of a drag failed because the page opens another document.
func opensAnother(err error) bool {
	return errors.Is(err, ErrReplaced) || errors.Is(err, frame.ErrGone)
}

// awaitFollowed waits until the page has followed the drag to its end. The page gets some animation
// frames, and time for its timers (dragFollowed in drag.js). If items were still moving, the page may
// have ignored the input meanwhile. So awaitFollowed calls again, which sends the last input once
// more, and waits again. It does so at least as often as the parameter least says. If the document is
// replaced, see opensAnother.
func awaitFollowed(ctx context.Context, w *frame.World, least int, again func() error) error {
	for times := range mostMoves + 1 {
		moving, err := frame.Call[bool](ctx, w, "dragFollowed", ScriptDeadline(ctx), times == mostMoves)
		if err != nil || !moving && times >= least {
			return err
		}
		if err := again(); err != nil {
			return err
		}
	}
	return nil
}

// mostMoves is how often a drag sends its last input again. A page that always moves something
// would otherwise never be followed.
const mostMoves = 3

// between returns a point on the straight way from a to b. The fraction of the way, part, is
// between 0 and 1.
func between(a, b point, part float64) point {
	return point{a.X + (b.X-a.X)*part, a.Y + (b.Y-a.Y)*part}
}
