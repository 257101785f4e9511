package page_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"chela/internal/keys"
	"chela/internal/page"
)

func chord(t *testing.T, names string) keys.Chord {
	t.Helper()
	c, err := keys.Parse(names)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func (t *tester) mustAct(do func(context.Context) error) {
	t.Helper()
	if err := t.act(do); err != nil {
		t.Fatal(err)
	}
}

// Keys that are held are held for the acts that follow, until they are released.
func TestHeldKeys(t *testing.T) {
	tt := open(t, "/keyboard.html")
	shift, enter := chord(t, "Shift"), chord(t, "a")
	tt.mustAct(func(ctx context.Context) error { return tt.KeyDown(ctx, shift) })
	tt.mustAct(func(ctx context.Context) error { return tt.KeyDown(ctx, shift) })
	tt.mustAct(func(ctx context.Context) error { return tt.Press(ctx, enter, 0) })
	tt.mustAct(func(ctx context.Context) error { return tt.KeyUp(ctx, shift) })
	tt.mustAct(func(ctx context.Context) error { return tt.Press(ctx, enter, 0) })
	want := `keydown Shift ShiftLeft 16 Shift trusted
keydown Shift ShiftLeft 16 Shift repeat trusted
keydown A KeyA 65 Shift trusted
keypress A KeyA 65 Shift trusted
keyup A KeyA 65 Shift trusted
keyup Shift ShiftLeft 16 trusted
keydown a KeyA 65 trusted
keypress a KeyA 97 trusted
keyup a KeyA 65 trusted`
	if got := tt.log(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A click while a key is held is one with that key.
func TestClickWithAHeldKey(t *testing.T) {
	tt := open(t, "/frame.html")
	run[any](tt, "addEventListener('click', e => log('click ' + e.shiftKey + e.ctrlKey)); undefined")
	tt.mustAct(func(ctx context.Context) error { return tt.KeyDown(ctx, chord(t, "Control+Shift")) })
	if err := tt.on(`button "Press"`, func(ctx context.Context, el *page.Element) error { return el.Click(ctx, page.Click{}) }); err != nil {
		t.Fatal(err)
	}
	if got := tt.last(); got != "click truetrue" {
		t.Errorf("got %q", got)
	}
}

// What is held is released when the tab navigates, and a while after the last act.
func TestHeldKeysAreReleased(t *testing.T) {
	tt := open(t, "/keyboard.html")
	tt.mustAct(func(ctx context.Context) error { return tt.KeyDown(ctx, chord(t, "Shift")) })
	if err := tt.touch(20*time.Second, func(ctx context.Context) error { return tt.Reload(ctx, false) }); err != nil {
		t.Fatal(err)
	}
	tt.mustAct(func(ctx context.Context) error { return tt.Press(ctx, chord(t, "a"), 0) })
	if got := tt.log(); !strings.HasSuffix(got, "keyup a KeyA 65 trusted") {
		t.Errorf("after a navigation: got %s", got)
	}
	tt.HoldFor(time.Millisecond)
	tt.mustAct(func(ctx context.Context) error { return tt.KeyDown(ctx, chord(t, "Alt+Shift")) })
	tt.await("keyup Alt AltLeft 18 trusted")
}
