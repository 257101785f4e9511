package page

import (
	"context"

	"chela/internal/engine/frame"
	"chela/internal/engine/inspect"
	"chela/internal/reading/snapshot"
	"chela/internal/wall/excerpt"
	"chela/internal/wall/secret"
)

// A Markup is a page, or an element of it, as HTML or as text.
type Markup struct {
	HTML     string
	Cut      bool            // the page has more
	Unopened bool            // see [Unopened]
	Unseen   snapshot.Unseen // text left out because a person cannot see it
	Type     string          // media type of the document: text/html
	Text     string          // of HTML: the whole text of a document that is plain text, such as JSON; of Text: the text
}

// Unopened says of a reading that closed shadow roots were left out, or may have been. There were too many
// elements that may have one, or too many roots inside each other, or the page keeps adding such elements.
// Roots that were opened stay so for the life of the document, so the next reading goes on from there.
const Unopened = "some elements may have content that was not read"

// flatAnswer is the page script's answer for a Markup, or for a text.
type flatAnswer struct {
	Markup
	None bool // the page has no such element
	unread
}

// unread is the part of an answer that says what the page script could not read.
type unread struct {
	Suspects int  // how many elements may have a closed shadow root
	Bare     bool // a frame has no page script
}

// HTML returns the current document of the main frame as HTML. Shadow roots and same-origin frames
// are included in the places where they are shown (flatten.js). With a CSS selector, the result is
// a document with only the first matching element. The parameter most limits the result, in UTF-16
// code units; a character is not cut in two. For the values of hidden, see the field Hidden of
// [View].
//
// The page script runs in its own world, so a page that forbids scripts can also be read. The error
// is a [SelectorError], a [NoMatchError], ErrBusy, or why the turn ended. It is a [LoadError] if
// the connection ended before there was any content.
func (p *Page) HTML(ctx context.Context, selector, hidden string, most int) (Markup, error) {
	p.awaitReadable(ctx)
	if selector == "" && isStatus(p.loadFailure()) {
		return Markup{}, nil // Chromium shows a page of its own, because the server has sent no content
	}
	if err := p.checkSelector(ctx, selector); err != nil {
		return Markup{}, err
	}
	w, err := p.worldOf(ctx, p.main())
	if err != nil {
		return Markup{}, err
	}
	is, err := p.flattened(ctx, w, func() (flatAnswer, error) {
		return frame.Call[flatAnswer](ctx, w, "flatten", selector, most, hidden, collectTime(ctx))
	})
	switch {
	case err != nil || !is.None:
		return is.Markup, err
	case selector != "":
		return Markup{}, &NoMatchError{Selector: selector}
	case p.Broken(): // the connection broke before the first element came
		return Markup{}, p.loadError(ctx, p.URL())
	}
	return Markup{}, nil // a script has removed the root element
}

// HTML is like [Page.HTML], for an element. The error is a [StaleRefError], ErrBusy, or why the
// turn ended.
func (e *Element) HTML(ctx context.Context, hidden string, most int) (Markup, error) {
	w, err := e.world(ctx)
	if err != nil {
		return Markup{}, err
	}
	is, err := e.page.flattened(ctx, w, func() (flatAnswer, error) {
		return ask[flatAnswer](ctx, e, "flattenElement", most, hidden, collectTime(ctx))
	})
	if err == nil && is.None {
		err = e.stale()
	}
	return is.Markup, err
}

// collectTime returns how many milliseconds the page script may take to collect the HTML of a page:
// half of the remaining time. The other half is for the work after that.
func collectTime(ctx context.Context) int64 { return remaining(ctx).Milliseconds() / 2 }

// flattened calls flatten, which writes an element as HTML or as text, until all content can be read.
func (p *Page) flattened(ctx context.Context, w *frame.World, flatten func() (flatAnswer, error)) (is flatAnswer, err error) {
	whole, err := p.makeReadable(ctx, w, func(bool, bool) (unread, error) {
		is, err = flatten()
		return is.unread, err
	})
	is.Unopened = !whole
	return is, err
}

// makeReadable calls the function read, in which the page script reads a document. If some content could not
// be read, makeReadable makes it readable and calls read again, with last set the last time. This is needed
// for closed shadow roots, and for frames of a page that is shown for one call only (Settings.Ephemeral).
//
// The value whole says that no closed root has been left out, except of elements that the page has added
// meanwhile. A page may do so all the time. It is for read with last set, and is returned.
func (p *Page) makeReadable(ctx context.Context, w *frame.World, read func(last, whole bool) (unread, error)) (whole bool, err error) {
	for round := 0; ; round++ {
		last := round == inspect.MaxRounds
		rest, err := read(last, whole)
		if err != nil || last || rest == (unread{}) {
			return whole || rest.Suspects == 0, err
		}
		if rest.Bare {
			p.provideScript(w)
		}
		if whole, err = inspect.OpenClosedRoots(ctx, w, rest.Suspects); err != nil {
			return false, err
		}
	}
}

// provideScript loads the page script into all frames of the process that w is in. The page script
// in w reads the documents of these frames, and needs the page script there.
func (p *Page) provideScript(w *frame.World) {
	for _, inner := range p.worlds(func(f *frame.Frame) *frame.World { return f.World }) {
		if inner.Session == w.Session {
			inner.Provide()
		}
	}
}

// Text returns the visible text of the main frame's document, with line breaks where they can be
// seen. With a CSS selector, it is the text of the first element that matches. Without one, it is
// the text of the page's main part (text.js). The parameter most limits it, in UTF-16 code units; a
// character is not cut in two. Text in iframes is left out. The parameter hidden is explained at
// [View]; Unseen counts the text that is left out because of it. The result has no HTML.
func (p *Page) Text(ctx context.Context, selector, hidden string, most int) (Markup, error) {
	p.awaitReadable(ctx)
	if err := p.checkSelector(ctx, selector); err != nil {
		return Markup{}, err
	}
	w, err := p.worldOf(ctx, p.main())
	if err != nil {
		return Markup{}, err
	}
	shown, err := p.flattened(ctx, w, func() (flatAnswer, error) {
		return frame.Call[flatAnswer](ctx, w, "text", selector, most+secret.Longest(), hidden)
	})
	if err == nil && shown.None {
		err = &NoMatchError{Selector: selector}
	}
	text, rest := excerpt.FirstUnits(shown.Text, most)
	shown.Text, shown.Cut = text, shown.Cut || rest > 0
	return shown.Markup, err
}
