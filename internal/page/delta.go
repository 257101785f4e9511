package page

import (
	"context"

	"chela/internal/snapshot"
)

// Delta returns what has changed since the last snapshot of the whole page;
// false if there is none of this document.
func (p *Page) Delta(ctx context.Context, maxChars int) (snapshot.Delta, bool, error) {
	p.readable(ctx)
	tree, err := p.read(ctx, p.main(), View{})
	if err != nil {
		return snapshot.Delta{}, false, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	before := p.shown.tree
	if before == nil || before.Walk == nil || before.Walk.Doc != tree.Walk.Doc {
		return snapshot.Delta{}, false, nil
	}
	now := snapshot.Render(tree, snapshot.Options{})
	p.shown.tree, p.shown.refs = tree, now.Refs
	was := snapshot.Render(before, snapshot.Options{})
	return snapshot.Compare(was.Lines, now.Lines, maxChars), true, nil
}
