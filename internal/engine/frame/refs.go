package frame

import (
	"cmp"
	"context"
)

type elementRefsKey struct{}

// ElementRefs returns a context for calls in which a ref means only the element that it was given
// to. In calls without ElementRefs, the ref of an element that the page has replaced means the new
// element that stands for it (see carry.js).
func ElementRefs(ctx context.Context) context.Context {
	return context.WithValue(ctx, elementRefsKey{}, true)
}

func carriesRefs(ctx context.Context) bool { return ctx.Value(elementRefsKey{}) == nil }

// Refs records which numbers the page script has given to elements of a frame. A number is given
// only once in a frame, whatever documents it shows: each call tells the page script to count on
// from Highest. So a ref of a replaced document never means an element of another document.
type Refs struct {
	Frame   int // number of the frame, as in f2e5; 0 for the main frame, and until the frame has one
	Owner   int // ref number of the frame's iframe element in the parent's document; 0: nobody has asked for it yet
	Highest int // the highest number that was ever given

	ranges []refRange
}

// A refRange is a range of numbers that were given in one document of a frame. A document that
// comes back from the history has several ranges.
type refRange struct {
	document string // the document's token, which the page script made; "" if it was not walked yet
	loader   string
	from, to int
}

// maxRanges limits how many ranges of a frame are kept.
const maxRanges = 32

// AddWalk records the highest number that a walk has given. A walk is one pass of the page script
// over the elements of a document.
func (r *Refs) AddWalk(document, loader string, highest int) {
	from := r.Highest + 1
	r.Highest = max(r.Highest, highest)
	if last := len(r.ranges) - 1; last >= 0 && r.ranges[last].isOf(document, loader) {
		r.ranges[last].document = cmp.Or(document, r.ranges[last].document)
		r.ranges[last].to = r.Highest
		return
	}
	kept := r.ranges[max(0, len(r.ranges)-maxRanges+1):]
	r.ranges = append(kept, refRange{document, loader, from, r.Highest})
}

// Add records a number that was given between walks, in the document that came with a loader. That
// document may never have been walked.
func (r *Refs) Add(n int, loader string) { r.AddWalk("", loader, n) }

// isOf reports whether the numbers were given in a document. If the token of either is not known, the
// loader decides.
func (r refRange) isOf(document, loader string) bool {
	if r.document == "" || document == "" {
		return r.loader == loader
	}
	return r.document == document
}

// Replaced reports whether a number was given in another document than the one with this loader,
// which the frame shows now. A number below all known ranges was given in an earlier page of the
// tab, or in a document whose range is no longer kept.
func (r *Refs) Replaced(n int, loader string) bool {
	for i, each := range r.ranges {
		if each.from <= n && n <= each.to {
			return i < len(r.ranges)-1 || each.loader != loader
		}
	}
	return len(r.ranges) == 0 || n < r.ranges[0].from
}
