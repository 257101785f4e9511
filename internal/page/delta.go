package page

import (
	"context"

	"chela/internal/snapshot"
)

// Delta reads the page, and returns what has changed since the last snapshot of the
// whole page, in at most maxChars UTF-16 units. It returns false if no snapshot was
// taken of this document: then there is nothing to compare with. What it has read
// counts as the last snapshot from now on.
//
// Lines are compared as they are printed with Options.Apart, in which each stands
// for itself: in an ordinary snapshot, a line may be left out or changed because of
// what another says. Printing and comparing take long in a large page, so mu is not
// held meanwhile, as in render.
func (p *Page) Delta(ctx context.Context, maxChars int) (snapshot.Delta, bool, error) {
	p.readable(ctx)
	p.mu.Lock()
	all := p.lastSnapshot.allRefs // or the lines that only such a snapshot has would count as gone
	p.mu.Unlock()
	tree, err := p.readAlone(ctx, p.main(), View{Options: snapshot.Options{AllRefs: all}})
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
		was = snapshot.Render(before, snapshot.Options{Apart: true, AllRefs: all}).Lines
	}
	now := snapshot.Render(tree, snapshot.Options{Apart: true, AllRefs: all})
	delta := snapshot.Compare(was, now.Lines, maxChars)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lastSnapshot.tree, p.lastSnapshot.lines = tree, now.Lines
	p.lastSnapshot.refs, p.lastSnapshot.world = now.Refs, p.main().World
	return delta, true, nil
}
