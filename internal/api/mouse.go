package api

import (
	"context"

	"chela/internal/api/call"
	"chela/internal/engine/page"
)

// A mouseMoveRequest moves the mouse to a point of the viewport, in CSS pixels.
type mouseMoveRequest struct {
	call.Acting
	X *float64 `json:"x" wrong:"mouseMove requires x and y" doc:"pixels from the left of the viewport; -1 to leave the page"`
	Y *float64 `json:"y" wrong:"mouseMove requires x and y" doc:"pixels from the top of the viewport; -1 to leave the page"`
}

// Check distinguishes a missing coordinate from 0, which is the left or upper edge.
func (r mouseMoveRequest) Check() error {
	return requires("mouseMove requires x and y", r.X != nil, r.Y != nil)
}

// mouseMove moves the mouse to a point of the viewport. The next mouseDown and mouseUp are at this
// point.
func mouseMove(ctx context.Context, t *call.Turn, r mouseMoveRequest) (call.Done, error) {
	at := page.Point{X: *r.X, Y: *r.Y}
	return call.Done{}, t.Page.Act(ctx, func(ctx context.Context) error { return t.Page.MouseMove(ctx, at) })
}

// A mouseButtonRequest presses or releases a button where the mouse is.
type mouseButtonRequest struct {
	call.Acting
	Button string `json:"button,omitempty" enum:"left,right,middle" doc:"mouse button; by default the left one"`
}

// button returns the button of the request, by default the left one.
func (r mouseButtonRequest) button() page.Button {
	if r.Button == "" {
		return "left"
	}
	return page.Button(r.Button)
}

// mouseDown leaves the button down until it is released, the tab navigates, or nothing
// has acted on the tab for a while.
func mouseDown(ctx context.Context, t *call.Turn, r mouseButtonRequest) (call.Done, error) {
	if err := permitButton(ctx, t, r.button()); err != nil {
		return call.Done{}, err
	}
	return call.Done{}, t.Page.Act(ctx, func(ctx context.Context) error { return t.Page.MouseDown(ctx, r.button()) })
}

// mouseUp releases the button where the mouse is now. If the mouse is over another element than at
// the press, the page gets no click, as with a real mouse.
func mouseUp(ctx context.Context, t *call.Turn, r mouseButtonRequest) (call.Done, error) {
	if err := permitButton(ctx, t, r.button()); err != nil {
		return call.Done{}, err
	}
	return call.Done{}, t.Page.Act(ctx, func(ctx context.Context) error { return t.Page.MouseUp(ctx, r.button()) })
}
