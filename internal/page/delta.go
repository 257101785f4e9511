package page

import (
	"context"

	"chela/internal/snapshot"
)

// Delta returns what has changed since the last snapshot of the whole page;
// false if there is none of this document. Like render it holds mu only to
// read and to change what is remembered.
func (p *Page) Delta(ctx context.Context, maxChars int) (snapshot.Delta, bool, error) {
	p.readable(ctx)
	tree, err := p.read(ctx, p.main(), View{})
	if err != nil {
		return snapshot.Delta{}, false, err
	}
	p.mu.Lock()
	before, was := p.lastSnapshot.tree, p.lastSnapshot.lines
	p.mu.Unlock()
	if before == nil || before.Walk == nil || before.Walk.Doc != tree.Walk.Doc {
		return snapshot.Delta{}, false, nil
	}
	if was == nil {
		was = snapshot.Render(before, snapshot.Options{Apart: true}).Lines
	}
	now := snapshot.Render(tree, snapshot.Options{Apart: true})
	delta := snapshot.Compare(was, now.Lines, maxChars)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lastSnapshot.tree, p.lastSnapshot.lines = tree, now.Lines
	p.lastSnapshot.refs, p.lastSnapshot.world = now.Refs, p.main().world
	return delta, true, nil
}
