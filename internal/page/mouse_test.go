package page_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"chela/internal/page"
)

// mouse does things with the mouse, each an act of its own.
func (t *tester) mouse(steps ...func(context.Context) error) {
	t.Helper()
	for _, do := range steps {
		t.mustAct(do)
	}
}

func (t *tester) moveTo(x, y float64) func(context.Context) error {
	return func(ctx context.Context) error { return t.MouseMove(ctx, page.Point{X: x, Y: y}) }
}

func (t *tester) pressed(ctx context.Context) error { return t.MouseDown(ctx, "left") }

func (t *tester) released(ctx context.Context) error { return t.MouseUp(ctx, "left") }

// A button that is held is held for the moves that follow, also for those of other acts.
func TestMouseDrags(t *testing.T) {
	tt := open(t, "/drag.html")
	tt.mouse(tt.moveTo(50, 170), tt.pressed, tt.moveTo(150, 170), tt.moveTo(360, 170), tt.released)
	tt.await("moved inside in several steps")
	tt.mouse(tt.moveTo(50, 50), tt.pressed, tt.moveTo(60, 60), tt.moveTo(340, 60), tt.moveTo(350, 50), tt.released)
	tt.await("dragend native copy")
	if err := tt.on(`button "Native thing"`, click); err != nil {
		t.Errorf("a click afterwards: %v", err)
	}
	err := tt.act(tt.moveTo(5000, 5))
	if _, outside := errors.AsType[*page.OutsideError](err); !outside {
		t.Errorf("moved out of the viewport: %v", err)
	}
}

// A button that nobody releases is released: when the tab navigates, and a while after
// the last act.
func TestHeldButtonsAreReleased(t *testing.T) {
	tt := open(t, "/drag.html")
	tt.mouse(tt.moveTo(50, 170), tt.pressed)
	if err := tt.touch(20*time.Second, func(ctx context.Context) error { return tt.Reload(ctx, false) }); err != nil {
		t.Fatal(err)
	}
	run[any](tt, `onmousemove = event => log('buttons ' + event.buttons); undefined`)
	tt.mouse(tt.moveTo(700, 300))
	tt.await("buttons 0")
	run[any](tt, `onmouseup = event => log('up at ' + event.clientX); undefined`)
	tt.HoldFor(time.Millisecond)
	tt.mouse(tt.pressed)
	tt.await("up at 700")
}
