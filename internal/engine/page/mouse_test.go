package page_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"chela/internal/engine/page"
	"chela/test/pages"
	"chela/test/tab"
)

// mouse does each of several things with the mouse as an act of its own.
func mouse(t *tab.Tab, steps ...func(context.Context) error) {
	t.Helper()
	for _, do := range steps {
		t.MustAct(do)
	}
}

func moveTo(t *tab.Tab, x, y float64) func(context.Context) error {
	return func(ctx context.Context) error { return t.MouseMove(ctx, page.Point{X: x, Y: y}) }
}

func pressed(t *tab.Tab) func(context.Context) error {
	return func(ctx context.Context) error { return t.MouseDown(ctx, "left") }
}

func released(t *tab.Tab) func(context.Context) error {
	return func(ctx context.Context) error { return t.MouseUp(ctx, "left") }
}

// A held button stays held for the moves that follow, even for those of other acts.
func TestMouseDrags(t *testing.T) {
	tt := tab.Open(t, "/drag.html")
	mouse(tt, moveTo(tt, 50, 170), pressed(tt), moveTo(tt, 150, 170), moveTo(tt, 360, 170), released(tt))
	tt.Await("moved inside in several steps")
	mouse(tt, moveTo(tt, 50, 50), pressed(tt), moveTo(tt, 60, 60), moveTo(tt, 340, 60), moveTo(tt, 350, 50), released(tt))
	tt.Await("dragend native copy")
	if err := tt.On(`button "Native thing"`, tab.Click); err != nil {
		t.Errorf("a click afterwards: %v", err)
	}
	err := tt.InAct(moveTo(tt, 5000, 5))
	if _, outside := errors.AsType[*page.OutsideError](err); !outside {
		t.Errorf("moved out of the viewport: %v", err)
	}
}

// Pages that watch for a visitor who leaves hear of it when the mouse is moved to a negative point. No
// button can be pressed there.
func TestMouseLeavesThePage(t *testing.T) {
	tt := tab.Open(t, pages.HTML(`<p>Text</p><script>document.documentElement.onmouseleave = event => { document.title = 'left at ' + event.clientY };</script>`))
	mouse(tt, moveTo(tt, 50, 50), moveTo(tt, 50, -1))
	if got := tab.Run[string](tt, "document.title"); got != "left at -1" {
		t.Errorf("the title is %q", got)
	}
	err := tt.InAct(pressed(tt))
	if _, outside := errors.AsType[*page.OutsideError](err); !outside {
		t.Errorf("pressed outside: %v", err)
	}
	mouse(tt, moveTo(tt, 50, 50), pressed(tt), released(tt))
}

// A person clicks where files are about to be dropped. The page still takes them, by a veil that it shows
// over the area.
func TestDropAfterAClickOfAPerson(t *testing.T) {
	tt := tab.Open(t, pages.HTML(`<div id=area ondragenter="veil.hidden = false">Area</div>
		<div id=veil hidden style="position:fixed;inset:0" ondragover="event.preventDefault()"></div>`))
	el, err := tt.BySelector("#area")
	if err != nil {
		t.Fatal(err)
	}
	taken := false
	err = tt.InAct(func(ctx context.Context) (err error) {
		taken, err = page.DragAfterClick(ctx, el)
		return err
	})
	if err != nil || !taken {
		t.Errorf("taken: %v, %v", taken, err)
	}
}

// Files are dropped while a button is held. The moves that follow are moves of the mouse, and its release
// drops nothing.
func TestMouseMovesAfterADrop(t *testing.T) {
	tt := tab.Open(t, pages.HTML(`<script src="log.js"></script><body style="margin:0">
		<div id=area style="height:100px" ondragover="event.preventDefault()" ondrop="event.preventDefault()">Area</div><script>
		for (const type of ['mousemove', 'mouseup', 'drop']) addEventListener(type, () => log(type));</script>`))
	file := filepath.Join(t.TempDir(), "a.txt")
	if err := os.WriteFile(file, []byte("a"), 0o600); err != nil {
		t.Fatal(err)
	}
	area, err := tt.BySelector("#area")
	if err != nil {
		t.Fatal(err)
	}
	mouse(tt, moveTo(tt, 50, 200), pressed(tt), func(ctx context.Context) error {
		_, err := area.Drop(ctx, []string{file})
		return err
	}, moveTo(tt, 60, 210), released(tt))
	tt.Await("mouseup")
	// After a layout, Chromium sends another mousemove by itself.
	if got, want := slices.Compact(strings.Split(tt.Logged(), "\n")), []string{"mousemove", "drop", "mousemove", "mouseup"}; !slices.Equal(got, want) {
		t.Errorf("page told %q, want %q", got, want)
	}
}

// While a button is held, a page takes no click and no drag of an element. Both are refused at once, and what the
// button drags is still dragged.
func TestMouseHeldRefusesPresses(t *testing.T) {
	tt := tab.Open(t, "/drag.html")
	mouse(tt, moveTo(tt, 50, 50), pressed(tt), moveTo(tt, 60, 60), moveTo(tt, 340, 60))
	drag := func(ctx context.Context, el *page.Element) error {
		return el.Drag(ctx, page.DragEnd{By: &page.Point{X: 50}})
	}
	for name, act := range map[string]func(context.Context, *page.Element) error{"click": tab.Click, "drag": drag} {
		err := tt.On(`button "Native thing"`, act)
		if held, ok := errors.AsType[*page.HeldError](err); !ok || held.Button != "left" {
			t.Errorf("%s: %v", name, err)
		}
	}
	mouse(tt, moveTo(tt, 350, 50), released(tt))
	tt.Await("dragend native copy")
}

// Data that a held button drags enters what the mouse moves over, before it is dropped there.
func TestMouseDragsOver(t *testing.T) {
	tt := tab.Open(t, pages.HTML(`<script src="log.js"></script><body style="margin:0">
		<div draggable=true ondragstart="event.dataTransfer.setData('text', 'a')" style="height:100px">Drag</div>
		<div ondragenter="log('enter')" ondragleave="log('leave')" ondragover="event.preventDefault(); if (this.over !== event.clientX) log('over ' + (this.over = event.clientX))"
			ondrop="log('drop')" style="height:200px">Target</div>`))
	mouse(tt, moveTo(tt, 50, 50), pressed(tt), moveTo(tt, 60, 60), moveTo(tt, 60, 150), moveTo(tt, 70, 150))
	tt.Await("over 70")
	if got, want := tt.Logged(), "enter\nover 60\nover 70"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	mouse(tt, released(tt))
	tt.Await("drop")
	if got, want := tt.Logged(), "enter\nover 60\nover 70\ndrop"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A drag ends at its deadline, as the page is busy. Nothing goes on to watch the page.
func TestDragWatchEnds(t *testing.T) {
	tt := tab.Open(t, pages.HTML(`<button>Thing</button><p id=place>Place</p><script>
		onpointermove = event => { if (event.buttons) for (const end = performance.now() + 1500; performance.now() < end;); };</script>`))
	place, err := tt.BySelector("#place")
	if err != nil {
		t.Fatal(err)
	}
	ref := tt.Ref(`button "Thing"`)
	err = tt.OnRefFor(time.Second, ref, func(ctx context.Context, el *page.Element) error {
		return el.Drag(ctx, page.DragEnd{Onto: place, Done: func(page.DragEffect) {}})
	})
	if !errors.Is(err, page.ErrSent) {
		t.Errorf("got %v", err)
	}
	tab.Run[any](tt, "place.append(document.createElement('b')); undefined")
	err = tt.OnRef(ref, func(ctx context.Context, el *page.Element) error {
		watched, err := page.IsDragWatched(ctx, el)
		if watched {
			t.Error("watched")
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// Presses soon after each other, at the same place, make a double click. A press elsewhere does not.
func TestMouseDoubleClicks(t *testing.T) {
	tt := tab.Open(t, "/frame.html")
	tt.Write("<div style='height:300px'></div>")
	tab.Run[any](tt, "window.seen = []; for (const type of ['mousedown', 'mouseup', 'click', 'dblclick']) addEventListener(type, e => seen.push(type + e.detail)); undefined")
	click := func(ctx context.Context) error { return tt.ClickAt(ctx, 50, 50, page.Click{}) }
	mouse(tt, click, pressed(tt), released(tt), moveTo(tt, 150, 50), pressed(tt), released(tt))
	want := "mousedown1 mouseup1 click1 mousedown2 mouseup2 click2 dblclick2 mousedown1 mouseup1 click1"
	if got := tab.Run[string](tt, "seen.join(' ')"); got != want {
		t.Errorf("events %s, want %s", got, want)
	}
}

// A button that nobody releases is released when the tab navigates, or a while after the last act.
func TestHeldButtonsAreReleased(t *testing.T) {
	tt := tab.Open(t, "/drag.html")
	mouse(tt, moveTo(tt, 50, 170), pressed(tt))
	if err := tt.InTurn(20*time.Second, func(ctx context.Context) error { return tt.Reload(ctx, page.Reloading{}) }); err != nil {
		t.Fatal(err)
	}
	tab.Run[any](tt, `onmousemove = event => log('buttons ' + event.buttons); undefined`)
	mouse(tt, moveTo(tt, 700, 300))
	tt.Await("buttons 0")
	tab.Run[any](tt, `onmouseup = event => log('up at ' + event.clientX); undefined`)
	tt.HoldFor(time.Millisecond)
	mouse(tt, pressed(tt))
	tt.Await("up at 700")
}
