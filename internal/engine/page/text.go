package page

import (
	"context"

	"chela/internal/engine/frame"
	"chela/internal/reading/snapshot"
)

// Text returns the page text of the main frame's document, with the line breaks that can be seen.
// It is the text of the first element that a CSS selector matches. Without a selector it is the
// text of the page's main part (text.js). It is cut after most UTF-16 code units, or one less to
// keep a character whole. It leaves out text in iframes. For hidden see [View]; text that it leaves
// out is counted in unseen.
//
// The error is a [SelectorError], a [NoMatchError], ErrBusy, or why the turn ended.
func (p *Page) Text(ctx context.Context, selector, hidden string, most int) (text string, cut bool, unseen snapshot.Unseen, err error) {
	p.readable(ctx)
	if err := p.checkSelector(ctx, selector); err != nil {
		return "", false, unseen, err
	}
	w, err := p.worldOf(ctx, p.main())
	if err != nil {
		return "", false, unseen, err
	}
	shown, err := frame.Call[struct {
		None   bool
		Text   string
		Cut    bool
		Unseen snapshot.Unseen
	}](ctx, w, "text", selector, most, hidden)
	if err == nil && shown.None {
		err = &NoMatchError{Selector: selector}
	}
	return shown.Text, shown.Cut, shown.Unseen, err
}
