package page

import (
	"slices"

	"chela/internal/engine/frame"
	"chela/internal/reading/snapshot"
	"chela/internal/wall/excerpt"
)

// A showing records what the whole page showed at one moment.
type showing struct {
	tree    *snapshot.Frame
	url     string
	of      *frame.World    // world of the main frame at that moment
	allRefs bool            // tree has lines and refs that only a snapshot with refs=all has
	hidden  string          // View.Hidden when tree was read
	unshown bool            // the caller has not been shown all of it: it was read only to compare with
	lines   []snapshot.Line // the lines of tree, see print; nil if no delta has needed them
}

// showingNow returns the showing of a tree of the whole page that has just been read with a view. It
// is called before the tree is printed, since printing takes time in which the page may navigate.
func (p *Page) showingNow(tree *snapshot.Frame, v View) showing {
	p.mu.Lock()
	defer p.mu.Unlock()
	return showing{tree: tree, url: p.main().Address(), of: p.main().World, allRefs: v.AllRefs, hidden: v.Hidden}
}

// print writes the tree as lines, for a comparison, and keeps them in s.lines. All lines are
// printed with Options.KeepRepeats, so that no line depends on others. In an ordinary snapshot, a
// line may be left out or changed because of another one.
func (s *showing) print() snapshot.Snapshot {
	text := snapshot.Render(s.tree, snapshot.Options{KeepRepeats: true, AllRefs: s.allRefs})
	s.lines = text.Lines
	return text
}

// Applications show several views in one document, such as an inbox and a list of labels. A change
// from one to the other is a delta of all their lines. If the view was shown before, the delta to
// that showing is short. Refs are carried over to the elements of a view that comes back.
const (
	maxShown     = 4         // earlier views of a document that are kept
	maxShownSize = 256 << 10 // bytes of the lines of a view that is kept
	otherView    = 600       // in UTF-16 units; if a delta is longer, the page is taken to show another view than before
)

// compareShown compares the page with its earlier showings of the same address. The parameter last
// is the delta to the last showing. If the shortest delta to an earlier showing is less than half
// as long, compareShown returns it with the index of that showing. Otherwise it returns last and
// -1.
func compareShown(shown []showing, now showing, last snapshot.Delta, given snapshot.Given, maxChars int) (snapshot.Delta, int) {
	best, at := last, -1
	limit := excerpt.Units(last.Text) / 2
	for i := range shown {
		s := &shown[i]
		if s.url != now.url || s.allRefs != now.allRefs || s.hidden != now.hidden {
			continue
		}
		if s.lines == nil {
			s.print()
		}
		d := snapshot.Compare(s.lines, now.lines, given, maxChars)
		if size := excerpt.Units(d.Text); size < limit && !d.Truncated {
			best, at, limit = d, i, size
		}
	}
	switch {
	case at < 0:
	case best.Text == "":
		best.Text = "(this view was shown before, and reads as it did then)"
	default:
		best.Text = "(compared with this view as it was shown before)\n" + best.Text
	}
	return best, at
}

// showLocked keeps a showing as the last snapshot of the whole page. The parameter isOther says
// that it is another view than the one before. If the caller was shown that one, it is then kept.
// Views of other documents are forgotten.
func (r *reader) showLocked(now showing, isOther bool) {
	before := r.showing
	r.showing = now
	switch was := before.tree.Document(); {
	case was == "" || was != now.tree.Document():
		r.shown = nil
	case isOther && !before.unshown && len(before.tree.Walk.Lines) <= maxShownSize:
		r.shown = append(slices.Clone(r.shown[max(0, len(r.shown)+1-maxShown):]), before)
	}
}
