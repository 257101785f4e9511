package api

import (
	"context"
	"fmt"
	"slices"

	"chela/internal/api/call"
	"chela/internal/api/words"
	"chela/internal/engine/page"
	"chela/internal/op"
)

// A wheelRequest turns the mouse wheel: over an element, over a point, or over the middle of the
// viewport.
type wheelRequest struct {
	call.Acting
	Ref       string   `json:"ref,omitempty" digits:"true" doc:"element to turn the wheel over: it scrolls, or else the nearest box around it that can; when left out, the middle of the viewport" tool:"from a snapshot: e12"`
	Direction string   `json:"direction,omitempty" enum:"up,down,left,right" lenient:"true" doc:"scroll this way, by a little less than the visible part"`
	DeltaX    float64  `json:"deltaX,omitempty" doc:"pixels to the right, negative: to the left" tool:"-"`
	DeltaY    float64  `json:"deltaY,omitempty" doc:"pixels down, negative: up" tool:"-"`
	X         *float64 `json:"x,omitempty" doc:"point to turn the wheel at, instead of the middle: pixels from the left of the viewport" tool:"-"`
	Y         *float64 `json:"y,omitempty" doc:"point to turn the wheel at: pixels from the top of the viewport" tool:"-"`
	To        string   `json:"to,omitempty" enum:"top,bottom" doc:"scroll all the way; a list that loads more at its end scrolls to its present end" tool:"-"`
}

// sorted puts the words of a command line into the right fields. In the place of the direction, a ref
// may stand (scroll e12 --to bottom), or the end to scroll to (scroll bottom).
func (r wheelRequest) sorted() wheelRequest {
	if _, isRef := page.ParseRef(r.Direction); isRef && r.Ref == "" {
		r.Ref, r.Direction = r.Direction, ""
	}
	if (r.Direction == "top" || r.Direction == "bottom") && r.To == "" {
		r.To, r.Direction = r.Direction, ""
	}
	return r
}

// Check requires exactly one way of saying how far to scroll. Without one, the call would scroll by
// nothing and report success.
func (r wheelRequest) Check() error {
	r = r.sorted()
	if r.Direction != "" && !slices.Contains([]string{"up", "down", "left", "right"}, r.Direction) {
		return op.Errorf(op.ActInvalid, "direction must be up|down|left|right")
	}
	if r.Ref != "" && (r.X != nil || r.Y != nil) {
		return op.Errorf(op.ActInvalid, "scroll turns the wheel over a ref, or over a point of x and y").Hinted("give one of them")
	}
	given := 0
	for _, is := range []bool{r.Direction != "", r.DeltaX != 0 || r.DeltaY != 0, r.To != ""} {
		if is {
			given++
		}
	}
	switch given {
	case 1:
		return nil
	case 2, 3:
		return op.Errorf(op.ActInvalid, "scroll takes only one of direction, deltaX and deltaY, and to").
			Hinted("give one of them; deltaX 100000 scrolls to the right end")
	}
	return op.Errorf(op.ActInvalid, "scroll requires one of direction, deltaX and deltaY, or to").
		Hinted(`say how far: direction "down", deltaY in pixels, or to "bottom"`)
}

// scrollResult says where a scroll has led to.
type scrollResult struct {
	ScrollTop    *int   `json:"scrollTop,omitempty" doc:"pixels above the visible part of the box that was scrolled; if nothing moved, of the nearest box that can scroll"`
	ScrollHeight *int   `json:"scrollHeight,omitempty" doc:"height of all content of that box, in pixels"`
	ClientHeight *int   `json:"clientHeight,omitempty" doc:"height of the visible part, in pixels"`
	ScrollLeft   *int   `json:"scrollLeft,omitempty" doc:"pixels to the left of the visible part, after a scroll to the left or right"`
	ScrollWidth  *int   `json:"scrollWidth,omitempty" doc:"width of all content of that box, in pixels"`
	ClientWidth  *int   `json:"clientWidth,omitempty" doc:"width of the visible part, in pixels"`
	AtEnd        *bool  `json:"atEnd,omitempty" doc:"the box cannot be scrolled further in this direction"`
	Instead      string `json:"insteadRef,omitempty" doc:"ref of the box that was scrolled instead, because the element has gone; an earlier scroll over the element had moved this box"`
	ByPage       bool   `json:"handledByPage,omitempty" doc:"the page handled the wheel itself, as maps do; what it did is not known"`
}

// Text says where the scroll has led to. It is empty if nothing was scrolled, for example because
// of a dialog.
func (s scrollResult) Text() string {
	switch {
	case s.ByPage:
		return "the page took the wheel for itself: take a snapshot to see what it did"
	case s.AtEnd == nil:
		return ""
	}
	at := ""
	if s.Instead != "" {
		at = "the element is gone, " + s.Instead + " was scrolled, in which it was"
	}
	if s.ScrollTop != nil {
		at = words.Lines(at, place(*s.ScrollTop, *s.ScrollHeight, *s.ClientHeight))
	}
	if s.ScrollLeft != nil {
		at = words.Lines(at, "from the left: "+place(*s.ScrollLeft, *s.ScrollWidth, *s.ClientWidth))
	}
	if *s.AtEnd {
		return at + ", no more that way"
	}
	return at + ", more to come"
}

// place says how far a box is scrolled, in pixels.
func place(at, all, seen int) string {
	return fmt.Sprintf("scrolled to %d of %d, %d in view", at, all, seen)
}

// scroll returns when nothing moves any more. If the box is already at its end, it does nothing,
// which is not an error. It turns the wheel and does not set scrollTop. So pages that listen for
// the wheel, such as maps and lists that load more, do what they do for a person.
func scroll(ctx context.Context, t *call.Turn, r wheelRequest) (done scrollResult, err error) {
	r = r.sorted()
	s := page.Scroll{To: page.End(r.To), Direction: page.Direction(r.Direction), DeltaX: r.DeltaX, DeltaY: r.DeltaY, X: r.X, Y: r.Y}
	err = t.Page.Act(ctx, func(ctx context.Context) error {
		turn := t.Page.Scroll
		if r.Ref != "" {
			el, err := t.Page.Element(ctx, r.Ref)
			if err != nil {
				return err
			}
			turn = el.Scroll
		}
		to, err := turn(ctx, s)
		done = r.result(to)
		return err
	})
	return done, err
}

// result returns how far the box is scrolled, vertically or horizontally as the request asked. The
// words up, down, top and bottom ask for vertical scrolling. If the wheel was turned both
// vertically and horizontally, it returns both. If the page handled the wheel itself, nothing is
// known about any box.
func (r wheelRequest) result(to page.Scrolled) scrollResult {
	if to.ByPage {
		return scrollResult{ByPage: true}
	}
	done := scrollResult{AtEnd: &to.AtEnd}
	if to.Instead != (page.Ref{}) {
		done.Instead = to.Instead.String()
	}
	sideways := slices.Contains([]string{"left", "right"}, r.Direction)
	if r.DeltaX != 0 || sideways {
		done.ScrollLeft, done.ScrollWidth, done.ClientWidth = &to.Left, &to.ScrollWidth, &to.ClientWidth
	}
	if !sideways && (r.DeltaY != 0 || r.DeltaX == 0) {
		done.ScrollTop, done.ScrollHeight, done.ClientHeight = &to.Top, &to.ScrollHeight, &to.ClientHeight
	}
	return done
}
