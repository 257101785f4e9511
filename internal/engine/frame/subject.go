package frame

import "context"

// A Subject describes the element that a call of the page script acts on, see subject.js. If keys
// are sent, that is the element with the focus.
type Subject struct {
	Role, Name string
	Box        struct{ X, Y, Width, Height float64 } // in CSS pixels of the frame's viewport
	Text       bool                                  // the element is a field for text
	Secret     bool                                  // the field holds a secret: its type or autocomplete attribute says so, or chela has entered one; also true for an iframe
	Names      []string                              // name and id of the field; empty if it has none
}

type subjectKey struct{}

// A subjectWish is what [Describe] stores in a context.
type subjectWish struct {
	number int // the element's number in the page script; 0: the element with the focus
	report func(Subject)
}

// Describe returns a context for calls that also describe an element of their document, by its
// number in the page script. The number 0 stands for the element with the focus. When a call has its
// answer, report is called with the description, in the goroutine that waits for the answer. It is
// not called if there is no such element.
func Describe(ctx context.Context, number int, report func(Subject)) context.Context {
	return context.WithValue(ctx, subjectKey{}, subjectWish{number, report})
}

// subjectOf returns the number of the element that calls with ctx are to describe; nil if they
// describe none.
func subjectOf(ctx context.Context) any {
	if wish, ok := ctx.Value(subjectKey{}).(subjectWish); ok {
		return wish.number
	}
	return nil
}

func reportSubject(ctx context.Context, s *Subject) {
	if wish, ok := ctx.Value(subjectKey{}).(subjectWish); ok && s != nil {
		wish.report(*s)
	}
}
