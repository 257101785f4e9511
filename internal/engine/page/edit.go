package page

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"

	"chela/internal/engine/cdp"
	"chela/internal/engine/frame"
	"chela/internal/engine/keys"
	"chela/internal/reading/inputvalue"
	"chela/internal/reading/pagejs"
)

// slowKey is the time between the keys of slow typing.
const slowKey = 75 * time.Millisecond

// Type replaces the text of the element. It returns the text that it holds then if
// the page has made something else of it (cut it, put in a mask), else nil.
//
// The page script focuses the element and selects its text (edit.js). Then
// Input.insertText replaces the selection, as an input method does that commits
// its composition: the page gets beforeinput and input events that are trusted, and
// no key events. An empty text would delete nothing, so a field is emptied with
// the Delete key. Four sorts of elements are different:
//
//   - Inputs of dates, times, colors and ranges have no text that could be selected.
//     The script sets their value and dispatches input and change. What people write
//     for such a value is read by package inputvalue, and by the page for colors.
//   - Editors such as Monaco and CodeMirror keep their text outside of the document,
//     and only use an empty field for its events. See typeIntoModel.
//   - Sliders that are no inputs are moved by keys, see slide.
//   - In a frame, the text may come before the focus. See edit.
//
// The error is an [ElementError], a [StaleRefError], ErrBusy or why the turn
// ended. With it comes ErrSent when the text may have gone in, or has gone in
// beside what it was to replace.
func (e *Element) Type(ctx context.Context, text string) (holds *string, err error) {
	since := e.page.navigationMark()
	how, err := e.edit(ctx, text, manner{})
	if err != nil {
		return nil, err
	}
	return e.enter(ctx, text, how, since)
}

// enter enters text into the element, which edit has prepared since the navigationMark.
// It returns what Type returns.
func (e *Element) enter(ctx context.Context, text string, how editing, since int) (holds *string, err error) {
	switch {
	case how.Done:
		return how.Holds, nil
	case how.Model:
		return e.typeIntoModel(ctx, text, since)
	case how.Slides:
		return e.slide(ctx, text)
	case how.Erase:
		return e.edited(ctx, e.page.stroke(ctx, key("Delete"), 0), since)
	}
	return e.insert(ctx, text, since)
}

// typeIntoModel replaces the text of an editor that keeps it outside of the
// document. A selection that a script makes in the document says nothing to such
// an editor, but it has a command for the keys that select all. The text is
// offered as a paste first: what an editor takes as typed, it completes with
// brackets and indentation. One that does not handle the paste gets it as input.
func (e *Element) typeIntoModel(ctx context.Context, text string, since int) (*string, error) {
	if err := e.page.stroke(ctx, key("ControlOrMeta+A"), 0); err != nil {
		return nil, err
	}
	if text == "" {
		return e.edited(ctx, e.page.stroke(ctx, key("Delete"), 0), since)
	}
	pasted, err := ask[bool](ctx, e, "pasteInto", text)
	if err != nil || pasted {
		return e.edited(ctx, unconfirmed(err), since)
	}
	return e.insert(ctx, text, since)
}

// insert inserts text into the element, which edit has focused and selected.
func (e *Element) insert(ctx context.Context, text string, since int) (*string, error) {
	if e.frame.Parent == nil {
		return e.put(ctx, text, since)
	}
	return e.edited(ctx, e.page.insert(ctx, text), since)
}

// put inserts text and asks what became of it without waiting in between, which
// saves a round trip. Chromium does not run the two commands in order: input goes
// through its input queue. So editDone waits in the page for the input event. A
// page that prevents the text gets no such event; then Chromium's reply to the
// insertion is the sign that none will come, and editOver ends the wait.
//
// For an element in a frame, insert waits for the insertion before it asks, as the
// guards of all documents have to be ended between the two.
func (e *Element) put(ctx context.Context, text string, since int) (*string, error) {
	w, err := e.world(ctx)
	if err != nil {
		return nil, err
	}
	if err := inTime(ctx); err != nil {
		return nil, err
	}
	inserted := cdp.Send(e.page.session, input.InsertText, input.InsertTextParams{Text: text})
	result := frame.Send[textVerdict](ctx, w, "editDone")
	select {
	case <-result.Done():
	case <-ctx.Done():
	case <-inserted.Done():
		if _, err := inserted.Wait(ctx); err != nil && !errors.Is(frame.Failure(ctx, err), frame.ErrGone) {
			return nil, unconfirmed(frame.Failure(ctx, err))
		}
		frame.Send[struct{}](ctx, w, "editOver")
	}
	return e.confirm(ctx, w, result, since)
}

// key returns the chord of keys that acts themselves press.
func key(name string) keys.Chord {
	chord, err := keys.Parse(name)
	if err != nil {
		panic(err) // the name is a constant of this package
	}
	return chord
}

// TypeSlowly clicks the element and types text behind what it holds, key by key,
// with slowKey between two keys: for pages that listen to keys, or look up
// completions after each. It returns what Type returns. The time that the keys take
// is kept back from the wait for the element, so that they can all be sent.
func (e *Element) TypeSlowly(ctx context.Context, text string) (holds *string, err error) {
	ready, cancel := reserve(ctx, SlowTyping(text))
	defer cancel()
	if err := e.Click(ready, Click{}); err != nil {
		return nil, err
	}
	since := e.page.navigationMark()
	how, err := e.edit(ready, text, manner{behind: true})
	if err != nil || how.Done {
		return how.Holds, err
	}
	if how.Model {
		if err := e.page.stroke(ctx, key(keys.ToEnd()), 0); err != nil {
			return nil, err
		}
	}
	return e.edited(ctx, e.page.typeRunes(ctx, []rune(text), slowKey), since)
}

// TypeKeys types text by keys into whatever has the focus, a field, a canvas or a
// terminal, with slowKey between two keys if slowly. Unlike [Element.Type] it replaces
// nothing, and cannot know what became of the text. It returns ErrNoFocus if nothing
// has the focus that takes keys. Other errors are those of [Page.Press].
func (p *Page) TypeKeys(ctx context.Context, text string, slowly bool) error {
	if err := p.awake(ctx, p.main()); err != nil {
		return err
	}
	w, err := p.worldOf(ctx, p.main())
	if err != nil {
		return err
	}
	if awaited, err := frame.Call[bool](ctx, w, "awaitsKeys"); err != nil || !awaited {
		return cmp.Or(err, ErrNoFocus)
	}
	between := time.Duration(0)
	if slowly {
		between = slowKey
	}
	return p.typeRunes(ctx, []rune(text), between)
}

// typeRunes types characters one after the other, with a time between them.
func (p *Page) typeRunes(ctx context.Context, text []rune, between time.Duration) error {
	for i, r := range text {
		if i > 0 && between > 0 {
			if err := Pause(ctx, between); err != nil {
				return err
			}
		}
		if err := p.typeRune(ctx, r); err != nil {
			return err
		}
	}
	return nil
}

// SlowTyping is the time that TypeSlowly takes for text.
func SlowTyping(text string) time.Duration { return time.Duration(len([]rune(text))) * slowKey }

// An editing is the answer of edit.js: how text goes into an element, or what is missing.
type editing struct {
	report
	Insert bool    // insert it: the text before is selected
	Aside  *point  // the mouse is to be moved here before, see isUnderMouse in edit.js
	Erase  bool    // press Delete: the text before is selected, and there is none to insert
	Done   bool    // it is in already
	Model  bool    // the editor keeps its text outside of the document
	Slides bool    // it is a slider, see slide
	Holds  *string // with Done, as Type returns it
	Sort   string  // not by text: the element is of this sort, select or check, see manner.fill
}

// A manner says how text is entered.
type manner struct {
	behind bool // behind the text that is there, not in its place
	fill   bool // a control that is not filled with text is only reported, as editing.Sort
}

// edit waits until the element takes text, and focuses it. The text before is
// selected or, if the text goes behind it, the caret is put at its end.
//
// Text goes to what has the focus in the tab. When a script focuses an element of a
// frame in another process, that process asks the browser's for the focus. Text
// that is sent meanwhile goes to the document that had it before. The guards in all
// documents keep it from the page there, and the verdict says that the element
// did not get it.
func (e *Element) edit(ctx context.Context, text string, m manner) (editing, error) {
	if e.frame.Parent != nil {
		e.page.guardAll(ctx, guardTime+SlowTyping(text), false)
	}
	o := map[string]any{
		"by": ScriptDeadline(ctx), "atEnd": m.behind, "fill": m.fill, "guard": (guardTime + SlowTyping(text)).Milliseconds(),
	}
	if at, used := e.page.Mouse(); used > 0 && e.frame.Parent == nil {
		o["mouse"] = at
	}
	how, err := ask[editing](ctx, e, "edit", text, o)
	if err == nil && how.Aside != nil {
		moved := e.page.mouse(input.DispatchMouseEventTypeMouseMoved, *how.Aside, Click{Button: input.MouseButtonNone}, 0)
		if err := confirmed(ctx, []*cdp.Reply[proto.Empty]{moved}); err != nil {
			return how, err
		}
		delete(o, "mouse")
		o["moved"] = true
		how, err = ask[editing](ctx, e, "edit", text, o)
	}
	var readings []string
	if err == nil && how.Missing == pagejs.Format {
		if o["value"], readings = meant(how.Input, text); o["value"] != "" {
			how, err = ask[editing](ctx, e, "edit", text, o)
		}
	}
	if err == nil && how.Missing != "" {
		how.Options = readings
		err = e.failure(how.report)
	}
	return how, err
}

// meant returns the value that text means in an input that refuses it as it is, "" if
// none, and all that it may mean if it is ambiguous.
func meant(in inputvalue.Input, text string) (value string, readings []string) {
	value, err := in.Read(text)
	if ambiguous, ok := errors.AsType[*inputvalue.AmbiguousError](err); ok {
		readings = ambiguous.Readings
	}
	return value, readings
}

// edited makes sure that input reached the element: sent is the error of sending
// it, since the navigationMark of before. It returns what Type returns.
func (e *Element) edited(ctx context.Context, sent error, since int) (holds *string, err error) {
	if sent != nil && !errors.Is(sent, frame.ErrGone) {
		return nil, sent
	}
	w, err := e.world(ctx)
	if err != nil {
		return nil, nil // the document was left: it had got the text, which made it leave
	}
	result := frame.Send[textVerdict](ctx, w, "editResult")
	if e.frame.Parent != nil {
		e.page.endGuards(ctx, false)
	}
	return e.confirm(ctx, w, result, since)
}

// A textVerdict says what became of text that was sent to an element.
type textVerdict struct {
	verdict
	Refused bool    // no input event came of it
	Beside  bool    // it stands beside what it was to replace, a part of which cannot be edited
	Holds   *string // as Type returns it
}

// confirm waits for the verdict on text. A document that is left meanwhile has got
// the text: whatever makes it leave came of that.
func (e *Element) confirm(ctx context.Context, w *frame.World, result frame.Answer[textVerdict], since int) (*string, error) {
	if errors.Is(e.taken(ctx, result.Done(), since), frame.ErrGone) {
		return nil, nil
	}
	v, err := result.Wait(ctx)
	e.page.recordChanges(w, v.Changes)
	switch {
	case errors.Is(err, frame.ErrGone):
		return nil, nil
	case err != nil:
		return nil, unconfirmed(err)
	case !v.Passed:
		return nil, e.failure(report{Missing: MissedInput, By: v.By, ByRef: v.ByRef})
	case v.Refused:
		return nil, e.failure(report{Missing: Refused})
	case v.Beside:
		return nil, fmt.Errorf("%w: %w", ErrSent, e.failure(report{Missing: Beside}))
	}
	return v.Holds, nil
}

// ErrNoFocus says that nothing that takes text has the focus.
var ErrNoFocus = errors.New("nothing that takes text has the focus")

// InsertText inserts text at the caret of what has the focus, in one insertion. It
// returns ErrNoFocus if nothing there takes text, ErrBusy, or why the turn ended.
func (p *Page) InsertText(ctx context.Context, text string) error {
	if err := p.awake(ctx, p.main()); err != nil {
		return err
	}
	w, err := p.worldOf(ctx, p.main())
	if err != nil {
		return err
	}
	offered, err := frame.Call[string](ctx, w, "offerText", text)
	switch {
	case err != nil:
		return unconfirmed(err)
	case offered == "pasted":
		return nil
	case offered == "none":
		return ErrNoFocus
	}
	return p.insert(ctx, text)
}

// insert inserts text into what has the focus.
func (p *Page) insert(ctx context.Context, text string) error {
	if err := inTime(ctx); err != nil {
		return err
	}
	_, err := cdp.Call(ctx, p.session, input.InsertText, input.InsertTextParams{Text: text})
	return unconfirmed(frame.Failure(ctx, err))
}
