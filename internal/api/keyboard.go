package api

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"chela/internal/api/call"
	"chela/internal/base/lazyregexp"
	"chela/internal/engine/keys"
	"chela/internal/engine/page"
	"chela/internal/op"
)

// A typeRequest replaces what a field holds. If Slowly is set, it adds the text key by key instead,
// which fields with autocompletion or input masks need. Without a ref, the keys go where the focus
// is, which need not be in a field. An empty ref is a mistake, and not the same as none.
type typeRequest struct {
	call.Acting
	Ref    string     `json:"ref,omitempty" digits:"true" empty:"type requires ref or selector" doc:"element, from a snapshot; without a ref, the text is typed key by key at the focus; a date or the like there is set at once, unless slowly"`
	Text   *op.Sealed `json:"text" entered:"text" verbatim:"true" doc:"text to put in; empty clears the field; secret:NAME stands for the value of a secret"`
	Submit bool       `json:"submit,omitempty" doc:"press Enter afterwards"`
	Slowly bool       `json:"slowly,omitempty" doc:"type key by key, after the present text of the field"`
}

// refOnly is a text that is a ref, such as e3, or f1e3 in a frame. On the command line, "type e3"
// without a text has the ref in the place of the text. It would type the ref where the focus is.
var refOnly = lazyregexp.New(`^(f\d+)?e\d+$`)

// Check suspects a single argument that looks like a ref, as in type e3. The caller has given the
// ref and forgotten the text, and the ref would be typed where the focus is.
func (r typeRequest) Check() error {
	if r.Ref == "" && r.Text != nil && refOnly().MatchString(string(*r.Text)) {
		return op.Errorf(op.ActInvalid, "type requires text").
			Hinted("give a text for %s; to type these very characters, use insert-text", *r.Text)
	}
	if r.Text != nil && r.Slowly {
		if _, ok := r.Text.Secret(); ok {
			return op.Errorf(op.ActInvalid, "a secret is entered at once, and not slowly").Hinted("leave out slowly")
		}
	}
	return requires("type requires text", r.Text != nil)
}

// WaitTime returns what is added to the deadline: the time to settle. If Slowly is set, it adds the
// time for typing, which grows with the text.
func (r typeRequest) WaitTime() time.Duration {
	if !r.Slowly || r.Text == nil {
		return r.Settle()
	}
	return r.Settle() + page.SlowTyping(r.Text.Text())
}

// typeResult says what a field holds after text was typed.
type typeResult struct {
	Value *op.PageText `json:"value,omitempty" absent:"true" doc:"what the field holds now, if that is not the text; absent: the field holds the text"`
	Note  string       `json:"note,omitempty" doc:"a note that the page has emptied the field, that its text was empty already, that the focus has moved to another field or was in none, or that it does not hold the exact secret"`
}

// Text returns the content of the field, if that differs from the typed text, and the note.
func (t typeResult) Text() string {
	text := holds("it", t.Value)
	if text == "" || t.Note == "" || t.Note == text {
		return cmp.Or(text, t.Note)
	}
	return text + "; " + t.Note
}

// holds returns what a field holds after an edit, if that differs from the text that was typed.
func holds(what string, value *op.PageText) string {
	switch {
	case value == nil:
		return ""
	case *value == "":
		return what + " is empty now: the page has emptied it"
	}
	return fmt.Sprintf("%s holds %q now", what, *value)
}

// typeText types the text. If the field then holds another text, the answer has it: pages reformat,
// cut and refuse what is typed. If Submit is set, it then presses Enter.
func typeText(ctx context.Context, t *call.Turn, r typeRequest) (done typeResult, err error) {
	err = t.Page.Act(ctx, func(ctx context.Context) (err error) {
		var el *page.Element
		if r.Ref != "" {
			if el, err = t.Page.Element(ctx, r.Ref); err != nil {
				return err
			}
		}
		enter := func(ctx context.Context) (err error) {
			done, err = typeInto(ctx, t, el, r)
			return err
		}
		switch {
		case !r.Submit:
			return enter(ctx)
		case el != nil:
			return el.Submit(ctx, enter)
		}
		if err := enter(ctx); err != nil {
			return err
		}
		if err := t.Page.Press(ctx, mustParse("Enter"), 0); err != nil {
			return fmt.Errorf("%w: %w", page.ErrSent, err) // the page has the text
		}
		return nil
	})
	return done, err
}

// typeInto types the text into an element, or enters the secret. If el is nil, they go to what has
// the focus. The result says what the field holds if that is not the text.
func typeInto(ctx context.Context, t *call.Turn, el *page.Element, r typeRequest) (done typeResult, err error) {
	if name, ok := r.Text.Secret(); ok {
		done.Note, err = enterSecret(ctx, t, el, name)
		return done, err
	}
	into, value, err := typePlain(ctx, t, el, r)
	if value == nil && err == nil && !r.Slowly && el != nil {
		t.Gave(r.Ref, r.Text.Text())
	}
	if done.Value = (*op.PageText)(value); value != nil && *value == "" {
		done.Note = done.Text()
	} else if value != nil && into != nil {
		done.Note = noteMoved(ctx, into)
	} else if el == nil && into != nil && err == nil {
		done.Note = noteKeys(ctx, into)
	}
	return done, err
}

// noteMoved returns the note on a field that holds another text than was typed, if the page has moved
// the focus on to another field.
func noteMoved(ctx context.Context, el *page.Element) string {
	if ref, moved := el.MovedFocus(ctx); moved {
		return fmt.Sprintf("the page has moved the focus to %s, which may have the rest", ref)
	}
	return ""
}

// noteKeys returns the note on text that was typed at the focus, if that was in no text field.
func noteKeys(ctx context.Context, el *page.Element) string {
	if ref, keys := el.GetsKeys(ctx); keys {
		return fmt.Sprintf("the focus was on %s, which is no text field: the page got single keys", ref)
	}
	return ""
}

// typePlain types the text, which is not secret, as typeInto does. It returns the element that the
// text was for, nil if it is not known. The result holds is what that holds if it is not the text.
func typePlain(ctx context.Context, t *call.Turn, el *page.Element, r typeRequest) (into *page.Element, holds *string, err error) {
	switch text := r.Text.Text(); {
	case el == nil:
		return t.Page.TypeKeys(ctx, text, r.Slowly)
	case r.Slowly:
		holds, err = el.TypeSlowly(ctx, text)
	default:
		holds, err = el.Type(ctx, text)
	}
	return el, holds, err
}

// mustParse parses keys with [keys.Parse]. It may be called only for keys whose names Check has
// already checked.
func mustParse(key string) keys.Chord {
	chord, err := keys.Parse(key)
	if err != nil {
		panic(err)
	}
	return chord
}

// An insertTextRequest is for text at the caret, in one piece and without keys.
type insertTextRequest struct {
	call.Acting
	Text *op.Sealed `json:"text" entered:"text" verbatim:"true" doc:"text to insert; secret:NAME instead replaces all text of the field by a secret"`
}

// Check accepts an empty text, which inserts nothing. The error has OpenClaw's text.
func (r insertTextRequest) Check() error { return requires("insertText requires text", r.Text != nil) }

// insertText makes input events but no key events, as an input method or a paste does:
// pages that count keys do not see it.
func insertText(ctx context.Context, t *call.Turn, r insertTextRequest) (done insertTextResult, err error) {
	err = t.Page.Act(ctx, func(ctx context.Context) error {
		if name, ok := r.Text.Secret(); ok {
			done.Note, err = enterSecret(ctx, t, nil, name)
			return err
		}
		return t.Page.InsertText(ctx, r.Text.Text())
	})
	return done, err
}

// insertTextResult says what happened to a secret that was inserted.
type insertTextResult struct {
	Note string `json:"note,omitempty" doc:"a note that the field does not hold the exact secret"`
}

// Text returns the note.
func (i insertTextResult) Text() string { return i.Note }

// A pressRequest is for keys that go to an element, or to what has the focus if no ref is given.
type pressRequest struct {
	call.Acting
	Ref     string `json:"ref,omitempty" digits:"true" doc:"element to focus first; without a ref, the key goes to what has the focus"`
	Key     string `json:"key" entered:"key" verbatim:"true" doc:"key, or keys joined by +: Enter, ArrowDown, Control+A" tool:"Enter, Control+A"`
	DelayMs int    `json:"delayMs,omitempty" min:"0" max:"5000" doc:"milliseconds between press and release" tool:"+"`
}

// Check parses all keys, so a wrong name is an error before any key is pressed.
func (r pressRequest) Check() error {
	return checkKey("press", r.Key)
}

// checkKey returns what is wrong with the key of an act.
func checkKey(kind, key string) error {
	if key == "" {
		return op.Errorf(op.ActInvalid, "%s requires key", kind)
	}
	_, err := keys.Parse(key)
	if unknown, ok := errors.AsType[*keys.UnknownKey](err); ok {
		return op.Errorf(op.ActInvalid, "%v", err).
			Hinted("%skeys are named as in browsers: Enter, Tab, Escape, ArrowDown, a, Control+A", didYouMean(unknown.Near))
	}
	return err
}

// didYouMean suggests similar names for an unknown one, or returns "".
func didYouMean(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return "did you mean " + strings.Join(names, " or ") + "? "
}

// hold returns how long the key stays down.
func (r pressRequest) hold() time.Duration { return time.Duration(r.DelayMs) * time.Millisecond }

// WaitTime returns what is added to the deadline: the time that the key is held, and the time to
// settle.
func (r pressRequest) WaitTime() time.Duration { return r.Settle() + r.hold() }

// press focuses the element, if there is one, and presses and releases the key. Keys that copy or
// paste are refused where callers may not use the clipboard.
func press(ctx context.Context, t *call.Turn, r pressRequest) (call.Done, error) {
	if err := permitKeys(ctx, t, mustParse(r.Key)); err != nil {
		return call.Done{}, err
	}
	send := func(ctx context.Context) error { return t.Page.Press(ctx, mustParse(r.Key), r.hold()) }
	if r.Ref == "" {
		return call.Done{}, t.Page.Act(ctx, send)
	}
	return actOn(ctx, t, r.Ref, func(ctx context.Context, el *page.Element) error {
		if err := el.Focus(ctx); err != nil {
			return err
		}
		return send(ctx)
	})
}

// A keyRequest presses a key that stays down, or releases one: for games, and for keys
// that are held while something is clicked or dragged.
type keyRequest struct {
	call.Acting
	Key string `json:"key" entered:"key" verbatim:"true" doc:"key, or keys joined by +" tool:"Shift, Control+A"`
}

// Check returns errors that name both acts that use this request.
func (r keyRequest) Check() error { return checkKey("keydown/keyup", r.Key) }

// keyDown leaves the key down until keyUp. Clipboard shortcuts are refused as for press. Control
// and V paste even if they are pressed by separate calls.
func keyDown(ctx context.Context, t *call.Turn, r keyRequest) (call.Done, error) {
	if err := permitKeys(ctx, t, mustParse(r.Key)); err != nil {
		return call.Done{}, err
	}
	return call.Done{}, t.Page.Act(ctx, func(ctx context.Context) error { return t.Page.KeyDown(ctx, mustParse(r.Key)) })
}

// keyUp releases a key, whichever call has pressed it. Releasing a key that is not down is no
// error: Chromium accepts that, and the page gets a keyup event.
func keyUp(ctx context.Context, t *call.Turn, r keyRequest) (call.Done, error) {
	return call.Done{}, t.Page.Act(ctx, func(ctx context.Context) error { return t.Page.KeyUp(ctx, mustParse(r.Key)) })
}
