package acts

import (
	"context"
	"errors"
	"testing"
	"time"

	"chela/internal/engine/page"
	"chela/test/pages"
	"chela/test/tab"
)

// Something comes between the mouse and the element just before the press. It gets neither the press
// nor the release, which would be a click.
func TestDragIsNoClickOnWhatCovers(t *testing.T) {
	tt := tab.Open(t, pages.HTML(`<script src="log.js"></script>
		<button id=handle style="position:absolute;left:100px;top:100px;width:80px;height:40px">Handle</button>
		<div id=cover role=button style="position:fixed;inset:0" hidden>Delete</div><script>
		addEventListener('pointermove', () => { cover.hidden = false; });
		for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click']) cover.addEventListener(type, () => log(type));
		</script>`))
	el, err := tt.BySelector("#handle")
	if err != nil {
		t.Fatal(err)
	}
	err = tt.InActFor(time.Second, func(ctx context.Context) error { return el.Drag(ctx, page.DragEnd{By: &page.Point{X: 50}}) })
	if got := tt.Logged(); err == nil || got != "" {
		t.Errorf("got %v, page told %q", err, got)
	}
}

// If the page does not answer the press in time, the drag fails and the mouse is released.
func TestDragThatEndsAtThePressReleases(t *testing.T) {
	tt := tab.Open(t, pages.HTML(`<script src="log.js"></script><button id=handle>Handle</button><script>
		handle.onpointerdown = () => { for (const end = performance.now() + 2000; performance.now() < end;); };
		onpointerup = event => log('released'); onpointermove = event => { if (event.buttons) log('moved'); };
		</script>`))
	el, err := tt.BySelector("#handle")
	if err != nil {
		t.Fatal(err)
	}
	err = tt.InActFor(time.Second, func(ctx context.Context) error { return el.Drag(ctx, page.DragEnd{By: &page.Point{X: 50}}) })
	if err == nil {
		t.Fatal("no error")
	}
	tt.Await("released")
	if got := tt.Logged(); !errors.Is(err, page.ErrSent) || got != "released" {
		t.Errorf("got %v, page told %q", err, got)
	}
}
