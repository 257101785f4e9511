package page

import (
	"context"
	"errors"
	"fmt"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"

	"chela/internal/cdp"
	"chela/internal/op"
)

// An Element is one element of the page, by the ref that a snapshot gave it.
type Element struct {
	page  *Page
	frame *frame
	ref   Ref
	given Ref // what the caller named it by, for messages: ref, or one of an aria snapshot
}

// Element finds the element of a ref. Whether it is still there is seen when it is used.
func (p *Page) Element(ctx context.Context, ref string) (*Element, error) {
	r, ok := ParseRef(ref)
	if !ok {
		return nil, unknownRef(ref)
	}
	if r.AX {
		return p.axElement(ctx, r)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if r.Frame >= len(p.byPrefix) || r.Number > p.byPrefix[r.Frame].highest {
		return nil, unknownRef(ref)
	}
	return &Element{page: p, frame: p.byPrefix[r.Frame], ref: r, given: r}, nil
}

// A report is what a function of the page script says of an element: what is
// missing, or what it found.
type report struct {
	Missing string   `json:"missing"`
	By      string   `json:"by"`
	Which   string   `json:"which"`
	Options []string `json:"options"`
	Frame   bool     `json:"frame"` // the element is an iframe
	point
}

type point struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

// world returns the world of the element's document.
func (e *Element) world(ctx context.Context) (*world, error) {
	e.page.mu.Lock()
	gone := e.page.frames[e.frame.id] != e.frame || e.frame.crashed
	e.page.mu.Unlock()
	if gone {
		return nil, e.stale()
	}
	return e.page.worldOf(ctx, e.frame)
}

// ask calls a function of the page script with the element's number first.
func ask[R any](ctx context.Context, e *Element, fn string, args ...any) (R, error) {
	w, err := e.world(ctx)
	if err != nil {
		var none R
		return none, err
	}
	out, err := call[R](ctx, w, fn, append([]any{e.ref.Number}, args...)...)
	if errors.Is(err, errWorldGone) {
		err = e.stale()
	}
	return out, err
}

// failure says in words what an element lacked.
func (e *Element) failure(r report) error {
	if r.By == "" {
		r.By = "something outside of the page"
	}
	texts := map[string]string{
		"hidden":      "is not interactable (not visible). Try scrolling it into view, closing overlays, or re-snapshotting.",
		"outside":     "is not interactable (not visible): it can not be scrolled into view. Try re-snapshotting.",
		"covered":     fmt.Sprintf("is not interactable (covered by %s; another element intercepts pointer events).", r.By),
		"unclickable": fmt.Sprintf("is not interactable (its style has pointer-events: none, so that input passes through it to %s).", r.By),
		"disabled":    "is not enabled. Complete any prerequisites that enable the control.",
		"moving":      "is not stable. Wait for movement or animation to finish before interacting.",
		"readonly":    "is not editable (for example, read-only). Use an editable control.",
		"untyped":     "is not editable: this control does not support text input. Use an editable input, textarea, or contenteditable element.",
		"unfillable":  "has an input type that cannot be filled. Use the interaction appropriate for this control.",
		"number":      "requires a numeric value. Use a valid number instead of text.",
		"format":      "rejected the value format. Use a value supported by this input type.",
		"unfocusable": "can not take the focus. Use an element that can.",
		"refused":     "did not take the text: the page kept what was there.",
		"beside":      "took the text beside what it held, a part of which can not be edited.",
		"unselect":    "is not a select element. Click it, take a snapshot and click the option.",
		"choice":      fmt.Sprintf("belongs to a drop-down list, which is not a part of the page: no input reaches it. Select %q with this ref, or with that of the list.", r.Which),
		"single":      "takes one value, not several.",
		"option":      fmt.Sprintf("has no option %q; it has %q.", r.Which, r.Options),
		"standin":     fmt.Sprintf("is hidden behind %s, which still showed %q when it was changed, so it was changed back. Click that, take a snapshot and click the option.", r.By, r.Which),
		"uncheckable": "is nothing that can be checked. Use a checkbox, radio or switch.",
		"unchanged":   "did not change its checked state when clicked.",
		"slipped":     "moves away while it is pressed, so that no click reaches it.",
		"elsewhere":   fmt.Sprintf("did not get the input: it met %s.", r.By),
	}
	if r.Missing == "gone" {
		return e.stale()
	}
	err := op.Errorf(op.ActFailed, "Element %q %s", e.given, texts[r.Missing])
	switch r.Missing {
	case "covered":
		return err.Hinted("close or move away what covers it, then try again")
	case "choice":
		return err.Hinted("use select instead of click")
	}
	return err.Hinted("take a new snapshot to see what the page looks like now")
}

// elementGroup holds the objects of one element, which are let go together.
const elementGroup = "chela-element"

// releaseElement lets go of the objects of elementGroup.
func releaseElement(s *cdp.Session) {
	cdp.Send(s, runtime.ReleaseObjectGroup, runtime.ReleaseObjectGroupParams{ObjectGroup: elementGroup})
}

// inPage gives the element to the page's own scripts, for who then lets go of
// elementGroup.
func (e *Element) inPage(ctx context.Context) (runtime.RemoteObjectID, error) {
	w, err := e.world(ctx)
	if err != nil {
		return "", err
	}
	ours, err := cdp.Call(ctx, w.session, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
		FunctionDeclaration: "function(n){return chela.element(n)}", ObjectGroup: elementGroup,
		UniqueContextID: w.uniqueID, Arguments: []*runtime.CallArgument{value(e.ref.Number)},
	})
	if err != nil {
		return "", pageError(ctx, err)
	}
	if ours.Result.ObjectID == "" {
		return "", e.stale()
	}
	node, err := cdp.Call(ctx, w.session, dom.DescribeNode, dom.DescribeNodeParams{ObjectID: ours.Result.ObjectID})
	if err != nil {
		return "", pageError(ctx, err)
	}
	e.page.mu.Lock()
	main := e.frame.page
	e.page.mu.Unlock()
	if main == nil {
		return "", e.stale()
	}
	theirs, err := cdp.Call(ctx, w.session, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: node.Node.BackendNodeID, ExecutionContextID: main.id, ObjectGroup: elementGroup})
	if err != nil {
		return "", pageError(ctx, err)
	}
	return theirs.Object.ObjectID, nil
}
