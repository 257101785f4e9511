package page

import (
	"context"
	"fmt"
	"math"
	"testing"
	"time"

	"chela/internal/engine/frame"
	"chela/internal/engine/setting"
)

// Points and areas are mapped from the viewport of an iframe to that of its parent, and on to the
// tab's.
func TestMapping(t *testing.T) {
	moved := mapping{A: 1, D: 1, E: 10, F: 20}
	doubled := mapping{A: 2, D: 2}
	quarterTurn := mapping{B: 1, C: -1} // a turn to the right, because y grows downwards
	for _, s := range []struct {
		name string
		m    mapping
		want Area
	}{
		{"moved", moved, Area{11, 22, 3, 4}},
		{"doubled", doubled, Area{2, 4, 6, 8}},
		{"moved, then doubled", doubled.after(moved), Area{22, 44, 6, 8}},
		{"doubled, then moved", moved.after(doubled), Area{12, 24, 6, 8}},
		{"turned", quarterTurn, Area{-6, 1, 4, 3}},
		{"turned twice", quarterTurn.after(quarterTurn), Area{-4, -6, 3, 4}},
	} {
		if got := s.m.area(Area{1, 2, 3, 4}); got != s.want {
			t.Errorf("%s: got %v, want %v", s.name, got, s.want)
		}
	}
	eighth := mapping{A: math.Sqrt2 / 2, B: math.Sqrt2 / 2, C: -math.Sqrt2 / 2, D: math.Sqrt2 / 2}
	if got := eighth.area(Area{0, 0, 2, 2}); math.Abs(got.Width-2*math.Sqrt2) > 1e-9 || math.Abs(got.X+math.Sqrt2) > 1e-9 {
		t.Errorf("a square on its corner: got %v", got)
	}
}

func TestAreas(t *testing.T) {
	view := Area{0, 0, 100, 50}
	for _, s := range []struct {
		area  Area
		meets bool
	}{
		{view, true},
		{Area{10, 10, 20, 20}, true},
		{Area{90, 10, 20, 20}, true},
		{Area{-10, 10, 20, 20}, true},
		{Area{-50, -50, 500, 500}, true},
		{Area{100, 0, 10, 10}, false},
		{Area{0, -10, 10, 10}, false},
	} {
		if meets := s.area.Meets(view); meets != s.meets {
			t.Errorf("%v: meets %v", s.area, meets)
		}
	}
}

// Of a frame that was removed long ago only the number is known. Its elements are left out at once.
func TestBoxesOfAForgottenFrame(t *testing.T) {
	p, _ := record(t, setting.Settings{})
	p.mu.Lock()
	for n := range 1000 { // more than are kept of the frames that were removed
		p.frames.Number(&frame.Frame{ID: fmt.Sprint(n)})
	}
	p.mu.Unlock()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	if boxes, err := p.Boxes(ctx, []string{"f1e1", "f5000e1"}); len(boxes) > 0 || err != nil {
		t.Errorf("got %v, %v", boxes, err)
	}
}
