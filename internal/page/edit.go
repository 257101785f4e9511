package page

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/input"

	"chela/internal/cdp"
	"chela/internal/keys"
	"chela/internal/pagejs"
)

// slowKey is the time between the keys of slow typing.
const slowKey = 75 * time.Millisecond

// Type replaces what the element holds by text. It returns what the element
// holds then, where the page made something else of the text; else nil.
func (e *Element) Type(ctx context.Context, text string) (holds *string, err error) {
	since := e.page.navigationMark()
	how, err := e.edit(ctx, text, false)
	if err != nil || how.Done {
		return how.Holds, err
	}
	switch {
	case how.Model:
		return e.typeIntoModel(ctx, text, since)
	case how.Erase:
		return e.edited(ctx, e.page.stroke(ctx, key("Delete"), 0), since)
	}
	return e.insert(ctx, text, since)
}

// typeIntoModel replaces the text of an editor that keeps it outside of the
// document. Only its own command selects all of that text.
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

// insert puts text where edit has prepared the element for it.
func (e *Element) insert(ctx context.Context, text string, since int) (*string, error) {
	if e.frame.parent == nil {
		return e.put(ctx, text, since)
	}
	return e.edited(ctx, e.page.insert(ctx, text), since)
}

// put inserts text and asks at once what became of it: the page answers when
// the text has come, or is known not to come.
func (e *Element) put(ctx context.Context, text string, since int) (*string, error) {
	w, err := e.world(ctx)
	if err != nil {
		return nil, err
	}
	if err := inTime(ctx); err != nil {
		return nil, err
	}
	inserted := cdp.Send(e.page.session, input.InsertText, input.InsertTextParams{Text: text})
	result := send[textVerdict](ctx, w, "editDone")
	select {
	case <-result.reply.Done():
	case <-ctx.Done():
	case <-inserted.Done():
		if _, err := inserted.Wait(ctx); err != nil && !errors.Is(pageError(ctx, err), errWorldGone) {
			return nil, unconfirmed(pageError(ctx, err))
		}
		send[struct{}](ctx, w, "editOver")
	}
	return e.confirm(ctx, w, result, since)
}

// key is a chord of one of the keys that acts press themselves.
func key(name string) keys.Chord {
	chord, err := keys.Parse(name)
	if err != nil {
		panic(err) // it is one of ours
	}
	return chord
}

// TypeSlowly clicks the element and types text behind what it holds, key by
// key. It returns what Type returns.
func (e *Element) TypeSlowly(ctx context.Context, text string) (holds *string, err error) {
	ready, cancel := reserve(ctx, SlowTyping(text))
	defer cancel()
	if err := e.Click(ready, Click{}); err != nil {
		return nil, err
	}
	since := e.page.navigationMark()
	how, err := e.edit(ready, text, true)
	if err != nil || how.Done {
		return how.Holds, err
	}
	if how.Model {
		if err := e.page.stroke(ctx, key(keys.ToEnd()), 0); err != nil {
			return nil, err
		}
	}
	return e.edited(ctx, e.page.typeRunes(ctx, []rune(text)), since)
}

// typeRunes types characters one after the other, with pauses between them.
func (p *Page) typeRunes(ctx context.Context, text []rune) error {
	for i, r := range text {
		if i > 0 {
			if err := Pause(ctx, slowKey); err != nil {
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

// An editing says how text goes into an element.
type editing struct {
	report
	Insert, Erase, Done bool
	Model               bool    // the editor keeps its text outside of the document
	Holds               *string // as Type returns it
}

// edit waits until the element takes text, and focuses it.
func (e *Element) edit(ctx context.Context, text string, behind bool) (editing, error) {
	if e.frame.parent != nil { // the focus may come to the frame later than the text
		e.page.guardAll(ctx, guardTime+SlowTyping(text))
	}
	o := map[string]any{"by": pageDeadline(ctx), "append": behind, "guard": (guardTime + SlowTyping(text)).Milliseconds()}
	how, err := ask[editing](ctx, e, "edit", text, o)
	if err == nil && how.Missing != "" {
		err = e.failure(how.report)
	}
	return how, err
}

// edited makes sure that what was sent since then reached the element.
func (e *Element) edited(ctx context.Context, sent error, since int) (holds *string, err error) {
	if sent != nil && !errors.Is(sent, errWorldGone) {
		return nil, sent
	}
	w, err := e.world(ctx)
	if err != nil {
		return nil, nil // the page left when it got the text
	}
	result := send[textVerdict](ctx, w, "editResult")
	if e.frame.parent != nil {
		e.page.endGuards(ctx, false)
	}
	return e.confirm(ctx, w, result, since)
}

// A textVerdict says what became of text that was sent to an element.
type textVerdict struct {
	verdict
	Refused bool    // no input event came of it
	Beside  bool    // it stands beside what it was to replace
	Holds   *string // as Type returns it
}

// confirm waits for what became of the text that was sent since then.
func (e *Element) confirm(ctx context.Context, w *world, result answer[textVerdict], since int) (*string, error) {
	if errors.Is(e.taken(ctx, result.reply.Done(), since), errWorldGone) {
		return nil, nil
	}
	v, err := result.wait(ctx)
	e.page.recordChanges(w, v.Changes)
	switch {
	case errors.Is(err, errWorldGone):
		return nil, nil
	case err != nil:
		return nil, unconfirmed(err)
	case !v.Passed:
		return nil, e.failure(report{Missing: MissedInput, By: v.By})
	case v.Refused:
		return nil, e.failure(report{Missing: Refused})
	case v.Beside:
		return nil, fmt.Errorf("%w: %w", ErrSent, e.failure(report{Missing: Beside}))
	}
	return v.Holds, nil
}

// ErrNoFocus says that nothing that takes text has the focus.
var ErrNoFocus = errors.New("nothing that takes text has the focus")

// InsertText puts text where the focus is in one insertion, as if pasted. It is
// ErrNoFocus if nothing there takes text.
func (p *Page) InsertText(ctx context.Context, text string) error {
	if err := p.awake(ctx, p.main()); err != nil {
		return err
	}
	w, err := p.worldOf(ctx, p.main())
	if err != nil {
		return err
	}
	offered, err := call[string](ctx, w, "offerText", text)
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

func (p *Page) insert(ctx context.Context, text string) error {
	if err := inTime(ctx); err != nil {
		return err
	}
	_, err := cdp.Call(ctx, p.session, input.InsertText, input.InsertTextParams{Text: text})
	return unconfirmed(pageError(ctx, err))
}

// Select chooses options of a select element by their values or labels, and no others.
func (e *Element) Select(ctx context.Context, values []string) error {
	r, err := ask[report](ctx, e, "choose", values, map[string]any{"by": pageDeadline(ctx)})
	if err != nil || r.Missing == "" {
		return err
	}
	if r.Missing == pagejs.Untyped {
		r.Missing = NoSelect
	}
	return e.failure(r)
}

// SetChecked clicks a checkbox, radio or switch unless it is as wanted.
func (e *Element) SetChecked(ctx context.Context, want bool) error {
	is, err := e.checked(ctx)
	if err != nil || is == want {
		return err
	}
	if err := e.Click(ctx, Click{}); err != nil {
		return err
	}
	is, err = e.checked(ctx, want, earlier(pageDeadline(ctx), time.Now().Add(reaction)))
	if err == nil && is != want {
		err = e.failure(report{Missing: Unchanged})
	}
	return err
}

// reaction is how long a control may take to show that it was clicked.
const reaction = time.Second

// checked returns whether the element is checked; given what is wanted, and by
// when, it waits for that.
func (e *Element) checked(ctx context.Context, wanted ...any) (bool, error) {
	r, err := ask[struct {
		report
		Checked *bool
	}](ctx, e, "checked", wanted...)
	switch {
	case err != nil:
		return false, err
	case r.Missing != "":
		return false, e.failure(r.report)
	case r.Checked == nil:
		return false, e.failure(report{Missing: Uncheckable})
	}
	return *r.Checked, nil
}

// ScrollIntoView scrolls until the element is in view.
func (e *Element) ScrollIntoView(ctx context.Context) error {
	r, err := ask[report](ctx, e, "show", pageDeadline(ctx))
	if err == nil && r.Missing != "" {
		err = e.failure(r)
	}
	return err
}

// Fill gives a control its value, whatever sort it is: text into a field, an
// option of a select, true or false for what can be checked.
// It returns what Type returns.
func (e *Element) Fill(ctx context.Context, value string) (holds *string, err error) {
	sort, err := ask[string](ctx, e, "sortOf")
	switch {
	case err != nil:
		return nil, err
	case sort == "select":
		return nil, e.Select(ctx, []string{value})
	case sort == "check" && (value == "true" || value == "false"):
		return nil, e.SetChecked(ctx, value == "true")
	}
	return e.Type(ctx, value)
}
