package page

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"

	"chela/internal/engine/cdp"
	"chela/internal/engine/frame"
	"chela/internal/engine/inspect"
	"chela/internal/reading/inputvalue"
	"chela/internal/reading/pagejs"
	"chela/internal/reading/snapshot"
)

// An Element is one element of the page, by its ref from a snapshot.
type Element struct {
	page         *Page
	frame        *frame.Frame
	ref          Ref
	given        Ref           // the ref that the caller gave, for errors: ref, or one of an aria snapshot (ax7)
	expectedText string        // if not "", a click requires that this is the element's text: see listbox.go
	inFrame      frame.Subject // the element as it was described last, see describing
	says         *snapshot.Ref // role and name when it was last aimed at for a click; nil: it has no words of its own
}

// Element returns the element of a ref. For a ref that was never given, the error is an
// [UnknownRefError]. It is not checked whether the element still exists. If it does not, using it
// returns a [StaleRefError].
func (p *Page) Element(ctx context.Context, ref string) (*Element, error) {
	r, ok := ParseRef(ref)
	if !ok {
		return nil, &UnknownRefError{ref}
	}
	if r.AX {
		return p.axElement(ctx, r)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	f := p.frames.ByNumber(r.Frame)
	if f == nil || r.Number > f.Refs.Highest {
		return nil, &UnknownRefError{ref}
	}
	return &Element{page: p, frame: f, ref: r, given: r}, nil
}

// related returns another element of the same document, by its number in the page script. Errors
// about it name the ref that the caller gave for e.
func (e *Element) related(number int) *Element {
	return &Element{page: e.page, frame: e.frame, ref: e.page.refIn(e.frame, number), given: e.given}
}

// refIn returns the ref of the element to which the page script of a frame has given a number. For
// the number 0 it returns the zero Ref.
func (p *Page) refIn(f *frame.Frame, number int) Ref {
	if number == 0 {
		return Ref{}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.refInLocked(f, number)
}

func (p *Page) refInLocked(f *frame.Frame, number int) Ref {
	f.Refs.Add(number, f.Loader)
	return Ref{Frame: p.frames.Number(f), Number: number}
}

// A report is the answer of a function of the page script that checks an element. It has a point in
// the viewport of the element's frame, or says what the element lacks, with details for the error.
// [ElementError] explains fields that have the same name there.
type report struct {
	Missing  pagejs.Missing `json:"missing"`
	By       string         `json:"by"`
	ByRef    int            `json:"byRef"` // number of the element described by By; 0 if it has none
	Around   bool           `json:"around"`
	Hover    int            `json:"hover"` // number of the element that must be hovered so that this one is shown; 0 if none is known
	Which    string         `json:"which"`
	Options  []string       `json:"options"`
	More     int            `json:"more"`
	Frame    bool           `json:"frame"`    // the element is an iframe
	Instead  int            `json:"instead"`  // for the wheel: number of the box to scroll because the element is gone; 0: the element exists
	Interest bool           `json:"interest"` // the element, or one around it, shows another element some time after the mouse came
	Follows  bool           `json:"follows"`  // for a click: the page listens there for where the mouse is, see moveFirst
	Closed   bool           `json:"closed"`   // for a click: the element says by aria-expanded that it is closed
	Endless  bool           `json:"endless"`  // for a click or hover: an endless animation moves the element; the mouse should go to its point
	Leave    *point         `json:"leave"`    // for a hover: how far the mouse must move first to leave the element, see wayOut in hover.js; nil: it need not leave
	OwnWords *snapshot.Ref  `json:"ownWords"` // for a click: role and name, if the element is known by its own words
	Input    inputvalue.Input
	Holds    string `json:"-"`
	point

	frame *frame.Frame // frame of the element ByRef; nil: the frame of this element
	world *frame.World // the document that has answered; nil if nobody uses it, see aim

	Internals bool `json:"internals"` // values set through ElementInternals are to be looked up, see askInternals
}

// A Point is in CSS pixels.
type Point struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

type point = Point

// world returns the page script's world in the element's document. If the element's frame was
// removed or has crashed, the error is a [StaleRefError].
func (e *Element) world(ctx context.Context) (*frame.World, error) {
	w, err := e.page.worldOf(ctx, e.frame)
	return w, e.orStale(err)
}

// orStale returns a [StaleRefError] for an error which says that the element's document has gone, or
// its frame. It returns any other error as it is. The element may be nil: then no error is changed.
func (e *Element) orStale(err error) error {
	if e != nil && isLost(err) {
		return e.stale()
	}
	return err
}

// ask calls a function of the page script with the element's ref number as the first argument. If
// the document is replaced meanwhile, the error is a [StaleRefError].
func ask[R any](ctx context.Context, e *Element, fn string, args ...any) (R, error) {
	_, out, err := askDocument[R](ctx, e, fn, args...)
	return out, err
}

// askDocument does what ask does, and also returns which document has answered.
func askDocument[R any](ctx context.Context, e *Element, fn string, args ...any) (w *frame.World, out R, err error) {
	if w, err = e.world(ctx); err != nil {
		return nil, out, err
	}
	reasons := e.askReasons(ctx, w)
	defer reasons.end()
	out, err = frame.Call[R](e.describing(ctx), w, fn, append([]any{e.ref.Number}, args...)...)
	if err == nil {
		e.flash()
	}
	switch {
	case err != nil && errors.Is(ctx.Err(), context.Canceled):
		frame.Send[struct{}](ctx, w, "endWait") // the page script knows the deadline only
	case errors.Is(err, ErrBusy):
		err = cmp.Or(reasons.failure(ctx), err)
	}
	return w, out, e.orStale(err)
}

// These are reasons why input or files did not do what was wanted with an element. They become
// known only when the input or files are sent. The page script checks all others before: see
// [pagejs.AllMissing].
const (
	MissedInput pagejs.Missing = "elsewhere"   // something else got the input
	Slipped     pagejs.Missing = "slipped"     // the element moves when it is pressed, so that another element gets the release
	Unclicked   pagejs.Missing = "unclicked"   // the page has changed since the press, or covers the element, which then got no click
	Reclosed    pagejs.Missing = "reclosed"    // the mouse alone opened the element, and the click closed it again
	Refused     pagejs.Missing = "refused"     // the page kept the old text
	Beside      pagejs.Missing = "beside"      // the new text is beside the old text
	NoSelect    pagejs.Missing = "unselect"    // options were to be chosen, and the element is not a select element
	Uncheckable pagejs.Missing = "uncheckable" // the element is not a checkbox, radio or switch
	Unchanged   pagejs.Missing = "unchanged"   // a click did not change the element's checked state
	Kept        pagejs.Missing = "kept"        // the list of options has no entry to deselect what is chosen: "options"
	Unchosen    pagejs.Missing = "unchosen"    // an option that was clicked does not appear to be chosen
	Radio       pagejs.Missing = "radio"       // a radio button was to be unchecked
	NoFileInput pagejs.Missing = "nofiles"     // the element is not a file input, and was to get files
	NoDrop      pagejs.Missing = "nodrop"      // the page did not accept files that were dragged over the element
	NestedDrop  pagejs.Missing = "nesteddrop"  // files were to be dropped on the element, and it is a frame
)

// AllMissing lists all reasons that an [ElementError] can have.
func AllMissing() []pagejs.Missing {
	return slices.Concat(pagejs.AllMissing, []pagejs.Missing{
		MissedInput, Slipped, Unclicked, Reclosed, Refused, Beside, NoSelect, Uncheckable, Unchanged, Kept, Unchosen, Radio, NoFileInput, NoDrop, NestedDrop,
	})
}

// An ElementError says why an element could not be acted on.
type ElementError struct {
	Ref     Ref              // the ref as the caller gave it
	Role    string           // the element's role in the last snapshots; "" if they did not show it
	Missing pagejs.Missing   // one of AllMissing, except [pagejs.Gone], which is a [StaleRefError]
	By      string           // a short description of the element that covers this one; "" if what covers it is not in the page
	ByRef   Ref              // ref of the covering element; the zero Ref if it has none
	Around  bool             // the covering element contains this one, which is clipped away or behind it
	Hover   Ref              // the element that must be hovered so that the style sheets show this one; the zero Ref if there is none
	Which   string           // the option or text in question, if any
	Options []string         // the options of a select element, or the values that an ambiguous text may stand for
	More    int              // how many more there are than Options lists
	Input   inputvalue.Input // with [pagejs.Format]: the values that the element accepts
	At      *Point           // if a drag was to end on the element: where in the viewport that is; nil if it is out of view
	Holds   string           // with [pagejs.Format] and Refused: what the element holds now, if the input has changed it to something else
}

func (e *ElementError) Error() string {
	text := fmt.Sprintf("element %s: %s", e.Ref, e.Missing)
	if e.By != "" {
		text += " by " + e.By
	}
	if e.Which != "" {
		text += fmt.Sprintf(": %q", e.Which)
	}
	if len(e.Options) > 0 {
		text += fmt.Sprintf(", it has %q", e.Options)
	}
	return text
}

// failure returns the error for an element that lacks something: an [ElementError], or a
// [StaleRefError] if the element itself is gone. ErrSent comes with it if the page has moved the focus
// on: it has had the events.
func (e *Element) failure(r report) error {
	if r.Missing == pagejs.Gone {
		return e.stale()
	}
	known, _ := e.page.known(e.given)
	err := &ElementError{
		Ref: e.given, Role: known.Role, Missing: r.Missing, By: r.By, ByRef: e.page.refIn(cmp.Or(r.frame, e.frame), r.ByRef), Around: r.Around, Hover: e.page.refIn(e.frame, r.Hover),
		Which: r.Which, Options: r.Options, More: r.More, Input: r.Input, Holds: r.Holds,
	}
	if r.Missing == pagejs.Refocused {
		return withSent(err)
	}
	return err
}

// askInternals asks Chromium again what the element, and the custom element around it, has set
// through ElementInternals. It is called when the page script needs that for an act.
func (e *Element) askInternals(ctx context.Context) error {
	w, err := e.world(ctx)
	if err == nil {
		_, err = inspect.AskInternals(ctx, w)
	}
	return err
}

// elementGroup is the group of remote objects that refer to an element. Chromium cannot free the
// element before they are released.
const elementGroup = "chela-element"

// releaseElement releases the objects of elementGroup.
func releaseElement(s *cdp.Session) {
	cdp.Send(s, runtime.ReleaseObjectGroup, runtime.ReleaseObjectGroupParams{ObjectGroup: elementGroup})
}

// inMainWorld returns the element as an object of the main world, where scripts of the page run.
// Worlds do not share objects. So the element is looked up in the page script's world, described as
// a node, and resolved in the main world. The caller must call releaseElement afterwards.
func (e *Element) inMainWorld(ctx context.Context) (runtime.RemoteObjectID, error) {
	w, err := e.world(ctx)
	if err != nil {
		return "", err
	}
	ours, err := e.object(ctx, w)
	if err != nil {
		return "", err
	}
	node, err := cdp.CallWithin(ctx, w.Session, dom.DescribeNode, dom.DescribeNodeParams{ObjectID: ours}, frame.MaxDescription)
	if err != nil {
		return "", frame.Failure(ctx, err)
	}
	e.page.mu.Lock()
	main := e.frame.MainWorld
	e.page.mu.Unlock()
	if main == nil {
		return "", e.stale()
	}
	theirs, err := cdp.CallWithin(ctx, w.Session, dom.ResolveNode, dom.ResolveNodeParams{
		BackendNodeID: node.Node.BackendNodeID, ExecutionContextID: main.ID, ObjectGroup: elementGroup,
	}, frame.MaxDescription)
	if err != nil {
		return "", frame.Failure(ctx, err)
	}
	return theirs.Object.ObjectID, nil
}

// object returns the element as an object of the page script's world. The caller must call
// releaseElement afterwards.
func (e *Element) object(ctx context.Context, w *frame.World) (runtime.RemoteObjectID, error) {
	res, err := cdp.CallWithin(ctx, w.Session, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
		FunctionDeclaration: "function(n){return chela.element(n)}", ObjectGroup: elementGroup,
		UniqueContextID: w.UniqueID, Arguments: []*runtime.CallArgument{frame.Value(e.ref.Number)},
	}, frame.MaxDescription)
	if err != nil {
		return "", frame.Failure(ctx, err)
	}
	if res.Result.ObjectID == "" {
		return "", e.stale()
	}
	return res.Result.ObjectID, nil
}
