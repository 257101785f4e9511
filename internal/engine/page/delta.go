package page

import (
	"context"

	"chela/internal/reading/snapshot"
)

// A NoBase says why a page cannot be compared with an earlier reading. It is "" if it can.
type NoBase string

const (
	NotRead       NoBase = "no earlier reading to compare" // a reading of the whole page: results of Find, or of a selector, do not count
	OtherDocument NoBase = "another document"
)

// Delta reads the page, and returns what has changed since the last snapshot of the whole page, in
// at most maxChars UTF-16 units. It leaves out the lines of the parameter given, which the caller
// already has. If there is nothing to compare with, it returns the reason, as a [NoBase]. The new
// reading then counts as the last snapshot.
//
// Both readings are printed with Options.KeepRepeats, so that no line depends on others. In an
// ordinary snapshot, a line may be left out or changed because of another one. Printing and
// comparing take long in a large page, so mu is not held meanwhile, as in render.
//
// The parameter hidden is explained at [View]. The page is read with the value that the last
// snapshot had, otherwise the two could not be compared. If the last snapshot showed hidden text
// and this one must not, the result is NotRead.
func (p *Page) Delta(ctx context.Context, hidden string, given snapshot.Given, maxChars int) (snapshot.Delta, NoBase, error) {
	p.awaitReadable(ctx)
	p.mu.Lock()
	before, was, last := p.lastSnapshot.tree, p.lastSnapshot.lines, p.lastSnapshot.hidden
	all := p.lastSnapshot.allRefs // the page is read with the refs of the last snapshot; otherwise lines that only refs=all shows would count as gone
	p.mu.Unlock()
	if hidden != "" && last == "" {
		return snapshot.Delta{}, NotRead, nil
	}
	tree, err := p.readAlone(ctx, p.main(), View{Options: snapshot.Options{AllRefs: all}, Hidden: last})
	if err != nil {
		return snapshot.Delta{}, "", err
	}
	switch {
	case before == nil || before.Walk == nil:
		return snapshot.Delta{}, NotRead, nil
	case before.Walk.Doc != tree.Walk.Doc:
		return snapshot.Delta{}, OtherDocument, nil
	}
	if was == nil {
		was = snapshot.Render(before, snapshot.Options{KeepRepeats: true, AllRefs: all}).Lines
	}
	now := snapshot.Render(tree, snapshot.Options{KeepRepeats: true, AllRefs: all})
	delta := snapshot.Compare(was, now.Lines, given, maxChars)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lastSnapshot.tree, p.lastSnapshot.lines = tree, now.Lines
	p.lastSnapshot.refs, p.lastSnapshot.world = now.Refs, p.main().World
	return delta, "", nil
}
