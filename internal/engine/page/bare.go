package page

import (
	"context"

	"chela/internal/engine/frame"
)

// Unused reports whether the tab has been only at about:blank, and is not navigating.
func (p *Page) Unused() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	main := p.main()
	_, leaving := p.navigations[main.ID]
	return main.Address() == Blank && !leaving
}

// Bare reports whether the tab shows nothing: it is unused, and no script has written into its
// empty document. Errors are the same as for a call of the page script.
func (p *Page) Bare(ctx context.Context) (bool, error) {
	w, err := p.worldOf(ctx, p.main())
	if err != nil || !p.Unused() {
		return false, err
	}
	return frame.Call[bool](ctx, w, "isBare")
}
