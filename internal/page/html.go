package page

import (
	"context"

	"chela/internal/frame"
)

// HTML returns the document of the main frame as it is now, as HTML: with what is in its shadow
// roots and in frames of its own origin, in the places where that is shown (flatten.js). It is
// cut after most UTF-16 code units, or one less to keep a character whole.
//
// The page script is in a world of its own, so a page that forbids scripts is read all the same.
// The error is ErrBusy, or why the turn ended.
func (p *Page) HTML(ctx context.Context, most int) (html string, cut bool, err error) {
	p.readable(ctx)
	w, err := p.worldOf(ctx, p.main())
	if err != nil {
		return "", false, err
	}
	type flat struct {
		HTML     string
		Cut      bool
		Suspects int
	}
	is, err := frame.Call[flat](ctx, w, "flatten", most)
	if err == nil && is.Suspects > 0 {
		if err = openClosedRoots(ctx, w, is.Suspects); err == nil {
			is, err = frame.Call[flat](ctx, w, "flatten", most)
		}
	}
	return is.HTML, is.Cut, err
}
