package page

import (
	"context"

	"chela/internal/engine/frame"
)

// Unused reports whether the tab has been at no address but about:blank, and is on its way to none.
func (p *Page) Unused() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	main := p.main()
	_, leaving := p.navigations[main.ID]
	return main.Address() == Blank && !leaving
}

// Bare reports whether the tab shows nothing: it is unused, and no script has written into its empty document.
// The error is that of a call of the page script.
func (p *Page) Bare(ctx context.Context) (bool, error) {
	w, err := p.worldOf(ctx, p.main())
	if err != nil || !p.Unused() {
		return false, err
	}
	return frame.Call[bool](ctx, w, "isBare")
}
