package frame

import "context"

// A Subject is the element that a call is about, see subject.js.
type Subject struct {
	Role, Name string
	Box        struct{ X, Y, Width, Height float64 } // in CSS pixels of the frame's viewport
	Text       bool                                  // the element is a field for text
	Secret     bool                                  // the element is a field that holds a secret, by its type or its autocomplete attribute
	Names      []string                              // names of the field in its page
}

type subjectKey struct{}

// A subjectWish asks for the subject of calls.
type subjectWish struct {
	number int // the element's number in the page script; 0: what has the focus
	report func(Subject)
}

// Describe returns a context for calls that also describe an element of their document, by its
// number in the page script. The number 0 stands for the element with the focus. When a call has its
// answer, report is called with the description, in the goroutine that waits for the answer. It is
// not called if there is no such element.
func Describe(ctx context.Context, number int, report func(Subject)) context.Context {
	return context.WithValue(ctx, subjectKey{}, subjectWish{number, report})
}

// subjectOf returns the number of the element that calls are to describe; nil: none.
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
