package page

import (
	"fmt"
	"strconv"
	"strings"

	"chela/internal/op"
	"chela/internal/snapshot"
)

// A Ref names an element: e12, f2e5 in a child frame, ax7 of an aria snapshot.
type Ref struct {
	Frame, Number int
	AX            bool
}

// ParseRef reads a ref in any of the forms that people and models write: e12,
// f2e5, ax7, @e12, ref=e12, 12.
func ParseRef(s string) (Ref, bool) {
	s = strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(s), "@"), "ref=")
	if n, ok := number(s); ok {
		return Ref{Number: n}, true
	}
	if rest, ok := strings.CutPrefix(s, "ax"); ok {
		n, ok := number(rest)
		return Ref{Number: n, AX: true}, ok
	}
	frame, n, ok := strings.Cut(s, "e")
	if !ok {
		return Ref{}, false
	}
	r := Ref{}
	if r.Number, ok = number(n); !ok || frame == "" {
		return r, ok
	}
	frame, ok = strings.CutPrefix(frame, "f")
	if ok {
		r.Frame, ok = number(frame)
	}
	return r, ok
}

func number(s string) (int, bool) {
	n, err := strconv.Atoi(s)
	return n, err == nil && n > 0 && s[0] != '+'
}

func (r Ref) String() string {
	switch {
	case r.AX:
		return "ax" + strconv.Itoa(r.Number)
	case r.Frame > 0:
		return "f" + strconv.Itoa(r.Frame) + "e" + strconv.Itoa(r.Number)
	}
	return "e" + strconv.Itoa(r.Number)
}

// shown remembers what the last snapshots showed.
type shown struct {
	refs  map[string]snapshot.Ref // of the last one, and what was found since
	world *world                  // of the main frame, when the last one was taken
	ax    map[int]axNode          // of the last aria snapshot
	tree  *snapshot.Frame         // the last of the whole page
	lines []snapshot.Line         // of tree, if they were printed for a delta
	kinds map[string]shownBefore  // by kind of snapshot, for what is new
}

// unknownRef says that a ref was never given.
func unknownRef(ref string) error {
	return op.Errorf(op.UnknownRef, "Unknown ref %q. Run a new snapshot and use a ref from that snapshot.", ref).
		Hinted("take a new snapshot")
}

// stale says what a ref's element was and why it is gone.
func (e *Element) stale() error {
	e.page.mu.Lock()
	defer e.page.mu.Unlock()
	was := ""
	if known, ok := e.page.shown.whatLocked(e.given); ok {
		was = fmt.Sprintf(" (%s %q)", known.Role, known.Name)
	}
	return op.Errorf(op.StaleRef, "Element %q%s is gone: %s.", e.given, was, e.fateLocked()).
		Hinted("take a new snapshot and use a ref from it")
}

// whatLocked returns what the last snapshots said of a ref.
func (s *shown) whatLocked(r Ref) (snapshot.Ref, bool) {
	if r.AX {
		node, ok := s.ax[r.Number]
		return node.is, ok
	}
	known, ok := s.refs[r.String()]
	return known, ok
}

// fateLocked says why the element is gone.
func (e *Element) fateLocked() string {
	f := e.frame
	switch {
	case e.page.frames[f.id] != f:
		return "its frame was removed from the page"
	case f.crashed:
		return "its frame crashed"
	case e.given.AX && e.page.shown.ax[e.given.Number].loader != f.loader:
		return replacedBy(f)
	}
	for i, d := range f.documents {
		if d.from <= e.ref.Number && e.ref.Number <= d.to && (i < len(f.documents)-1 || d.loader != f.loader) {
			return replacedBy(f)
		}
	}
	return "the page has removed it"
}

func replacedBy(f *frame) string { return "the page it was on has been replaced by " + f.address() }
