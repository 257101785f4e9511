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
	"chela/internal/reading/inputvalue"
	"chela/internal/reading/pagejs"
)

// An Element is one element of the page, by the ref that a snapshot gave it.
type Element struct {
	page  *Page
	frame *frame.Frame
	ref   Ref
	given Ref    // as the caller gave it, for errors: ref, or one of an aria snapshot (ax7)
	says  string // if not "": its text must be this when it gets a click, see listbox.go
}

// Element finds the element of a ref. A ref that was never given is an
// [UnknownRefError]. Whether the element is still there is only seen when it is
// used, which returns a [StaleRefError] then.
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

// related returns another element of the same document, by the number that the page
// script gave it. Its errors name the ref that the caller gave.
func (e *Element) related(number int) *Element {
	return &Element{page: e.page, frame: e.frame, ref: e.page.refIn(e.frame, number), given: e.given}
}

// refIn returns the ref of a number that the page script of a frame gave; none if it is 0.
func (p *Page) refIn(f *frame.Frame, number int) Ref {
	if number == 0 {
		return Ref{}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	f.Refs.Add(number)
	return Ref{Frame: f.Refs.Frame, Number: number}
}

// A report is what a function of the page script says about an element: what is
// missing, with what the error shall name, or a point in the viewport of its frame.
type report struct {
	Missing pagejs.Missing `json:"missing"`
	By      string         `json:"by"`
	ByRef   int            `json:"byRef"` // of the element that By describes; 0 if it has none
	Hover   int            `json:"hover"` // of the element whose hover shows this one; 0 if none is known
	Which   string         `json:"which"`
	Options []string       `json:"options"`
	Frame   bool           `json:"frame"`   // the element is an iframe
	Instead int            `json:"instead"` // of the box that the wheel is turned over as the element is gone; 0: it is there
	Input   inputvalue.Input
	point

	frame *frame.Frame // of ByRef, if not the element's

	Internals bool `json:"internals"` // what the element has set through ElementInternals is to be asked for, see askInternals
}

// A Point is in CSS pixels.
type Point struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

type point = Point

// world returns our world of the element's document; a frame that was removed or
// has crashed is a [StaleRefError].
func (e *Element) world(ctx context.Context) (*frame.World, error) {
	e.page.mu.Lock()
	gone := !e.page.frames.Has(e.frame) || e.frame.Crashed
	e.page.mu.Unlock()
	if gone {
		return nil, e.stale()
	}
	return e.page.worldOf(ctx, e.frame)
}

// ask calls a function of the page script with the element's ref number as the first
// argument. A document that is replaced meanwhile is a [StaleRefError].
func ask[R any](ctx context.Context, e *Element, fn string, args ...any) (R, error) {
	w, err := e.world(ctx)
	if err != nil {
		var none R
		return none, err
	}
	reasons := e.askReasons(ctx, w)
	defer reasons.end()
	out, err := frame.Call[R](ctx, w, fn, append([]any{e.ref.Number}, args...)...)
	switch {
	case errors.Is(err, frame.ErrGone):
		err = e.stale()
	case errors.Is(err, ErrBusy):
		err = cmp.Or(reasons.failure(ctx), err)
	}
	return out, err
}

// What an element can lack beside what the page script looks for: what shows only
// when it is given input or files.
const (
	MissedInput pagejs.Missing = "elsewhere"   // something else got the input
	Slipped     pagejs.Missing = "slipped"     // it moves when it is pressed, so that the release meets another element
	Refused     pagejs.Missing = "refused"     // the page kept what was there, and not the text
	Beside      pagejs.Missing = "beside"      // the text stands beside what it was to replace
	NoSelect    pagejs.Missing = "unselect"    // options were to be chosen, and it is no select element
	Uncheckable pagejs.Missing = "uncheckable" // it is neither checkbox, radio nor switch
	Unchanged   pagejs.Missing = "unchanged"   // a click did not change its checked state
	Unchosen    pagejs.Missing = "unchosen"    // an option that was clicked does not show to be chosen
	Radio       pagejs.Missing = "radio"       // a radio button was to be unchecked
	NoFileInput pagejs.Missing = "nofiles"     // files were to be put into it
	NoDrop      pagejs.Missing = "nodrop"      // the page did not accept files that were dragged over it
	NestedDrop  pagejs.Missing = "nesteddrop"  // files were to be dropped on it, and it is a frame
)

// AllMissing lists all that an [ElementError] can say.
func AllMissing() []pagejs.Missing {
	return slices.Concat(pagejs.AllMissing, []pagejs.Missing{
		MissedInput, Slipped, Refused, Beside, NoSelect, Uncheckable, Unchanged, Unchosen, Radio, NoFileInput, NoDrop, NestedDrop,
	})
}

// An ElementError says why an element could not be acted on.
type ElementError struct {
	Ref     Ref              // as the caller gave it
	Missing pagejs.Missing   // one of AllMissing, and never [pagejs.Gone]: that is a [StaleRefError]
	By      string           // the element that is in the way, in short; "" if it is outside of the page
	ByRef   Ref              // its ref; the zero Ref if it has none
	Hover   Ref              // the element whose hover shows this one, by the page's style sheets; the zero Ref if there is none
	Which   string           // the option or the text that it is about, if any
	Options []string         // what a select has instead of the option, or all that an ambiguous text may mean
	Input   inputvalue.Input // with [pagejs.Format]: which values it takes
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

// failure is the error of an element that lacks something: an [ElementError], or
// a [StaleRefError] if it lacks itself.
func (e *Element) failure(r report) error {
	if r.Missing == pagejs.Gone {
		return e.stale()
	}
	return &ElementError{
		Ref: e.given, Missing: r.Missing, By: r.By, ByRef: e.page.refIn(cmp.Or(r.frame, e.frame), r.ByRef), Hover: e.page.refIn(e.frame, r.Hover),
		Which: r.Which, Options: r.Options, Input: r.Input,
	}
}

// elementGroup is the group of remote objects that refer to an element. Chromium
// cannot free the element before they are released.
const elementGroup = "chela-element"

// releaseElement releases the objects of elementGroup.
func releaseElement(s *cdp.Session) {
	cdp.Send(s, runtime.ReleaseObjectGroup, runtime.ReleaseObjectGroupParams{ObjectGroup: elementGroup})
}

// release lets Chromium free what one remote object refers to.
func release(s *cdp.Session, object runtime.RemoteObjectID) {
	cdp.Send(s, runtime.ReleaseObject, runtime.ReleaseObjectParams{ObjectID: object})
}

// inPage returns the element as an object of the page's own world. Worlds do not
// share objects, so it is looked up in ours, described as a node, and the node is
// resolved in the other. The caller calls releaseElement afterwards.
func (e *Element) inPage(ctx context.Context) (runtime.RemoteObjectID, error) {
	w, err := e.world(ctx)
	if err != nil {
		return "", err
	}
	ours, err := e.object(ctx, w)
	if err != nil {
		return "", err
	}
	node, err := cdp.Call(ctx, w.Session, dom.DescribeNode, dom.DescribeNodeParams{ObjectID: ours})
	if err != nil {
		return "", frame.Failure(ctx, err)
	}
	e.page.mu.Lock()
	main := e.frame.MainWorld
	e.page.mu.Unlock()
	if main == nil {
		return "", e.stale()
	}
	theirs, err := cdp.Call(ctx, w.Session, dom.ResolveNode, dom.ResolveNodeParams{
		BackendNodeID: node.Node.BackendNodeID, ExecutionContextID: main.ID, ObjectGroup: elementGroup,
	})
	if err != nil {
		return "", frame.Failure(ctx, err)
	}
	return theirs.Object.ObjectID, nil
}

// object returns the element as an object of our world. The caller calls releaseElement
// afterwards.
func (e *Element) object(ctx context.Context, w *frame.World) (runtime.RemoteObjectID, error) {
	res, err := cdp.Call(ctx, w.Session, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
		FunctionDeclaration: "function(n){return chela.element(n)}", ObjectGroup: elementGroup,
		UniqueContextID: w.UniqueID, Arguments: []*runtime.CallArgument{frame.Value(e.ref.Number)},
	})
	if err != nil {
		return "", frame.Failure(ctx, err)
	}
	if res.Result.ObjectID == "" {
		return "", e.stale()
	}
	return res.Result.ObjectID, nil
}
