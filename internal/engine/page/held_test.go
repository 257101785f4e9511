package page_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"chela/internal/engine/page"
	"chela/test/tab"
)

// Held keys apply to the acts that follow, until they are released.
func TestHeldKeys(t *testing.T) {
	tt := tab.Open(t, "/keyboard.html")
	shift, enter := tab.Chord(t, "Shift"), tab.Chord(t, "a")
	tt.MustAct(func(ctx context.Context) error { return tt.KeyDown(ctx, shift) })
	tt.MustAct(func(ctx context.Context) error { return tt.KeyDown(ctx, shift) })
	tt.MustAct(func(ctx context.Context) error { return tt.Press(ctx, enter, 0) })
	tt.MustAct(func(ctx context.Context) error { return tt.KeyUp(ctx, shift) })
	tt.MustAct(func(ctx context.Context) error { return tt.Press(ctx, enter, 0) })
	want := `keydown Shift ShiftLeft 16 Shift trusted
keydown Shift ShiftLeft 16 Shift repeat trusted
keydown A KeyA 65 Shift trusted
keypress A KeyA 65 Shift trusted
keyup A KeyA 65 Shift trusted
keyup Shift ShiftLeft 16 trusted
keydown a KeyA 65 trusted
keypress a KeyA 97 trusted
keyup a KeyA 65 trusted`
	if got := tt.Logged(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A click while a key is held has that key as a modifier.
func TestClickWithAHeldKey(t *testing.T) {
	tt := tab.Open(t, "/frame.html")
	tab.Run[any](tt, "addEventListener('click', e => log('click ' + e.shiftKey + e.ctrlKey)); undefined")
	tt.MustAct(func(ctx context.Context) error { return tt.KeyDown(ctx, tab.Chord(t, "Control+Shift")) })
	if err := tt.On(`button "Press"`, func(ctx context.Context, el *page.Element) error { return el.Click(ctx, page.Click{}) }); err != nil {
		t.Fatal(err)
	}
	if got := tt.Last(); got != "click truetrue" {
		t.Errorf("got %q", got)
	}
}

// Held keys and buttons are released when the tab navigates, and some time after the last act.
func TestHeldKeysAreReleased(t *testing.T) {
	tt := tab.Open(t, "/keyboard.html")
	tt.MustAct(func(ctx context.Context) error { return tt.KeyDown(ctx, tab.Chord(t, "Shift")) })
	if err := tt.InTurn(20*time.Second, func(ctx context.Context) error { return tt.Reload(ctx, page.Reloading{}) }); err != nil {
		t.Fatal(err)
	}
	tt.MustAct(func(ctx context.Context) error { return tt.Press(ctx, tab.Chord(t, "a"), 0) })
	if got := tt.Logged(); !strings.HasSuffix(got, "keyup a KeyA 65 trusted") {
		t.Errorf("after a navigation: got %s", got)
	}
	tt.HoldFor(time.Millisecond)
	tt.MustAct(func(ctx context.Context) error { return tt.KeyDown(ctx, tab.Chord(t, "Alt+Shift")) })
	tt.Await("keyup Alt AltLeft 18 trusted")
}
