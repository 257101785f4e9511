package page

import (
	"context"
	"fmt"
	"time"

	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"

	"chela/internal/engine/cdp"
	"chela/internal/engine/frame"
	"chela/internal/engine/keys"
)

// Press presses the keys of a chord in order, holds them for the given time, and releases them in
// reverse. The focused element gets them. Keys that a browser acts on, such as F5, do what they do
// in a browser, see shortcuts. The error is ErrBusy if the page did not answer, or why the turn
// ended. If the error wraps ErrSent, the keys were sent.
func (p *Page) Press(ctx context.Context, chord keys.Chord, hold time.Duration) error {
	if err := p.takesInput(ctx); err != nil {
		return err
	}
	chord = chord.While(p.heldModifiers())
	press := func() error { return p.pressChord(ctx, chord, hold) }
	if len(chord) > 0 {
		if do, ok := shortcuts[shortcutOf(chord[len(chord)-1])]; ok {
			return p.pressShortcut(ctx, do, press)
		}
	}
	return press()
}

// pressChord sends the key events of Press. The page must have just answered: see takesInput.
func (p *Page) pressChord(ctx context.Context, chord keys.Chord, hold time.Duration) error {
	if err := checkTime(ctx); err != nil {
		return err
	}
	p.reportKeys(chord)
	replies := p.sendKeys(chord.Down())
	if hold > 0 {
		Pause(ctx, hold) // if ctx ends meanwhile, the keys are still released
	}
	return awaitHandled(ctx, append(replies, p.sendKeys(chord.Up())...))
}

// Submit calls enter, which enters text into the element, and then presses Enter. The page may move
// the focus while it handles the text. Enter goes to no document of another origin, and to none that
// has come in place of the element's. Then the error is an [ElementError] or a [StaleRefError]. Every
// error after the text wraps ErrSent.
func (e *Element) Submit(ctx context.Context, enter func(context.Context) error) error {
	w, err := e.world(ctx)
	if err != nil {
		return err
	}
	if err := enter(ctx); err != nil {
		return err
	}
	return e.pressEnter(ctx, w)
}

// PressEnter presses Enter after text was entered into the element. It goes only where Enter of
// [Element.Submit] goes, and the errors are the same.
func (e *Element) PressEnter(ctx context.Context) error {
	w, err := e.world(ctx)
	if err != nil {
		return err
	}
	return e.pressEnter(ctx, w)
}

func (e *Element) pressEnter(ctx context.Context, w *frame.World) (err error) {
	defer func() {
		if err != nil {
			err = withSent(err) // the page has the text
		}
	}()
	if err := e.page.takesInput(ctx); err != nil {
		return err
	}
	before, err := e.inputMark(ctx, w)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrReplaced, err)
	}
	e.guardOthers(ctx)
	if e.hasLeft(before) {
		e.unguardOthers(ctx)
		return fmt.Errorf("%w: %w", ErrReplaced, e.stale())
	}
	e.page.reportAgain(w) // the text was a change, and Enter may have the form refused
	if err := e.page.pressChord(ctx, key("Enter"), 0); err != nil {
		return err
	}
	if by := e.unguardOthers(ctx); by != "" {
		return e.failure(report{Missing: MissedInput, By: by})
	}
	return nil
}

// typeRune types one character with the key that a US keyboard has for it. A character without a
// key, such as é or 日, is inserted as text without key events.
func (p *Page) typeRune(ctx context.Context, r rune) error {
	if s, ok := keys.ForRune(r); ok {
		return p.pressChord(ctx, keys.Chord{s}, 0)
	}
	return p.insert(ctx, string(r))
}

// sendKeys sends key events one after the other, without waiting for replies. It returns the
// replies.
func (p *Page) sendKeys(events []input.DispatchKeyEventParams) []*cdp.Reply[proto.Empty] {
	replies := make([]*cdp.Reply[proto.Empty], len(events))
	for i, ev := range events {
		replies[i] = cdp.Send(p.session, input.DispatchKeyEvent, ev)
	}
	return replies
}
