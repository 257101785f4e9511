package api

import (
	"context"

	"chela/internal/extract"
	"chela/internal/page"
)

// maxContent is how much of a document is read to find its content, in UTF-16 code units.
const maxContent = 8_000_000

// contentOf finds the main content of what a page shows now. Errors are those of [page.Page.HTML].
func contentOf(ctx context.Context, p *page.Page) (*extract.Page, error) {
	html, cut, err := p.HTML(ctx, maxContent)
	if err != nil {
		return nil, err
	}
	content := extract.Extract(extract.Input{HTML: html, Address: p.URL()})
	content.Cut = content.Cut || cut
	return content, nil
}
