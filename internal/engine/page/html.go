package page

import (
	"context"

	"chela/internal/engine/frame"
	"chela/internal/reading/snapshot"
)

// A Markup is a page, or an element of it, as HTML.
type Markup struct {
	HTML   string
	Cut    bool            // there was more
	Unseen snapshot.Unseen // text that was left out because a person cannot see it
	Type   string          // media type of the document: text/html
	Text   string          // all of a document that is a text, such as JSON
}

// flat is what the page script answers for a Markup.
type flat struct {
	Markup
	None     bool // there is no such element
	Suspects int  // elements that may have a closed shadow root
	Bare     bool // a frame has no page script
}

// HTML returns the document of the main frame as it is now, as HTML: with what is in its shadow
// roots and in frames of its own origin, in the places where that is shown (flatten.js). With a CSS
// selector it is a document that has only the first element that this matches. It is
// cut after most UTF-16 code units, or one less to keep a character whole. hidden is that of a [View];
// what is not rendered is left out with it, too.
//
// The page script is in a world of its own, so a page that forbids scripts is read all the same.
// The error is a [SelectorError], a [NoMatchError], a [LoadError] if the connection ended before there was anything, ErrBusy, or why the turn ended.
func (p *Page) HTML(ctx context.Context, selector, hidden string, most int) (Markup, error) {
	p.readable(ctx)
	if selector == "" && isStatus(p.loadFailure()) {
		return Markup{}, nil // the page is Chromium's, which says that the server has sent none
	}
	if err := p.checkSelector(ctx, selector); err != nil {
		return Markup{}, err
	}
	w, err := p.worldOf(ctx, p.main())
	if err != nil {
		return Markup{}, err
	}
	is, err := p.flattened(ctx, w, func() (flat, error) {
		return frame.Call[flat](ctx, w, "flatten", selector, most, hidden, collectTime(ctx))
	})
	switch {
	case err != nil || !is.None:
		return is.Markup, err
	case selector != "":
		return Markup{}, &NoMatchError{Selector: selector}
	case p.Broken(): // before the first element
		return Markup{}, p.loadError(ctx, p.URL())
	}
	return Markup{}, nil // a script has removed the root
}

// HTML is [Page.HTML] for an element. The error is a [StaleRefError], ErrBusy, or why the turn ended.
func (e *Element) HTML(ctx context.Context, hidden string, most int) (Markup, error) {
	w, err := e.world(ctx)
	if err != nil {
		return Markup{}, err
	}
	is, err := e.page.flattened(ctx, w, func() (flat, error) { return ask[flat](ctx, e, "flattenElement", most, hidden, collectTime(ctx)) })
	if err == nil && is.None {
		err = e.stale()
	}
	return is.Markup, err
}

// collectTime is how many milliseconds the page script may take to put together the HTML of a large page. As much is left for what
// comes after.
func collectTime(ctx context.Context) int64 { return remaining(ctx).Milliseconds() / 2 }

// flattened has an element flattened, and again when it has something that can be read only then: what
// is in closed shadow roots, and in frames of a page that is shown for one call only (Settings.Fleeting).
func (p *Page) flattened(ctx context.Context, w *frame.World, flatten func() (flat, error)) (flat, error) {
	is, err := flatten()
	if err == nil && is.Bare {
		p.provideInner(w)
		is, err = flatten()
	}
	if err != nil || is.Suspects == 0 {
		return is, err
	}
	if err := openClosedRoots(ctx, w, is.Suspects); err != nil {
		return is, err
	}
	return flatten()
}

// provideInner gives the page script to the frames in a process, whose documents are read from that of
// another frame.
func (p *Page) provideInner(w *frame.World) {
	for _, inner := range p.worlds(func(f *frame.Frame) *frame.World { return f.World }) {
		if inner.Session == w.Session {
			inner.Provide()
		}
	}
}
