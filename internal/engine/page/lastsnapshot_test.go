package page

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"chela/internal/engine/cdp"
	"chela/internal/engine/frame"
	"chela/internal/reading/snapshot"
)

// Elements are new in a snapshot if no other snapshot of the same document with the same options
// has shown them.
func TestNewElementsByKind(t *testing.T) {
	p := &Page{frames: frame.NewTree("F", new(cdp.Session), nil)}
	read := func(document string, buttons int) *snapshot.Frame {
		walk := &snapshot.Walk{Doc: document}
		for i := range buttons {
			if i > 0 {
				walk.Lines += "\n"
			}
			walk.Lines += fmt.Sprintf("0\tbutton\t%d\tButton %d", i+1, i+1)
		}
		return &snapshot.Frame{Walk: walk}
	}
	scoped := View{Options: snapshot.Options{Scoped: true}, Selector: "main"}
	for i, s := range []struct {
		tree *snapshot.Frame
		view View
		want int // -1: not counted, because there is nothing to compare with
	}{
		{read("a", 2), View{}, -1},
		{read("a", 2), View{}, 0},
		{read("a", 3), View{Purpose: "after"}, -1},
		{read("a", 3), View{}, 1},
		{read("a", 2), View{}, 0},
		{read("a", 3), View{}, 0}, // the third element was already shown
		{read("a", 3), scoped, -1},
		{read("a", 4), scoped, 1},
		{read("b", 4), View{}, -1},
		{read("a", 4), scoped, 0},
	} {
		got := -1
		if n := p.render(t.Context(), s.tree, s.view).NewElements; n != nil {
			got = *n
		}
		if got != s.want {
			t.Errorf("snapshot %d: %d are new, want %d", i+1, got, s.want)
		}
		if kept := p.lastSnapshot.readers[0].tree == s.tree; kept != !s.view.Scoped {
			t.Errorf("snapshot %d: it is kept for a delta: %v", i+1, kept)
		}
	}
}

func TestKindsAreBounded(t *testing.T) {
	for _, c := range []struct{ refs, want int }{{1, maxKinds}, {maxKindsRefs / 4, 4}, {maxKindsRefs + 1, 1}} {
		p := &Page{frames: frame.NewTree("F", new(cdp.Session), nil)}
		var lines strings.Builder
		for i := range c.refs {
			fmt.Fprintf(&lines, "0\tbutton\t%d\tA\n", i+1)
		}
		tree := &snapshot.Frame{Walk: &snapshot.Walk{Doc: "a", Lines: strings.TrimSpace(lines.String())}}
		for i := range c.want + 2 {
			v := View{Selector: fmt.Sprint("a", i)}
			p.render(t.Context(), tree, v)
			kinds := p.lastSnapshot.readers[0].kinds
			if last := kinds[len(kinds)-1]; last.kind != v.kind() || len(last.refs) != c.refs {
				t.Errorf("the last kind is %q with %d refs, want %q with %d", last.kind, len(last.refs), v.kind(), c.refs)
			}
		}
		if got := len(p.lastSnapshot.readers[0].kinds); got != c.want {
			t.Errorf("of kinds with %d refs each, %d are kept, want %d", c.refs, got, c.want)
		}
	}
}

// What a snapshot shows counts as known only to its session.
func TestReadersAreApart(t *testing.T) {
	p := &Page{frames: frame.NewTree("F", new(cdp.Session), nil)}
	read := func(session, lines string) *int {
		ctx := ReadBy(t.Context(), session)
		return p.render(ctx, &snapshot.Frame{Walk: &snapshot.Walk{Doc: "a", Lines: lines}}, View{}).NewElements
	}
	read("a", "0\tbutton\t1\tA")
	if n := read("b", "0\tbutton\t1\tA\n0\tbutton\t2\tB"); n != nil {
		t.Errorf("in the first snapshot of b, %d elements are new", *n)
	}
	if n := read("a", "0\tbutton\t1\tA\n0\tbutton\t2\tB"); n == nil || *n != 1 {
		t.Errorf("in the second snapshot of a, %v elements are new, want 1", n)
	}
	for i := range 3 * maxReaders {
		read("a", "0\tbutton\t1\tA")
		read(fmt.Sprint(i), "0\tbutton\t1\tA")
	}
	if n := len(p.lastSnapshot.readers); n != maxReaders {
		t.Errorf("%d readers are kept", n)
	}
	if n := read("a", "0\tbutton\t1\tA"); n == nil || *n != 0 {
		t.Errorf("a, which has read last, is forgotten: %v are new", n)
	}
}

// The nodes of the last aria snapshots are kept, not those of all.
func TestAriaNodesAreBounded(t *testing.T) {
	var l lastSnapshot
	of := new(snapshot.AXFrame)
	nodes := slices.Repeat([]snapshot.AriaNode{{Frame: of, Near: 1}}, 1500)
	for used := 0; used <= maxAriaNodes; used += len(nodes) {
		l.keepAriaLocked(used, nodes, map[*snapshot.AXFrame]axDocument{of: {}})
	}
	_, first := l.ax[501]
	if _, before := l.ax[500]; len(l.ax) != maxAriaNodes || before || !first {
		t.Errorf("%d nodes are kept", len(l.ax))
	}
}

// A page that was busy until the deadline is still read, as far as a short time suffices.
func TestWalkAfterBusyTimeHasSomeTime(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), margin/2)
	defer cancel()
	if most := (&Page{}).walkOptions(ctx, View{}, maxChars, false)["maxMs"]; most != (margin / 2).Milliseconds() {
		t.Errorf("got %v ms", most)
	}
}

// A walk is repeated once at least. Beyond that, the time and the number of repeats are limited, and the
// walk says so.
func TestRepeatsOfWalkAreBounded(t *testing.T) {
	for _, c := range []struct {
		name string
		half time.Duration
		want int
	}{{"in time", 0, maxRepeats}, {"half of the time is over", time.Hour, 1}} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		var walk snapshot.Walk
		r, got := repeats{half: c.half}, 0
		for got < 2*maxRepeats && r.allow(ctx, &walk) {
			got++
		}
		r.allow(ctx, &walk) // the same walk is asked about twice: it has one note
		if got != c.want || len(walk.Notes) != 1 {
			t.Errorf("%s: %d repeats, notes %q", c.name, got, walk.Notes)
		}
	}
}
