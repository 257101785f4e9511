package page

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"chela/internal/engine/frame"
	"chela/internal/reading/snapshot"
)

// A Ref names an element: e12, f2e5 in a child frame, ax7 in an aria snapshot.
type Ref struct {
	Frame, Number int  // in f2e5: 2 and 5; Frame is 0 for the main frame
	AX            bool // it is a ref of an aria snapshot
}

// ParseRef parses a ref in any of the forms that people and models write: e12, f2e5, ax7, @e12,
// ref=e12, 12. It returns false if s is not a ref.
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

// An UnknownRefError says that a ref was never given. A ref of an aria
// snapshot is also unknown if its node is not kept any more, or is no node of the DOM.
type UnknownRefError struct{ Ref string }

func (e *UnknownRefError) Error() string { return fmt.Sprintf("nothing is known of the ref %q", e.Ref) }

// A StaleRefError says that the element of a ref is gone.
type StaleRefError struct {
	Ref Ref           // the ref that the caller gave
	Was *snapshot.Ref // the element's role and name in the last snapshots; nil if they did not show it
	Why Fate
	URL string // the URL that the frame shows now

	// Candidates are elements in the same place that look like the one that is gone. The ref was not
	// carried over, because there are or were several of them. The list is empty unless an act has
	// failed.
	//
	// If Moved is true, there is one candidate. It is the only element with the role and name of the
	// one that is gone. The ref was not carried over, because it is in another place, or the words
	// around it have changed.
	Candidates []Ref
	Moved      bool

	of *Element
}

func (e *StaleRefError) Error() string { return fmt.Sprintf("element %s is gone: %s", e.Ref, e.Why) }

// A Fate says how an element was lost.
type Fate string

// The values of [Fate].
const (
	ElementRemoved   Fate = "removed from the document"
	ElementReused    Fate = "shows another item" // only of an act that has failed; else it is ElementRemoved
	DocumentReplaced Fate = "its document was replaced"
	FrameRemoved     Fate = "its frame was removed"
	FrameCrashed     Fate = "its frame crashed"
)

// stale returns the [StaleRefError] of an element that is gone. A call fails as soon as its session
// has ended. The event that says why may have arrived before, so stale waits until it is handled.
func (e *Element) stale() error {
	e.page.Sync(context.Background()) // it ends soon: handling events waits for no reply
	e.page.mu.Lock()
	defer e.page.mu.Unlock()
	stale := &StaleRefError{Ref: e.given, Why: e.fateLocked(), URL: e.frame.Address(), of: e}
	if known, ok := e.page.lastSnapshot.refLocked(e.given); ok {
		stale.Was = &known
	}
	return stale
}

// withCandidates adds to a [StaleRefError] the elements that the ref may mean, and whether its element shows
// another item. If the page does not answer, the error stays as it is.
func (p *Page) withCandidates(ctx context.Context, err error) error {
	stale, ok := errors.AsType[*StaleRefError](err)
	if !ok || stale.Why != ElementRemoved || stale.Ref.AX {
		return err
	}
	if w, failed := stale.of.world(ctx); failed == nil {
		found, _ := frame.Call[struct {
			Refs          []int
			Moved, Reused bool
		}](ctx, w, "candidates", stale.of.ref.Number)
		if found.Reused {
			stale.Why = ElementReused
		}
		for _, n := range found.Refs {
			stale.Candidates, stale.Moved = append(stale.Candidates, p.refIn(stale.of.frame, n)), found.Moved
		}
	}
	return err
}

// fateLocked returns why the element is gone.
func (e *Element) fateLocked() Fate {
	f := e.frame
	switch {
	case !e.page.frames.Has(f):
		return FrameRemoved
	case f.Crashed:
		return FrameCrashed
	case e.given.AX && e.page.lastSnapshot.ax[e.given.Number].loader == f.Loader:
		return ElementRemoved
	case e.given.AX, f.Refs.Replaced(e.ref.Number, f.Loader):
		return DocumentReplaced
	}
	return ElementRemoved
}

// UsedRefs returns the refs that the tab has given so far.
func (p *Page) UsedRefs() frame.UsedRefs {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.usedRefsLocked()
}

func (p *Page) usedRefsLocked() frame.UsedRefs { return p.frames.UsedRefs() }

// ContinueRefs has the page give refs that were not used before in its tab.
func (p *Page) ContinueRefs(used frame.UsedRefs) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.frames.Continue(used)
	p.reportCarriedOverLocked()
}

// refPrefix returns what refs in the frame begin with: "" in the main frame, f and the frame's
// number in another. A frame gets its number when it is first read.
func (p *Page) refPrefix(f *frame.Frame) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if f.Parent == nil {
		return ""
	}
	return "f" + strconv.Itoa(p.frames.Number(f))
}

// Renamed returns what the element was when it was last read, and what it was when it was clicked. The
// result renamed says whether these are different names. The element is the same, and a toggle changes
// its name as well, so the click goes on. Only buttons, links and the like are known by their names.
func (e *Element) Renamed() (was, is snapshot.Ref, renamed bool) {
	was, known := e.page.known(e.given)
	if !known || e.says == nil {
		return was, is, false
	}
	return was, *e.says, isOtherName(was.Name, e.says.Name)
}

// isOtherName reports whether a name has become another one: at least half of the words of the shorter
// one are not in the other. Numbers change without that, such as a count. So does one of several
// words, such as "minutes" in the name of a link. A name that was cut counts up to its end.
func isOtherName(was, is string) bool {
	before, now := wordsOf(was), wordsOf(is)
	if len(before) > len(now) {
		before, now = now, before
	}
	isIn := func(word string) bool { return strings.Contains(strings.Join(now, " "), word) }
	lost := len(slices.DeleteFunc(slices.Clone(before), isIn))
	return lost > 0 && 2*lost >= len(before)
}

// wordsOf returns the words of a name, in lower case and without numbers and signs.
func wordsOf(name string) []string {
	name, _, _ = strings.Cut(name, "…")
	return strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) })
}
