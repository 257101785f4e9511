package api

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"chela/internal/api/call"
	"chela/internal/engine/page"
	"chela/internal/op"
)

// A dragRequest drags an element: by pointer events, or by HTML drag and drop if the element is
// draggable. It ends on another element, at a point of the viewport, or at a given distance from
// its start.
type dragRequest struct {
	call.Acting
	StartRef string   `json:"startRef" digits:"true" doc:"element to drag"`
	EndRef   string   `json:"endRef,omitempty" digits:"true" doc:"element to drop it on"`
	EndX     *float64 `json:"endX,omitempty" doc:"point to drop it at, instead of an element: pixels from the left of the viewport" tool:"+"`
	EndY     *float64 `json:"endY,omitempty" doc:"pixels from the top of the viewport" tool:"+"`
	OffsetX  *float64 `json:"offsetX,omitempty" doc:"with endRef: drop it so many pixels from the left of that element; without: drag it so many pixels to the right" tool:"-"`
	OffsetY  *float64 `json:"offsetY,omitempty" doc:"with endRef: drop it so many pixels from the top of that element; without: drag it so many pixels down" tool:"-"`
	StartX   *float64 `json:"startOffsetX,omitempty" doc:"press it so many pixels from its left, as at an edge that resizes it; anywhere when left out" tool:"-"`
	StartY   *float64 `json:"startOffsetY,omitempty" doc:"press it so many pixels from its top" tool:"-"`
	Steps    int      `json:"steps,omitempty" min:"1" max:"100" doc:"how many mouse moves to make on the way, as some pages need many; 8 when left out" tool:"-"`
	DelayMs  int      `json:"delayMs,omitempty" min:"0" max:"5000" doc:"milliseconds to hold the mouse before it moves, for what can be dragged only after a long press" tool:"+"`
}

func (r dragRequest) hold() time.Duration { return time.Duration(r.DelayMs) * time.Millisecond }

// WaitTime returns what is added to the deadline: the time to settle, and to hold the mouse.
func (r dragRequest) WaitTime() time.Duration { return r.Settle() + r.hold() }

// Check refuses combinations of parameters that could mean two things. A drag ends on an element,
// at offsets within one, at a point, or at offsets from its start. The errors for missing refs have
// OpenClaw's texts, so they mention selectors.
func (r dragRequest) Check() error {
	toPoint, byOffset := r.EndX != nil || r.EndY != nil, r.OffsetX != nil || r.OffsetY != nil
	switch {
	case r.StartRef == "":
		return op.Errorf(op.ActInvalid, "drag requires startRef or startSelector")
	case r.EndRef == "" && !toPoint && !byOffset:
		return op.Errorf(op.ActInvalid, "drag requires endRef or endSelector").
			Hinted("give a ref from a snapshot, or endX and endY in the viewport, or offsetX and offsetY from where it is")
	case toPoint && (r.EndRef != "" || byOffset):
		return op.Errorf(op.ActInvalid, "drag takes endX and endY without endRef and offsets")
	case toPoint && (r.EndX == nil || r.EndY == nil):
		return op.Errorf(op.ActInvalid, "drag requires endX and endY together")
	}
	return nil
}

// dragResult says where a drag ended, if that is not an element, and whether the page ignored it.
type dragResult struct {
	At   string `json:"at,omitempty" doc:"where the element was dropped, if not on another one: a point of the viewport, or a distance" tool:"-"`
	Note string `json:"note,omitempty" doc:"that the page has not taken the drag, and what to try; or how far the element has moved, if it was not dropped on another one and did not go with the mouse"`
}

// Text returns the note.
func (r dragResult) Text() string { return r.Note }

// The notes on a drag that may have done nothing.
var dragNotes = map[page.DragDoubt]string{
	page.Undropped:  "the page did not accept the drop there (dropEffect none), and what was dragged is as it was",
	page.Unanswered: "the page took the drop, and nothing has changed yet, apart from text elsewhere in the document",
	page.Unmoved: "once the mouse was pressed, the drag has changed nothing, apart from text elsewhere in the document: " +
		"if it is dragged only after a long press, try delayMs 500",
}

// drag looks for both elements before it presses the mouse. If one is missing, it fails before
// anything was dragged. Offsets mean a point in the end element if there is one, else the distance
// from the start. A missing offset is 0.
func drag(ctx context.Context, t *call.Turn, r dragRequest) (dragResult, error) {
	end, at := page.DragEnd{Steps: r.Steps, Hold: r.hold()}, ""
	zero := new(float64)
	if r.StartX != nil || r.StartY != nil {
		end.From = &page.Point{X: *cmp.Or(r.StartX, zero), Y: *cmp.Or(r.StartY, zero)}
	}
	offset := &page.Point{X: *cmp.Or(r.OffsetX, zero), Y: *cmp.Or(r.OffsetY, zero)}
	switch {
	case r.EndX != nil:
		end.At = &page.Point{X: *r.EndX, Y: *r.EndY}
		at = fmt.Sprintf("%g,%g", *r.EndX, *r.EndY)
	case r.EndRef == "":
		end.By = offset
		at = fmt.Sprintf("%+g,%+g", offset.X, offset.Y)
	case r.OffsetX != nil || r.OffsetY != nil:
		end.Position = offset
	}
	done := dragResult{At: at}
	var effect page.DragEffect
	end.Done = func(e page.DragEffect) { effect = e }
	_, err := actOn(ctx, t, r.StartRef, func(ctx context.Context, el *page.Element) (err error) {
		if r.EndRef != "" {
			if end.Onto, err = t.Page.Element(ctx, r.EndRef); err != nil {
				return err
			}
		}
		return el.Drag(ctx, end)
	})
	if effect.Doubt == page.Undropped || r.DelayMs == 0 && !t.HadEffectBesides(page.Changed) {
		done.Note = dragNotes[effect.Doubt]
	}
	if effect.Travel != nil && r.EndRef == "" && done.Note == "" {
		done.Note = noteTravel(effect)
	}
	return done, err
}

// snapped is how many pixels an item that snaps into its place may be away from where the mouse went.
const snapped = 8

// noteTravel returns the note on an element that has moved, but not as far as the mouse, or whose size
// has changed. It returns "" otherwise: what does not move may have changed in other ways.
func noteTravel(e page.DragEffect) string {
	var notes []string
	size := func(p page.Point) float64 { return max(math.Abs(p.X), math.Abs(p.Y)) }
	if short := (page.Point{X: e.Moved.X - e.Way.X, Y: e.Moved.Y - e.Way.Y}); size(e.Moved) >= 1 && size(short) > snapped {
		notes = append(notes, fmt.Sprintf("it moved %+g,%+g", math.Round(e.Moved.X), math.Round(e.Moved.Y)))
	}
	if size(e.Grown) >= 1 {
		notes = append(notes, fmt.Sprintf("its size changed by %+g,%+g", math.Round(e.Grown.X), math.Round(e.Grown.Y)))
	}
	return strings.Join(notes, "; ")
}
