package page

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"chela/internal/engine/frame"
	"chela/internal/reading/login"
	"chela/internal/reading/pagejs"
	"chela/internal/wall/secret"
)

// An Unfit says why a field does not get a secret.
type Unfit string

const (
	OtherOrigin Unfit = "origin" // the document of the field is of an origin that the secret is not for
	SentAway    Unfit = "target" // the form of the field is sent to an origin that the secret is not for
	OtherKind   Unfit = "kind"   // the element is not a field for a secret
	Unseen      Unfit = "unseen" // nobody can see the field
)

// A PlaceError says that a secret may not be entered in an element.
type PlaceError struct {
	Secret string
	Why    Unfit
	Origin string // origin of the document, or with SentAway the origin that the form is sent to; "null" if that is an opaque one
}

func (e *PlaceError) Error() string {
	return fmt.Sprintf("secret %s is not for this element at %s: %s", e.Secret, e.Origin, e.Why)
}

// A secretField is the answer of the page script about an element that is to get a secret, see
// secret.js.
type secretField struct {
	report
	Unfit   Unfit
	Origin  string
	Targets []string // origins that the form may be sent to

	Entered, Differs, Refused bool // set only in the answer of enterSecret
}

// SecretOrigin waits until a secret can be entered in the element, and returns the origin of the
// element's document. The value of the secret is not needed for that. The error is a [PlaceError] if
// the secret is not for the element, else the same as for [Element.Type].
func (e *Element) SecretOrigin(ctx context.Context, s secret.Secret) (string, error) {
	is, err := e.secretField(ctx, s)
	return is.Origin, err
}

func (e *Element) secretField(ctx context.Context, s secret.Secret) (secretField, error) {
	w, is, err := askDocument[secretField](ctx, e, "secretField", ScriptDeadline(ctx))
	if err != nil {
		return is, err
	}
	return is, e.checkSecret(w, s, is)
}

// EnterSecret replaces the text of the element by a secret. If the page has changed it, such as
// shortened it, differs is true. Errors are the same as for SecretOrigin. ErrSent comes with an error
// after which the page may have the secret.
//
// The page script checks the element and enters the text in one step (secret.js). Input of the
// browser would go to what has the focus when it arrives, which may be another field or frame by
// then. The page gets a trusted input event, but no beforeinput event. The field shows discs
// instead of the text until it is empty again. A user name is shown as it is.
func (e *Element) EnterSecret(ctx context.Context, s secret.Secret) (differs bool, err error) {
	is, err := e.secretField(ctx, s)
	if err != nil {
		return false, err
	}
	w, is, err := askDocument[secretField](ctx, e, "enterSecret", s.Value, is.Origin, is.Targets, secret.IsUserName(s.Name))
	switch {
	case err != nil && w != nil: // a page that removes the document when the field gets its text leaves no answer
		return false, withSent(err)
	case err != nil:
		return false, err
	case is.Refused:
		return false, e.failure(report{Missing: Refused})
	case is.Entered:
		return is.Differs, nil
	}
	if err := e.checkSecret(w, s, is); err != nil {
		return false, err
	}
	return false, &PlaceError{s.Name, SentAway, is.Origin} // the page changed the form while it got the focus
}

// checkSecret returns why the element does not get a secret, as far as the page script's answer
// says. The origin in that answer must also be the one that Chromium reports for the document that
// has answered.
func (e *Element) checkSecret(w *frame.World, s secret.Secret, is secretField) error {
	if is.Missing == pagejs.Gone {
		return e.stale()
	}
	if !w.IsOf(is.Origin) || !s.IsFor(is.Origin) {
		return &PlaceError{s.Name, OtherOrigin, is.Origin}
	}
	if is.Unfit != "" {
		return &PlaceError{s.Name, is.Unfit, is.Origin}
	}
	if away := slices.IndexFunc(is.Targets, func(origin string) bool { return !s.IsFor(origin) }); away >= 0 {
		return &PlaceError{s.Name, SentAway, is.Targets[away]}
	}
	if is.Missing != "" {
		return e.failure(is.report)
	}
	return nil
}

// Focused returns the element that has the focus, in whatever frame. It returns ErrNoFocus if there
// is none, or if it is not certain which one it is. Other errors are ErrBusy or why the turn ended.
func (p *Page) Focused(ctx context.Context) (*Element, error) {
	var found []*Element
	for f, answer := range sendToFrames[int](ctx, p, "focusedField") {
		number, err := answer.Wait(ctx)
		if err != nil && !isLost(err) {
			return nil, err
		}
		if number > 0 {
			found = append(found, p.elementIn(f, number))
		}
	}
	if len(found) != 1 {
		return nil, ErrNoFocus
	}
	return found[0], nil
}

// elementIn returns the element to which the page script of a frame has given a number.
func (p *Page) elementIn(f *frame.Frame, number int) *Element {
	ref := p.refIn(f, number)
	return &Element{page: p, frame: f, ref: ref, given: ref}
}

// LoginForms describes the forms of all documents for whose origins the function open returns true.
// Documents that are lost meanwhile are left out, see isLost. The error is ErrBusy or why the turn ended.
func (p *Page) LoginForms(ctx context.Context, open func(origin string) bool) (all []login.Form, err error) {
	p.awaitReadable(ctx)
	for f, answer := range sendToFrames[[]loginForm](ctx, p, "loginForms") {
		if !open(answer.World.WebOrigin()) {
			continue
		}
		forms, err := answer.Wait(ctx)
		if err != nil && !isLost(err) {
			return nil, err
		}
		for _, form := range forms {
			read := login.Form{Buttons: form.Buttons, Address: form.Address}
			for _, field := range form.Fields {
				field.Ref = p.refIn(f, field.Number).String()
				read.Fields = append(read.Fields, field.Field)
			}
			all = append(all, read)
		}
	}
	slices.SortFunc(all, func(a, b login.Form) int { return compareRefs(a.Fields[0].Ref, b.Fields[0].Ref) })
	return all, nil
}

// compareRefs puts refs in an order that is the same each time.
func compareRefs(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) }

// A loginForm is a form as login.js describes it.
type loginForm struct {
	Fields []struct {
		login.Field
		Number int
	}
	Buttons []string
	Address string
}

// LoginButton returns the button that sends the form of the element, if it is certain which one that
// is; else nil. The error is the same as for [Element.Focus].
func (e *Element) LoginButton(ctx context.Context) (*Element, error) {
	buttons, err := ask[[]struct {
		Number int
		Name   string
	}](ctx, e, "loginButtons")
	if err != nil {
		return nil, err
	}
	var names []string
	for _, b := range buttons {
		names = append(names, b.Name)
	}
	i := login.Button(names)
	if i < 0 {
		return nil, nil
	}
	return e.page.elementIn(e.frame, buttons[i].Number), nil
}
