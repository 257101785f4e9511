package api

import (
	"cmp"
	"context"

	"chela/internal/api/call"
	"chela/internal/api/words"
	"chela/internal/base/hidden"
	"chela/internal/engine/page"
	"chela/internal/op"
)

// A pageTextRequest reads the page as plain text, without refs. A maxChars out of range is an error
// even in the query of a GET request, as in OpenClaw. Other wrong values in a query are mostly
// ignored.
type pageTextRequest struct {
	call.On
	op.Timeout
	call.Seeing
	Selector string `json:"selector,omitempty" doc:"only the first element that this CSS selector matches; when left out the page's article, else its main part, else all of it" tool:"-"`
	MaxChars *int   `json:"maxChars,omitempty" min:"1" max:"40000" strict:"true" doc:"characters to show; 40000 when left out" tool:"-"`
}

// pageText is the text that a page shows.
type pageText struct {
	Shown     op.PageText `json:"text" doc:"the text" tool:"document"`
	Truncated bool        `json:"truncated" doc:"the text was cut"`
	leftOut
}

// Note tells a model that the text was cut, with OpenClaw's text, or that it may lack something.
func (p pageText) Note() string {
	return words.Lines(words.If(p.Truncated, "Page text was truncated. Retry with a narrower selector."), p.unopened())
}

// Text returns the text of the page. If it is not the whole text, a note before it says so. If hidden text
// was left out, a line at the end says how much.
func (p pageText) Text() string {
	text := string(p.Shown)
	if note := p.Note(); note != "" {
		text = note + "\n" + text
	}
	if p.Hidden != nil {
		text = words.Lines(text, p.Hidden.Note())
	}
	return text
}

// AfterDialog says how to get the text. OpenClaw's tool passes on nothing but the text of this
// answer, so models would take an empty text for an empty page.
func (p pageText) AfterDialog(page.Dialog) string {
	if p.Shown != "" {
		return ""
	}
	return "answer the dialog, then call again"
}

// readText returns the text of a page without invisible characters, like a snapshot. These are
// removed after the text was cut at maxChars, so the answer may be shorter than that. MaxChars
// counts UTF-16 code units, as scripts do. Errors are a [page.SelectorError], a [page.NoMatchError],
// [page.ErrBusy] and that of refusePDF.
func readText(ctx context.Context, t *call.Turn, r pageTextRequest) (pageText, error) {
	most := defaultChars
	if r.MaxChars != nil {
		most = *r.MaxChars
	}
	shown, err := t.Page.Text(ctx, r.Selector, t.Hidden(r.Seeing), most)
	if err := cmp.Or(err, refusePDF(shown)); err != nil {
		return pageText{}, err
	}
	return pageText{op.PageText(hidden.Shown(shown.Text)), shown.Cut, leftOut{op.OrNull(shown.Unseen), shown.Unopened}}, nil
}
