package page

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"

	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"

	"chela/internal/engine/cdp"
	"chela/internal/engine/frame"
	"chela/internal/engine/keys"
	"chela/internal/reading/pagejs"
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

// key parses the name of a chord of keys that a function of this package presses.
func key(name string) keys.Chord {
	chord, err := keys.Parse(name)
	if err != nil {
		panic(err) // the name is a constant of this package
	}
	return chord
}

// A pace says how fast the characters of a text are typed.
type pace struct {
	between time.Duration // time between two keys
	within  time.Duration // if the keys take longer, the rest is inserted in one piece; 0: never
}

// slowKey is the time between two keys of slow typing.
const slowKey = 75 * time.Millisecond

// quickKeys is the time within which a text is typed that could also be inserted. Some pages work for a
// long time at each key.
const quickKeys = 300 * time.Millisecond

// SlowTyping returns the time that TypeSlowly needs for text.
func SlowTyping(text string) time.Duration { return time.Duration(len([]rune(text))) * slowKey }

// TypeSlowly clicks the element and types text after its current text, key by key, with slowKey
// between two keys. It is for pages that listen to keys, or look up completions after each key. It
// returns what Type returns. An element that never takes text is not clicked. Neither is the input of
// an editor, which may be covered by the editor's text: it is only focused. Every error after the
// click, or the first key, comes with ErrSent. The wait for the element leaves enough time to send
// all keys. If another document comes before all are sent, the error is a [StaleRefError].
func (e *Element) TypeSlowly(ctx context.Context, text string) (holds *string, err error) {
	ready, cancel := reserve(ctx, SlowTyping(text))
	defer cancel()
	unfit, err := ask[editAnswer](ready, e, "refusesText", text)
	if err == nil && unfit.Missing != "" {
		err = e.failure(unfit.report)
	}
	if err == nil && !unfit.Model {
		err = e.Click(ready, Click{})
	}
	if err != nil {
		return nil, err
	}
	sent := !unfit.Model // the click
	defer func() {
		if err != nil && sent {
			err = withSent(err)
		}
	}()
	how, err := e.prepareEdit(ready, text, manner{behind: true})
	if err != nil || how.Done {
		return how.Holds, err
	}
	sent = true
	return e.enterByKeys(ctx, text, pace{between: slowKey}, how)
}

// enterByKeys types text into the element. The parameter how is the answer of prepareEdit. In an editor
// with its own model, only a key puts the caret at the end. That key comes first.
func (e *Element) enterByKeys(ctx context.Context, text string, at pace, how editAnswer) (holds *string, err error) {
	before, err := e.inputMark(ctx, how.world)
	if err != nil {
		return nil, err
	}
	if how.Model {
		if err := e.page.pressChord(ctx, key(keys.ToEnd()), 0); err != nil {
			return nil, err
		}
	}
	err = e.page.typeText(ctx, text, at, e.frame, how.world)
	if errors.Is(err, ErrReplaced) {
		e.endGuardsFromText(ctx)
		return nil, fmt.Errorf("%w: %w", err, e.stale())
	}
	return e.confirmEdit(ctx, err, before)
}

// TypeKeys types text by keys into whatever has the focus: a field, a canvas or a terminal. If
// slowly is true, there is slowKey between two keys. Unlike [Element.Type] it replaces nothing. An
// input of a date or the like has no place for text. So it gets its value as by Type, and only line
// breaks at the end are keys. But all is typed if slowly is true, or a control character such as a line
// break comes between. A tab has no key here: it is inserted as text, see [keys.ForRune].
//
// If nothing that takes keys has the focus, TypeKeys gives the page half a second to focus
// something, and then returns ErrNoFocus. It returns ErrReplaced if another document comes before all
// keys are sent. Other errors are the same as for [Page.Press].
//
// The result el is the element that had the focus, if it is known. The result holds is what el holds
// then, if it is an input and that is not the text.
func (p *Page) TypeKeys(ctx context.Context, text string, slowly bool) (el *Element, holds *string, err error) {
	if err := p.takesInput(ctx); err != nil {
		return nil, nil, err
	}
	w, err := p.worldOf(ctx, p.main())
	if err != nil {
		return nil, nil, err
	}
	if awaited, err := frame.Call[bool](ctx, w, "awaitsKeys"); err != nil || !awaited {
		return nil, nil, cmp.Or(err, ErrNoFocus)
	}
	el, err = p.Focused(ctx)
	if err != nil && !errors.Is(err, ErrNoFocus) {
		return nil, nil, err
	}
	at := pace{}
	value := strings.TrimRight(text, "\r\n")
	if slowly {
		at.between = slowKey
	} else if value != "" && !strings.ContainsFunc(value, unicode.IsControl) && el != nil && el.isSet(ctx) {
		if holds, err = el.Type(ctx, value); err != nil {
			return el, nil, err
		}
		if err := p.typeText(ctx, text[len(value):], at, p.main(), w); err != nil {
			return el, nil, withSent(err)
		}
		return el, holds, nil
	}
	if err := p.typeText(ctx, text, at, p.main(), w); err != nil || el == nil {
		return el, nil, err
	}
	if holds, err = ask[*string](ctx, el, "holdsOther", text); err != nil {
		return el, nil, nil // the text is typed, and the field may be gone with its document
	}
	return el, holds, nil
}

// GetsKeys returns the ref of the element, and whether it is no field for text. Typed text then reaches
// the page as single keys, which may be shortcuts.
func (e *Element) GetsKeys(ctx context.Context) (Ref, bool) {
	unfit, err := ask[editAnswer](ctx, e, "refusesText", "")
	return e.ref, err == nil && unfit.Missing == pagejs.Untyped // after an error, the text is typed, and the element may be gone
}

// isSet reports whether the element is an input whose value is set, such as a date.
func (e *Element) isSet(ctx context.Context) bool {
	set, err := ask[bool](ctx, e, "isSet")
	return err == nil && set
}

// typeText types the characters of a text one after the other. A line break is one Enter, even when it is
// CRLF. They are for the document with the world w in the frame f.
// If another document comes, the others would be typed into that one. So they are not sent, and the
// error is ErrReplaced, with ErrSent.
//
// If the text takes longer than the pace allows, the rest is inserted in one piece. But its last character
// is typed: some pages only look at a field when a key is released.
func (p *Page) typeText(ctx context.Context, text string, at pace, f *frame.Frame, w *frame.World) error {
	typed, mark, began := []rune(strings.ReplaceAll(text, "\r\n", "\n")), p.navigationMark(), time.Now()
	last := len(typed) - 1
	for i := 0; i <= last; i++ {
		if i > 0 && at.between > 0 {
			if err := Pause(ctx, at.between); err != nil {
				return withSent(err)
			}
		}
		if i > 0 && typed[i-1] == '\n' { // an event that a navigation was requested comes before the answer
			p.awaitOr(ctx, ping(w.Session), func() bool { return p.leavingLocked(f, mark) })
		}
		now := p.navigationMark()
		err := p.awaitStay(ctx, mark, f)
		if p.ourWorld(f.ID) != w {
			return withSent(ErrReplaced)
		}
		mark = now
		switch {
		case err != nil:
		case at.within > 0 && i > 0 && i < last && time.Since(began) > at.within:
			err = p.insert(ctx, string(typed[i:last]))
			i = last - 1
		default:
			err = p.typeRune(ctx, typed[i])
		}
		if errors.Is(err, frame.ErrGone) && i < last { // the event that says so may come later
			return withSent(ErrReplaced)
		}
		if err != nil && i > 0 {
			return withSent(err)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// awaitStay waits until no navigation of the frame, or of one around it, is under way. A key that is
// sent before may go to the next document. Any navigation may have been requested since the parameter
// mark, a navigationMark, and start at once. One that does not is ignored, see requestTime. The error
// is ErrBusy at [ScriptDeadline], or why the turn or the page ended.
func (p *Page) awaitStay(ctx context.Context, mark int, f *frame.Frame) error {
	ctx, cancel := reserve(ctx, margin)
	defer cancel()
	err := p.Sync(ctx)
	if err == nil {
		p.awaitStart(ctx, mark)
		err = p.await(ctx, func() bool { return !p.leavingLocked(f, 0) })
	}
	return frame.Failure(ctx, err)
}

// ErrNoFocus says that nothing that takes text has the focus.
var ErrNoFocus = errors.New("nothing that takes text has the focus")

// InsertText inserts text at the caret, in one insertion. If nothing that takes text has the focus,
// it gives the page half a second to focus something, and then returns ErrNoFocus. It returns
// ErrBusy, or why the turn ended.
func (p *Page) InsertText(ctx context.Context, text string) error {
	if err := p.takesInput(ctx); err != nil {
		return err
	}
	w, err := p.worldOf(ctx, p.main())
	if err != nil {
		return err
	}
	offered, err := frame.Call[string](ctx, w, "offerText", text)
	switch {
	case err != nil:
		return withSentIfBusy(err)
	case offered == "pasted":
		return nil
	case offered == "none":
		return ErrNoFocus
	}
	return p.insert(ctx, text)
}

// insert inserts text into what has the focus.
func (p *Page) insert(ctx context.Context, text string) error {
	if err := checkTime(ctx); err != nil {
		return err
	}
	_, err := cdp.Call(ctx, p.session, input.InsertText, input.InsertTextParams{Text: text})
	return withSentIfBusy(frame.Failure(ctx, err))
}
