package page

import (
	"context"
	"maps"
	"slices"
	"strconv"

	"chela/internal/engine/frame"
	"chela/internal/reading/snapshot"
)

// A lastSnapshot has what later calls need of the snapshots that were taken of a page. Only turns
// change it, one at a time. The page's mu guards it from calls that read it during a turn.
type lastSnapshot struct {
	refs    map[string]snapshot.Ref // refs of the last snapshot and of later finds; the map is replaced, never changed
	world   *frame.World            // world of the main frame when the last snapshot was taken
	ax      map[int]axNode          // nodes of the last aria snapshots, by the number in the ref
	readers []*reader               // at most maxReaders, the one that read last at the end
}

// A reader has what the callers of one session were shown of a page. Several sessions may use one
// tab. What one of them has read must not count as known to another.
type reader struct {
	session string
	showing             // the last snapshot of the whole page
	shown   []showing   // other views of the same document, the latest last; the list is replaced, never changed
	kinds   []shownRefs // refs that snapshots have shown; the kind of the last snapshot is the last
}

// maxReaders limits for how many sessions a page keeps what they were shown.
const maxReaders = 4

type readerKey struct{}

// ReadBy returns a context for calls of a session. What they read is compared with what calls of the
// same session were shown before.
func ReadBy(ctx context.Context, session string) context.Context {
	return context.WithValue(ctx, readerKey{}, session)
}

// readerLocked returns the reader of a call: a new one if the page keeps none for the session. It stays as
// it is until keepLocked.
func (l *lastSnapshot) readerLocked(ctx context.Context) *reader {
	session, _ := ctx.Value(readerKey{}).(string)
	i := slices.IndexFunc(l.readers, func(r *reader) bool { return r.session == session })
	if i < 0 {
		return &reader{session: session}
	}
	return l.readers[i]
}

// keepLocked keeps the reader of a call that has read the page. It drops the reader that has not read for
// the longest time, if there are too many.
func (l *lastSnapshot) keepLocked(r *reader) {
	l.readers = append(slices.DeleteFunc(l.readers, func(other *reader) bool { return other == r }), r)
	l.readers = slices.Delete(l.readers, 0, max(0, len(l.readers)-maxReaders))
}

// shownRefs are the refs that the snapshots of one kind have shown of a document, see [View.kind].
type shownRefs struct {
	kind     string // result of View.kind
	document string // token of the document, which the page script made
	refs     map[string]bool
}

// These limit what is kept of kinds of snapshots, see [View.kind]. Snapshots with different selectors
// are of different kinds. The kind of the last snapshot is kept whatever its size.
const (
	maxKinds     = 32
	maxKindsRefs = 50_000 // refs of all kinds together
)

// kind returns a key that all snapshots with the same options have. A snapshot is compared with
// earlier ones of its kind, to say which of its elements are new.
func (v View) kind() string {
	b := func(on bool) string { return strconv.FormatBool(on) }
	return b(v.Role) + b(v.Interactive) + b(v.Compact) + b(v.AllRefs) + strconv.Itoa(v.Depth) + v.Purpose + "|" + v.Selector + "|" + v.Frame
}

// render writes a tree as text, and keeps it as the last snapshot. Writing a large page takes long,
// so mu is held only before and after, and events are handled meanwhile.
func (p *Page) render(ctx context.Context, tree *snapshot.Frame, v View) snapshot.Snapshot {
	kind, document, now := v.kind(), tree.Document(), p.showingNow(tree, v)
	p.mu.Lock()
	reader := p.lastSnapshot.readerLocked(ctx)
	before, again := reader.kindLocked(kind)
	last := reader.showing
	p.mu.Unlock()
	if was := last.tree.Document(); v.News && !last.unshown && was != "" && document != "" && was != document {
		v.Known = last.tree
	}
	if again = again && document != "" && before.document == document; again {
		v.Seen = before.refs
	}
	v.SelectorOf = func(first, last string) string { return p.selectorAround(ctx, first, last) }
	s := snapshot.Render(tree, v.Options)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lastSnapshot.keepLocked(reader)
	if !again && !s.IsBlank() { // beside a page without lines, all elements would count as new
		before = shownRefs{kind, document, map[string]bool{}}
	}
	for ref := range s.Refs {
		before.refs[ref] = true
	}
	if before.refs != nil {
		reader.keepKindLocked(before)
	}
	p.lastSnapshot.refs, p.lastSnapshot.world = s.Refs, now.of
	if !v.Scoped {
		reader.showLocked(now, now.url != last.url)
	}
	return s
}

// kindLocked returns the refs that the snapshots of one kind have shown.
func (r *reader) kindLocked(kind string) (shown shownRefs, ok bool) {
	i := slices.IndexFunc(r.kinds, func(k shownRefs) bool { return k.kind == kind })
	if i < 0 {
		return shownRefs{}, false
	}
	return r.kinds[i], true
}

// keepKindLocked keeps what the snapshots of one kind have shown. It drops the oldest kinds that the
// limits leave no room for.
func (r *reader) keepKindLocked(shown shownRefs) {
	r.kinds = append(slices.DeleteFunc(r.kinds, func(k shownRefs) bool { return k.kind == shown.kind }), shown)
	refs, first := 0, len(r.kinds)-1
	for ; first >= 0 && len(r.kinds)-first <= maxKinds; first-- {
		if refs += len(r.kinds[first].refs); refs > maxKindsRefs && first < len(r.kinds)-1 {
			break
		}
	}
	r.kinds = slices.Delete(r.kinds, 0, first+1)
}

// known returns the role and name that the last snapshots gave for a ref.
func (p *Page) known(r Ref) (snapshot.Ref, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.lastSnapshot.refLocked(r)
}

// refLocked returns the role and name that the last snapshots gave for a ref.
func (l *lastSnapshot) refLocked(r Ref) (snapshot.Ref, bool) {
	if r.AX {
		node, ok := l.ax[r.Number]
		return node.ref, ok
	}
	known, ok := l.refs[r.String()]
	return known, ok
}

// noteRefs adds the refs of found elements to those of the last snapshot. A name that has changed since
// replaces the earlier one.
func (p *Page) noteRefs(matches []snapshot.Match) {
	p.mu.Lock()
	defer p.mu.Unlock()
	refs := maps.Clone(p.lastSnapshot.refs) // a copy, since the answer with the last snapshot may still use the map
	if refs == nil {
		refs = map[string]snapshot.Ref{}
	}
	for _, m := range matches {
		if was, known := refs[m.Ref]; !known || was.Name != m.Is.Name {
			refs[m.Ref] = m.Is
		}
	}
	p.lastSnapshot.refs = refs
}

// ShowsLast reports whether the tab still shows the document that the last snapshot shows.
func (p *Page) ShowsLast() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.lastSnapshot.world != nil && p.lastSnapshot.world == p.main().World
}

// HasMoved reports whether the tab shows another address than in the session's last snapshot.
func (p *Page) HasMoved(ctx context.Context) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.lastSnapshot.readerLocked(ctx).url != p.main().Address()
}

// LastRefs returns the refs of the last snapshot, and of what was found since, in no particular
// order.
func (p *Page) LastRefs() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Collect(maps.Keys(p.lastSnapshot.refs))
}
