package page

import (
	"context"
	"fmt"

	"chela/internal/engine/frame"
)

// A SelectorError says that a text is not a CSS selector.
type SelectorError struct {
	Selector string
	Reason   string // text of the exception that the page threw, or ""
}

func (e *SelectorError) Error() string {
	if e.Reason == "" {
		return fmt.Sprintf("%q is not a CSS selector", e.Selector)
	}
	return fmt.Sprintf("%q is not a CSS selector: %s", e.Selector, e.Reason)
}

// A NoMatchError says that no element matches a CSS selector.
type NoMatchError struct {
	Selector string
	Iframe   bool // the selector had to match an iframe
}

func (e *NoMatchError) Error() string { return fmt.Sprintf("no element matches %q", e.Selector) }

// Match finds the first element that a CSS selector matches in the main frame. If there is none,
// the error is a [SelectorError] or a [NoMatchError].
func (p *Page) Match(ctx context.Context, selector string) (*Element, error) {
	w, err := p.worldOf(ctx, p.main())
	if err != nil {
		return nil, err
	}
	n, err := frame.Call[int](ctx, w, "find", selector)
	switch {
	case err != nil:
		return nil, err
	case n < 0:
		return nil, &SelectorError{Selector: selector}
	case n == 0:
		return nil, &NoMatchError{Selector: selector}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.main().Refs.Add(n, p.main().Loader)
	r := Ref{Number: n}
	return &Element{page: p, frame: p.main(), ref: r, given: r}, nil
}

// selectorAround returns a CSS selector for the smallest element around the elements of two refs.
// It returns "" for elements in a child frame, and if the page does not answer.
func (p *Page) selectorAround(ctx context.Context, first, last string) string {
	a, _ := ParseRef(first)
	b, _ := ParseRef(last)
	if a.Number == 0 || b.Number == 0 || a.Frame != 0 || b.Frame != 0 {
		return ""
	}
	w, err := p.worldOf(ctx, p.main())
	if err != nil {
		return ""
	}
	selector, _ := frame.Call[string](ctx, w, "selectorAround", a.Number, b.Number)
	return selector
}

// checkSelector has the page parse a CSS selector, and returns a [SelectorError] if it is invalid.
// An empty text means that there is no selector, and is no error.
func (p *Page) checkSelector(ctx context.Context, selector string) error {
	if selector == "" {
		return nil
	}
	w, err := p.worldOf(ctx, p.main())
	if err != nil {
		return err
	}
	wrong, err := frame.Call[string](ctx, w, "selectorError", selector)
	if err == nil && wrong != "" {
		return &SelectorError{selector, wrong}
	}
	return err
}
