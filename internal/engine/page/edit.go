package page

import (
	"cmp"
	"context"
	"errors"
	"time"

	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"

	"chela/internal/engine/cdp"
	"chela/internal/engine/frame"
	"chela/internal/reading/inputvalue"
	"chela/internal/reading/pagejs"
)

// Type replaces the text of the element. If the page has changed the text (shortened it, applied a
// mask), it returns the text that the element then holds, else nil.
//
// The page script focuses the element and selects its text (edit.js). Then Input.insertText
// replaces the selection, like an input method that commits its composition. The page gets trusted
// beforeinput and input events. No keys are pressed, but the script dispatches a keyup event after the
// input. Many pages only look at a field when they get one. An empty text would delete nothing, so a
// field is emptied with the Delete key. Some kinds of elements are different:
//
//   - Codes with a field for each character, and the segments of some dates, get each character by a
//     key. So do comboboxes and inputs that nobody sees, while that is quick.
//   - Inputs of dates, times, colors and ranges have no text that could be selected. The script
//     sets their value and dispatches input and change. A range also gets the press and the release of
//     the mouse. Package inputvalue parses such values as people write them, except colors, which the
//     page script parses.
//   - Editors such as Monaco and CodeMirror keep their text outside of the document,
//     and only use an empty field for its events. See typeIntoModel.
//   - Sliders that are not inputs are moved by keys, see moveSlider.
//   - In a frame, the text may arrive before the focus. See prepareEdit.
//
// The error is an [ElementError], a [StaleRefError], ErrBusy or why the turn ended. It comes with
// ErrSent if the text may have been inserted, or was inserted beside the old text.
func (e *Element) Type(ctx context.Context, text string) (holds *string, err error) {
	how, err := e.prepareEdit(ctx, text, manner{})
	if err != nil {
		return nil, err
	}
	return e.enter(ctx, text, how, nil)
}

// mostValues limits how many values Clear removes from a combobox. The text beside a combobox may
// change by itself, so that each key seems to remove something.
const mostValues = 50

// Clear empties the element, as Type with an empty text does. A combobox may show values beside its
// text. If the text is empty already, Clear still presses Delete, as a person would, as long as that
// changes what the combobox shows. If nothing has changed, the result wasEmpty is true.
func (e *Element) Clear(ctx context.Context) (holds *string, wasEmpty bool, err error) {
	how, err := e.prepareEdit(ctx, "", manner{clear: true})
	if err != nil {
		return nil, false, err
	}
	before := inputMark{world: how.world, navigations: e.page.navigationMark()}
	holds, err = e.enter(ctx, "", how, nil)
	for presses := 1; err == nil && how.Empty; presses++ {
		done, err := e.afterDelete(ctx, before)
		if err != nil || !done.Again || presses == mostValues {
			return holds, done.Same && presses == 1, err
		}
		if how, err = e.prepareEdit(ctx, "", manner{clear: true}); err == nil {
			holds, err = e.enter(ctx, "", how, nil)
		}
		if _, err = afterChoice(err); err != nil {
			return nil, false, err
		}
	}
	return holds, false, err
}

// A deletion says what a combobox without text shows after the Delete key.
type deletion struct {
	Same  bool // the same as before
	Again bool // something else, and another key may be sent
}

// afterDelete returns what the Delete key has done. If the key has led to another document since the
// mark, nothing can be said, and no further key may be sent.
func (e *Element) afterDelete(ctx context.Context, before inputMark) (deletion, error) {
	done, err := ask[deletion](ctx, e, "afterDelete", ScriptDeadline(ctx))
	if err == nil {
		err = frame.Failure(ctx, e.page.Sync(ctx))
	}
	if left, err := afterChoice(err); left || err != nil {
		return deletion{}, err
	}
	if e.page.awaitStart(ctx, before.navigations); e.hasLeft(before) {
		return deletion{}, nil
	}
	return done, nil
}

// MovedFocus returns the ref of the field of the same document that has the focus in place of the
// element, if there is one. A page may move the focus on while text is entered: the
// rest of the text is then in that field.
func (e *Element) MovedFocus(ctx context.Context) (Ref, bool) {
	number, err := ask[int](ctx, e, "movedFocus")
	if err != nil || number == 0 {
		return Ref{}, false // the text is entered, and the document may be gone
	}
	return e.page.refIn(e.frame, number), true
}

// enter enters text into the element. The parameter how is the answer of prepareEdit, which says
// how to enter the text. The parameter next is the field that is filled next, or nil: see [Field].
// The results are the same as for Type.
func (e *Element) enter(ctx context.Context, text string, how editAnswer, next *Field) (holds *string, err error) {
	switch {
	case how.Done:
		return how.Holds, nil
	case how.Keys:
		if how.Apace {
			return e.enterByKeys(ctx, text, pace{within: quickKeys}, how)
		}
		return e.enterByKeys(ctx, text, pace{between: slowKey}, how)
	case how.Model:
		return e.typeIntoModel(ctx, text, how.world)
	case how.Slides:
		return e.moveSlider(ctx, text)
	case how.Erase:
		return e.sendEdit(ctx, how.world, func() error { return e.page.pressChord(ctx, key("Delete"), 0) })
	}
	return e.insert(ctx, text, how.world, next)
}

// typeIntoModel replaces the text of an editor that keeps it outside of the document. Such an
// editor ignores a selection that a script makes in the document. But it handles the keys that
// select all. The text is first offered as a paste: an editor completes typed text with brackets
// and indentation. If the editor does not handle the paste, the text is inserted as input. The
// parameter w is the document that prepareEdit has asked.
func (e *Element) typeIntoModel(ctx context.Context, text string, w *frame.World) (*string, error) {
	before, err := e.inputMark(ctx, w)
	if err != nil {
		return nil, err
	}
	if err := e.page.pressChord(ctx, key("ControlOrMeta+A"), 0); err != nil {
		return nil, err
	}
	if text == "" {
		return e.sendEdit(ctx, w, func() error { return e.page.pressChord(ctx, key("Delete"), 0) })
	}
	pasted, err := ask[bool](ctx, e, "pasteInto", text)
	if err != nil || pasted {
		return e.confirmEdit(ctx, withSentIfBusy(err), before)
	}
	return e.insert(ctx, text, w, nil)
}

// insert inserts text into the element, which prepareEdit has focused and selected in the document w.
func (e *Element) insert(ctx context.Context, text string, w *frame.World, next *Field) (*string, error) {
	if e.frame.Parent == nil {
		return e.insertAndAsk(ctx, text, w, next)
	}
	return e.sendEdit(ctx, w, func() error { return e.page.insert(ctx, text) })
}

// insertAndAsk inserts text and asks for the result without waiting in between, so it needs one
// round trip less. Chromium does not run the two commands in order: input goes through its input
// queue. So awaitEdit waits in the page for the input event. If the page prevents the text there is
// no such event. Chromium's reply to the insertion then shows that none will come, and endEdit ends
// the wait.
//
// For an element in a frame, insert waits for the insertion before it asks. In between, the input
// guards in all documents of the tab must be ended, see endGuards.
func (e *Element) insertAndAsk(ctx context.Context, text string, w *frame.World, next *Field) (*string, error) {
	if err := checkTime(ctx); err != nil {
		return nil, err
	}
	before, err := e.inputMark(ctx, w)
	if err != nil {
		return nil, err
	}
	inserted := cdp.Send(e.page.session, input.InsertText, input.InsertTextParams{Text: text})
	ctx, following := next.after(ctx, e)
	result := frame.Send[textVerdict](ctx, w, "awaitEdit", following)
	var failed error // of the insertion; the edit and the guards end all the same
	select {
	case <-result.Done():
	case <-ctx.Done():
	case <-inserted.Done():
		if _, err := inserted.Wait(ctx); err != nil && !errors.Is(frame.Failure(ctx, err), frame.ErrGone) {
			failed = withSentIfBusy(frame.Failure(ctx, err))
		}
		if !isDoneWithin(answerTime, result.Done()) {
			frame.Send[struct{}](ctx, w, "endEdit")
		}
	}
	v, err := e.awaitTextVerdict(ctx, result, before)
	err = cmp.Or(failed, err)
	switch {
	case next == nil, err != nil: // otherwise next guards the documents again
		e.endGuardsFromText(ctx)
	case v.Next:
		next.prepared = before.world
	}
	return v.Holds, err
}

// answerTime is how long the page script's answer may take to arrive after the reply to the input
// that it waits for. Mostly they arrive together. Only if the answer takes longer, the page script
// gets another message, which ends its wait.
const answerTime = 5 * time.Millisecond

func isDoneWithin(d time.Duration, done <-chan struct{}) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-done:
		return true
	case <-timer.C:
		return false
	}
}

// An editAnswer is the answer of edit.js: how to enter text into the element, or what is missing.
type editAnswer struct {
	report
	Insert bool    // insert the text: the old text is selected
	Aside  *point  // first move the mouse here, see isUnderMouse in edit.js
	Empty  bool    // with Erase: the text is empty already, see Clear
	Erase  bool    // press Delete: the old text is selected, and the new text is empty
	Done   bool    // the element already has the text: nothing more to send
	Keys   bool    // type each character: the old text is selected
	Apace  bool    // with Keys: without pauses between the keys, and only while that is quick
	Model  bool    // the element only takes the input of an editor, see typeIntoModel
	Slides bool    // the element is a slider, see moveSlider
	Holds  *string // if Done: the text that the element holds, see Type
	Sort   string  // "select" or "check" for such a control, which takes no text, see manner.fill; otherwise ""
}

// A manner says how text is entered.
type manner struct {
	behind bool // insert after the existing text, without replacing it
	clear  bool // in a combobox, Delete is pressed even if its text is empty
	fill   bool // a control that takes no text is not edited; editAnswer.Sort then names its kind
}

// prepareEdit waits until the element takes text, and focuses it. The old text is selected. If the
// new text goes after it, the caret is put at its end instead.
//
// Text goes to what has the focus in the tab. When a script focuses an element of a frame in
// another process, that process requests the focus from the browser process. Text that is sent
// meanwhile goes to the document that had the focus before. The input guards (guard.go) of all
// documents keep such text from the page. The [textVerdict] then says that the element did not get
// it.
func (e *Element) prepareEdit(ctx context.Context, text string, m manner) (how editAnswer, err error) {
	e.guardFromText(ctx, textGuardTime(ctx, text))
	defer func() {
		if err != nil || how.Done || how.Slides || how.Sort != "" { // no text follows
			e.endGuardsFromText(ctx)
		}
	}()
	o := e.editOptions(ctx, text, m)
	edit := func() (err error) {
		var w *frame.World
		w, how, err = askDocument[editAnswer](ctx, e, "edit", text, o)
		how.world = w
		return err
	}
	err = edit()
	if err == nil && how.Aside != nil {
		moved := e.page.sendMouse(input.DispatchMouseEventTypeMouseMoved, *how.Aside, unpressed, 0)
		if err := awaitHandled(ctx, []*cdp.Reply[proto.Empty]{moved}); err != nil {
			return how, err
		}
		delete(o, "mouse")
		o["moved"] = true
		err = edit()
	}
	var readings []string
	if err == nil && how.Missing == pagejs.Format {
		if o["value"], readings = readValue(how.Input, text); o["value"] != "" {
			err = edit()
		}
	}
	if err == nil && how.Missing != "" {
		how.Options = readings
		err = e.failure(how.report)
	}
	return how, err
}

// textGuardTime returns how long guards have to last if a text follows. While chela still waits for
// the element, ctx ends early, to leave time for typing the text slowly. So that time is added.
func textGuardTime(ctx context.Context, text string) time.Duration {
	return guardTime(ctx) + SlowTyping(text)
}

// guardFromText guards the documents that must not get the element's text. A page may focus one of
// another origin at any time. For an element in a frame, these are all documents, see prepareEdit.
func (e *Element) guardFromText(ctx context.Context, lasting time.Duration) {
	if e.frame.Parent != nil {
		e.page.guardAll(ctx, lasting, false)
		return
	}
	sendToOthers[struct{}](ctx, e, "guardAll", lasting.Milliseconds(), false)
}

// endGuardsFromText ends what guardFromText has begun.
func (e *Element) endGuardsFromText(ctx context.Context) {
	if e.frame.Parent != nil {
		e.page.endGuards(ctx, false)
		return
	}
	sendToOthers[struct{}](ctx, e, "unguardAll", false)
}

// editOptions returns the options of edit in the page script.
func (e *Element) editOptions(ctx context.Context, text string, m manner) map[string]any {
	o := map[string]any{
		"painted": e.page.isLent(),
		"by":      ScriptDeadline(ctx), "atEnd": m.behind, "clear": m.clear, "fill": m.fill, "guard": textGuardTime(ctx, text).Milliseconds(),
	}
	if at, used := e.page.Mouse(); used > 0 && e.frame.Parent == nil {
		o["mouse"] = at
	}
	return o
}

// readValue converts text, such as a date as people write it, to the value that an input takes. The
// value is "" if the text cannot be converted. If the text is ambiguous, the result readings lists
// all values that it may mean.
func readValue(in inputvalue.Input, text string) (value string, readings []string) {
	value, err := in.Read(text)
	if ambiguous, ok := errors.AsType[*inputvalue.AmbiguousError](err); ok {
		readings = ambiguous.Readings
	}
	return value, readings
}

// sendEdit calls send, which sends input that changes the text, and confirmEdit. The parameter w is
// the document that prepareEdit has asked.
func (e *Element) sendEdit(ctx context.Context, w *frame.World, send func() error) (holds *string, err error) {
	before, err := e.inputMark(ctx, w)
	if err != nil {
		return nil, err
	}
	return e.confirmEdit(ctx, send(), before)
}

// confirmEdit asks the page whether the element got the text, after it was sent. The parameter sent
// is the error of sending the text, and before is the mark from before. It returns what Type
// returns.
func (e *Element) confirmEdit(ctx context.Context, sent error, before inputMark) (holds *string, err error) {
	if sent != nil && !errors.Is(sent, frame.ErrGone) {
		return nil, sent
	}
	result := frame.Send[textVerdict](ctx, before.world, "editResult")
	e.endGuardsFromText(ctx)
	v, err := e.awaitTextVerdict(ctx, result, before)
	return v.Holds, err
}

// A textVerdict says what happened to text that was sent to an element.
type textVerdict struct {
	verdict
	Refused bool    // the text caused no input event
	Beside  bool    // the text is beside the old text, because a part of the old text cannot be edited
	Holds   *string // the text that the element holds, see Type

	Next bool // the field that is filled next is prepared, see Field
}

// awaitTextVerdict waits for the verdict on text. If the text made the page load another document,
// the element has got it.
func (e *Element) awaitTextVerdict(ctx context.Context, result frame.Answer[textVerdict], before inputMark) (textVerdict, error) {
	v, err := awaitTaken(ctx, e, result, before)
	e.page.recordChanges(before.world, v.Changes)
	switch {
	case errors.Is(err, frame.ErrGone):
		return textVerdict{}, nil
	case err != nil:
		return textVerdict{}, withSentIfBusy(err)
	case !v.Passed:
		return textVerdict{}, e.missed("type", v.verdict)
	case v.Refused:
		return textVerdict{}, e.failure(report{Missing: Refused})
	case v.Beside:
		return textVerdict{}, withSent(e.failure(report{Missing: Beside}))
	}
	return v, nil
}
