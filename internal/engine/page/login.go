package page

import (
	"context"
	"errors"
	"slices"

	"chela/internal/engine/frame"
	"chela/internal/reading/login"
)

// LoginForms describes the forms of all documents whose origins are open to a login. Documents that
// are replaced meanwhile are left out. The error is ErrBusy or why the turn ended.
func (p *Page) LoginForms(ctx context.Context, open func(origin string) bool) (all []login.Form, err error) {
	p.awaitReadable(ctx)
	for f, answer := range sendToFrames[[]loginForm](ctx, p, "loginForms") {
		if !open(answer.World.WebOrigin()) {
			continue
		}
		forms, err := answer.Wait(ctx)
		if err != nil && !errors.Is(err, frame.ErrGone) {
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
func compareRefs(a, b string) int {
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	if a < b {
		return -1
	}
	return 1
}

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
