package page

import (
	"context"
	"slices"

	"chela/internal/reading/snapshot"
	"chela/internal/wall/excerpt"
)

// A NoBase says why a page cannot be compared with an earlier reading. It is "" if it can.
type NoBase string

const (
	NotRead       NoBase = "no earlier reading to compare" // only a reading of the whole page counts
	OtherDocument NoBase = "another document"
)

// Delta reads the page, and returns what has changed since the session's last snapshot of the whole
// page, in at most maxChars UTF-16 units. For the session, see ReadBy. The page may now show another
// view, such as another panel of an application. If an earlier snapshot shows this view, the page is
// compared with that snapshot (see compareShown). Lines in the parameter given, which the caller has,
// are left out. If there is nothing to compare with, Delta returns the reason, as a [NoBase]. The
// new reading then counts as the last snapshot.
//
// Printing and comparing take long in a large page, so mu is not held meanwhile, as in render.
//
// The parameter hidden is explained at [View]. The page is read with the value that the last
// snapshot had, otherwise the two could not be compared. If the last snapshot showed hidden text
// and this one must not, the result is NotRead.
func (p *Page) Delta(ctx context.Context, hidden string, given snapshot.Given, maxChars int) (snapshot.Delta, NoBase, error) {
	p.mu.Lock()
	reader := p.lastSnapshot.readerLocked(ctx)
	last, shown := reader.showing, slices.Clone(reader.shown)
	p.mu.Unlock()
	if hidden != "" && last.hidden == "" {
		return snapshot.Delta{}, NotRead, nil
	}
	// The page is read with the refs of the last snapshot. Otherwise lines that only refs=all shows
	// would count as gone.
	view := View{Options: snapshot.Options{AllRefs: last.allRefs}, Hidden: last.hidden}
	tree, err := p.readTree(ctx, view)
	if err != nil {
		return snapshot.Delta{}, "", err
	}
	switch was := last.tree.Document(); {
	case was == "":
		return snapshot.Delta{}, NotRead, nil
	case was != tree.Document():
		return snapshot.Delta{}, OtherDocument, nil
	}
	if last.lines == nil {
		last.print()
	}
	now := p.showingNow(tree, view)
	text := now.print()
	delta, again := snapshot.Compare(last.lines, now.lines, given, maxChars), -1
	isOther := excerpt.Units(delta.Text) > otherView
	if isOther {
		delta, again = compareShown(shown, now, delta, given, maxChars)
	}
	if now.unshown = last.unshown && again < 0; again >= 0 {
		shown = slices.Delete(shown, again, again+1)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lastSnapshot.keepLocked(reader)
	reader.shown = shown
	reader.showLocked(now, isOther)
	p.lastSnapshot.refs, p.lastSnapshot.world = text.Refs, now.of
	return delta, "", nil
}

// ReadBefore reads the page before an act, so that Delta can say what the act has changed. It does
// nothing if the session has a snapshot of the whole document already. If the page cannot be read,
// Delta returns NotRead. The
// parameter hidden is explained at [View].
func (p *Page) ReadBefore(ctx context.Context, hidden string) {
	p.mu.Lock()
	reader := p.lastSnapshot.readerLocked(ctx)
	isRead := reader.of != nil && reader.of == p.main().World
	p.mu.Unlock()
	if isRead {
		return
	}
	view := View{Hidden: hidden}
	tree, err := p.readTree(ctx, view)
	if err != nil {
		return
	}
	now := p.showingNow(tree, view)
	now.unshown = true
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lastSnapshot.keepLocked(reader)
	reader.showLocked(now, false)
}
