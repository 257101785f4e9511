package page

import (
	"context"

	"chela/internal/frame"
)

// Text returns what the main frame's document shows as text, with the line breaks that
// can be seen: of the first element that a CSS selector matches, or without a selector of
// the page's main part (text.js). It is cut after most UTF-16 code units, or one less to
// keep a character whole. Text in iframes is not a part of it.
//
// The error is a [SelectorError], a [NoMatchError], ErrBusy, or why the turn ended.
func (p *Page) Text(ctx context.Context, selector string, most int) (text string, cut bool, err error) {
	p.readable(ctx)
	if err := p.checkSelector(ctx, selector); err != nil {
		return "", false, err
	}
	w, err := p.worldOf(ctx, p.main())
	if err != nil {
		return "", false, err
	}
	shown, err := frame.Call[struct {
		None bool
		Text string
		Cut  bool
	}](ctx, w, "text", selector, most)
	if err == nil && shown.None {
		err = &NoMatchError{Selector: selector}
	}
	return shown.Text, shown.Cut, err
}
