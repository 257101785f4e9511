package page

import (
	"context"

	"chela/internal/engine/frame"
)

// A Subject describes the element that an act is about: the element of its ref or, when keys are
// sent, the element with the focus.
type Subject struct {
	Ref        string // ref of the element; "" if the act is about the element with the focus
	Role, Name string
	Box        *Area    // the element's box in the tab's viewport; nil if it is not known
	Text       bool     // the element is a field for text
	Secret     bool     // the element holds a secret, or may hold one, see [frame.Subject]
	Names      []string // name and id of the field; empty if it has none
}

type subjectsKey struct{}

// WithSubjects returns a context for acts that report which elements they are about. The function
// is called in the goroutine of the act. It may be called several times for an element, each time
// with more details.
func WithSubjects(ctx context.Context, report func(Subject)) context.Context {
	return context.WithValue(ctx, subjectsKey{}, report)
}

// reportOfSubjects returns the function of [WithSubjects], and whether there is one.
func reportOfSubjects(ctx context.Context) (report func(Subject), wanted bool) {
	report, wanted = ctx.Value(subjectsKey{}).(func(Subject))
	return report, wanted
}

// describing returns a context in which the page script also describes the element, if the act is
// to report it.
func (e *Element) describing(ctx context.Context) context.Context {
	report, wanted := reportOfSubjects(ctx)
	if !wanted {
		return ctx
	}
	return frame.Describe(ctx, e.ref.Number, func(s frame.Subject) {
		e.inFrame = s
		if e.frame.Parent == nil {
			e.reportSubject(report, &point{})
		} else {
			e.reportSubject(report, nil)
		}
	})
}

// reportPlaced reports the element again, with its place in the tab. The parameter origin is where
// the viewport of the element's frame begins, in coordinates of the tab.
func (e *Element) reportPlaced(ctx context.Context, origin point) {
	if report, wanted := reportOfSubjects(ctx); wanted {
		e.reportSubject(report, &origin)
	}
}

// reportSubject reports the element. If origin is nil, its place is not known.
func (e *Element) reportSubject(report func(Subject), origin *point) {
	report(subjectOf(e.given.String(), e.inFrame, origin))
}

// subjectOf adds the ref and the place in the tab to what the page script of a frame has described.
// The parameter origin is where the viewport of the frame begins, in coordinates of the tab; nil:
// that is not known.
func subjectOf(ref string, s frame.Subject, origin *point) Subject {
	out := Subject{Ref: ref, Role: s.Role, Name: s.Name, Text: s.Text, Secret: s.Secret, Names: s.Names}
	if origin != nil {
		out.Box = &Area{X: s.Box.X + origin.X, Y: s.Box.Y + origin.Y, Width: s.Box.Width, Height: s.Box.Height}
	}
	return out
}

// describingFocus returns a context in which the page script also describes the element with the
// focus, if the act is to report it.
func describingFocus(ctx context.Context) context.Context {
	report, wanted := reportOfSubjects(ctx)
	if !wanted {
		return ctx
	}
	return frame.Describe(ctx, 0, func(s frame.Subject) { report(subjectOf("", s, &point{})) })
}

// ShownTexts says which fields of the tab have a text that a picture of the tab would show.
type ShownTexts struct {
	Secret bool     // one of these fields holds a secret, or there are too many fields to look at
	Names  []string // names and ids of the other fields
}

// ShownTexts asks all documents of the tab which fields have a text that can be read. The error is
// [frame.ErrBusy] or why the page cannot answer.
func (p *Page) ShownTexts(ctx context.Context) (all ShownTexts, err error) {
	for _, answer := range sendToOrigins[ShownTexts](ctx, p, "shownTexts") {
		one, err := answer.Wait(ctx)
		if err != nil {
			return all, err
		}
		all.Secret = all.Secret || one.Secret
		all.Names = append(all.Names, one.Names...)
	}
	return all, nil
}
