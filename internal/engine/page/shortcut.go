package page

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"slices"

	"chela/internal/engine/keys"
)

// A shortcut is a key, by its KeyboardEvent.code, with modifiers.
type shortcut struct {
	held keys.Modifiers
	code string
}

// shortcutOf returns a key with the modifiers that are held while it is pressed.
func shortcutOf(s keys.Stroke) shortcut { return shortcut{s.Held(), s.Code()} }

// shortcuts has the functions for the keys that browsers themselves act on, unless the page
// prevents it. Keys that are sent over the DevTools protocol go to the page only, so these
// functions do what a browser does.
var shortcuts = browserKeys(runtime.GOOS)

func browserKeys(system string) map[shortcut]func(*Page, context.Context) error {
	reload := func(hard bool) func(*Page, context.Context) error {
		return func(p *Page, ctx context.Context) error { return p.reload(ctx, Reloading{Hard: hard}) }
	}
	traverse := func(steps int64) func(*Page, context.Context) error {
		return func(p *Page, ctx context.Context) error {
			if err := p.traverse(ctx, steps); !errors.Is(err, ErrNoHistory) {
				return err
			}
			return nil // without history, a browser does nothing
		}
	}
	unlessInText := func(do func(*Page, context.Context) error) func(*Page, context.Context) error {
		return func(p *Page, ctx context.Context) error {
			inText, err := inOrigins[bool](ctx, p, "awaitsText")
			if err != nil || slices.Contains(inText, true) {
				return err
			}
			return do(p, ctx)
		}
	}
	if system == "darwin" {
		return map[shortcut]func(*Page, context.Context) error{
			{keys.Meta, "KeyR"}:              reload(false),
			{keys.Meta | keys.Shift, "KeyR"}: reload(true),
			{keys.Meta, "BracketLeft"}:       traverse(-1),
			{keys.Meta, "BracketRight"}:      traverse(1),
			{keys.Meta, "ArrowLeft"}:         unlessInText(traverse(-1)), // in a text, these move the caret
			{keys.Meta, "ArrowRight"}:        unlessInText(traverse(1)),
		}
	}
	return map[shortcut]func(*Page, context.Context) error{
		{0, "F5"}:                           reload(false),
		{keys.Control, "KeyR"}:              reload(false),
		{keys.Control, "F5"}:                reload(true),
		{keys.Shift, "F5"}:                  reload(true),
		{keys.Control | keys.Shift, "KeyR"}: reload(true),
		{keys.Alt, "ArrowLeft"}:             traverse(-1),
		{keys.Alt, "ArrowRight"}:            traverse(1),
	}
}

// pressShortcut calls the function press. It then calls the function do, unless a document has
// prevented the keys' default action. The documents record the key events, because Chromium does
// not report whether they were prevented. They must have answered before the keys are sent:
// Chromium handles input before other messages.
func (p *Page) pressShortcut(ctx context.Context, do func(*Page, context.Context) error, press func() error) error {
	if _, err := inOrigins[struct{}](ctx, p, "watchKeys"); err != nil {
		sendToOrigins[bool](context.WithoutCancel(ctx), p, "keysPrevented") // after the deadline, the documents would not run it
		return err
	}
	pressed := press()
	prevented, err := inOrigins[bool](ctx, p, "keysPrevented") // this also ends the recording
	if err = cmp.Or(pressed, withSentIfBusy(err)); err != nil || slices.Contains(prevented, true) {
		return err
	}
	if err := do(p, ctx); err != nil {
		return withSent(err)
	}
	return nil
}

// inOrigins calls a function of the page script in a document of each origin, and returns the
// answers. A document that is lost meanwhile gives none, see isLost.
func inOrigins[R any](ctx context.Context, p *Page, fn string) (results []R, err error) {
	for _, a := range sendToOrigins[R](ctx, p, fn) {
		result, err := a.Wait(ctx)
		if isLost(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		results = append(results, result)
	}
	return results, nil
}

// clipboardKeys are the keys by which browsers copy, cut and paste.
var clipboardKeys = keysOfClipboard(runtime.GOOS)

func keysOfClipboard(system string) map[shortcut]bool {
	if system == "darwin" {
		return map[shortcut]bool{{keys.Meta, "KeyC"}: true, {keys.Meta, "KeyX"}: true, {keys.Meta, "KeyV"}: true, {keys.Meta | keys.Shift, "KeyV"}: true}
	}
	return map[shortcut]bool{
		{keys.Control, "KeyC"}: true, {keys.Control, "KeyX"}: true, {keys.Control, "KeyV"}: true, {keys.Control | keys.Shift, "KeyV"}: true,
		{keys.Control, "Insert"}: true, {keys.Shift, "Delete"}: true, {keys.Shift, "Insert"}: true,
	}
}

// UsesClipboard reports whether Chromium copies, cuts or pastes when the keys are pressed.
func (p *Page) UsesClipboard(chord keys.Chord) bool {
	return haveKeysOfClipboard(chord.While(p.heldModifiers()), clipboardKeys)
}

// haveKeysOfClipboard reports whether one of the keys is among the given ones. Chromium acts on each
// key as it is pressed: it pastes at the V of Control+V+A.
func haveKeysOfClipboard(chord keys.Chord, of map[shortcut]bool) bool {
	return slices.ContainsFunc(chord, func(s keys.Stroke) bool { return of[shortcutOf(s)] })
}
