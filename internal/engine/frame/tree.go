package frame

import (
	"iter"
	"maps"
	"math"
	"slices"

	"github.com/chromedp/cdproto/page"

	"chela/internal/engine/cdp"
	"chela/internal/reading/pagejs"
)

// A Tree is all frames of a tab. It has no mutex: its owner guards it and the
// frames in it, and calls the methods that are named after events in wire order.
type Tree struct {
	Main *Frame // never changes

	// WorldName is how the worlds of the page script are called. It is another for each session of a tab: a
	// document that was there when the session began may have a world of an earlier session, or
	// of another program, with which a page script runs that knows other refs.
	WorldName string

	byID     map[string]*Frame
	byNumber map[int]*Frame // see Refs.Frame; with the last maxRemoved that were removed
	numbers  int            // how many were given; that of the main frame is 0
	gone     []int          // numbers of removed frames in byNumber, the oldest first
	removed  func(*Frame)
	early    map[string]*early // what came of frames that are not known yet, by their ids
}

// early is what events have said of a frame before it was known: in a tab that has run before it was attached, that
// may be an answer later.
type early struct {
	world, mainWorld *World
	loader           string
	state            LoadState
	idle             bool
}

// maxEarly bounds of how many frames something is kept.
const maxEarly = 1000

// earlyOf is what is kept of a frame that is not known.
func (t *Tree) earlyOf(id string) *early {
	if t.early == nil || len(t.early) > maxEarly {
		t.early = map[string]*early{}
	}
	if t.early[id] == nil {
		t.early[id] = &early{}
	}
	return t.early[id]
}

// takeEarly gives a frame what came of it before.
func (t *Tree) takeEarly(f *Frame) {
	e := t.early[f.ID]
	if e == nil {
		return
	}
	delete(t.early, f.ID)
	f.World, f.MainWorld = e.world, e.mainWorld
	if f.World != nil {
		f.Session = f.World.Session
	}
	if f.Loader == "" || f.Loader == e.loader {
		f.State, f.Idle = e.state, e.idle
	}
}

// NewTree returns the tree of a tab, of which the main frame has the target's id.
// It calls removed with each frame that it has removed.
func NewTree(id string, s *cdp.Session, removed func(*Frame)) *Tree {
	main := &Frame{ID: id, Session: s}
	return &Tree{Main: main, WorldName: pagejs.World + s.ID, byID: map[string]*Frame{id: main}, byNumber: map[int]*Frame{0: main}, numbers: 1, removed: removed}
}

// ByID returns the frame with this id, or nil.
func (t *Tree) ByID(id string) *Frame { return t.byID[id] }

// Has reports whether a frame has not been removed.
func (t *Tree) Has(f *Frame) bool { return t.byID[f.ID] == f }

// All lists the frames in no order.
func (t *Tree) All() iter.Seq[*Frame] { return maps.Values(t.byID) }

// Children returns the frames in the document of a frame.
func (t *Tree) Children(parent *Frame) (children []*Frame) {
	for _, f := range t.byID {
		if f.Parent == parent {
			children = append(children, f)
		}
	}
	return children
}

// maxRemoved bounds how many removed frames are kept that have a number. A page may replace
// its frames for as long as it lives.
const maxRemoved = 200

// ByNumber returns the frame with this number in its refs, perhaps one that was removed; nil
// if there was none. Of a frame that is not kept any more only its number is known, so each of
// its refs counts as one that it had.
func (t *Tree) ByNumber(n int) *Frame {
	switch f := t.byNumber[n]; {
	case f != nil:
		return f
	case n > 0 && n < t.numbers:
		return &Frame{Refs: Refs{Frame: n, Highest: math.MaxInt}}
	}
	return nil
}

// Number returns the number of a frame in its refs, a new one if it has none.
func (t *Tree) Number(f *Frame) int {
	if f.Refs.Frame == 0 && f != t.Main {
		f.Refs.Frame = t.numbers
		t.numbers++
		t.byNumber[f.Refs.Frame] = f
		if !t.Has(f) {
			t.retire(f)
		}
	}
	return f.Refs.Frame
}

// retire is called with a frame that has been removed and has a number.
func (t *Tree) retire(f *Frame) {
	if len(t.gone) == maxRemoved {
		delete(t.byNumber, t.gone[0])
		t.gone = t.gone[1:]
	}
	t.gone = append(t.gone, f.Refs.Frame)
}

// Attached adds a frame. One that changes its process is attached again, in the
// session of the new one, before it leaves the old one.
func (t *Tree) Attached(s *cdp.Session, ev page.EventFrameAttached) {
	id := string(ev.FrameID)
	if f := t.byID[id]; f == nil {
		t.add(&Frame{ID: id, Session: s}, string(ev.ParentFrameID))
	} else if f.left == s {
		f.left = nil // it comes back
	}
}

// add adds a frame below its parent. That may come later, in a tab that has run before it was attached: an event of a frame in it can be
// handled before the answer that describes it.
func (t *Tree) add(f *Frame, parent string) *Frame {
	f.parentID, f.Parent = parent, t.byID[parent]
	t.byID[f.ID] = f
	t.takeEarly(f)
	for _, child := range t.byID {
		if child.Parent == nil && child.parentID == f.ID {
			child.Parent = f
		}
	}
	return f
}

// Detached removes a frame and those inside it. One that changed its process is
// reported as detached from the old one; it stays.
func (t *Tree) Detached(ev page.EventFrameDetached) {
	gone := t.byID[string(ev.FrameID)]
	if gone == nil || gone.Parent == nil || ev.Reason == page.FrameDetachedReasonSwap {
		return
	}
	t.removeBelow(gone)
	t.remove(gone)
}

// removeBelow removes the frames inside one whose document has gone. Chromium
// does not report those as detached that were in other processes.
func (t *Tree) removeBelow(ancestor *Frame) {
	for _, f := range t.byID {
		if f != ancestor && f.within(ancestor) {
			t.remove(f)
		}
	}
}

func (t *Tree) remove(f *Frame) {
	delete(t.byID, f.ID)
	if f.Refs.Frame > 0 {
		t.retire(f)
	}
	t.removed(f)
}

// keptLoaders is how many loaders of a frame are known. A caller that waits for
// the document of a loader may be late by as many.
const keptLoaders = 8

// Navigated is called when a navigation has committed. It returns the frame,
// and whether another document has come. A page that replaces its document by
// document.open navigates, too, but with the same loader.
func (t *Tree) Navigated(s *cdp.Session, ev page.EventFrameNavigated) (f *Frame, replaced bool) {
	f = t.byID[string(ev.Frame.ID)]
	if f == nil {
		f = t.add(&Frame{ID: string(ev.Frame.ID)}, string(ev.Frame.ParentID))
	}
	if loader := string(ev.Frame.LoaderID); f.Loader != loader {
		replaced = true
		f.Loader, f.State, f.Idle = loader, Loading, false
		f.loaders = append(f.loaders[max(0, len(f.loaders)-keptLoaders+1):], loader)
		t.removeBelow(f)
	}
	f.Session, f.Crashed = s, false
	if f.left == s {
		f.left = nil
	}
	f.URL = ev.Frame.URL + ev.Frame.URLFragment
	return f, replaced
}

// Describe records which frames a session has and what they show, as far as no event has said so yet. The tab,
// or the cross-site frame, has run before the session began. The answer may come after events: of a document that has been replaced
// meanwhile, and of a frame that has gone to another process, it says nothing.
func (t *Tree) Describe(s *cdp.Session, tree *page.FrameTree) {
	f := t.byID[string(tree.Frame.ID)]
	if f == nil {
		f = t.add(&Frame{ID: string(tree.Frame.ID), Session: s}, string(tree.Frame.ParentID))
	}
	if f.left == s {
		return
	}
	if f.Loader == "" {
		f.URL, f.Loader = tree.Frame.URL+tree.Frame.URLFragment, string(tree.Frame.LoaderID)
		f.loaders = []string{f.Loader}
	}
	if f.Loader != string(tree.Frame.LoaderID) {
		return
	}
	for _, child := range tree.ChildFrames {
		t.Describe(s, child)
	}
}

// NavigatedWithin gives a document another address: its fragment, or what a
// script has set with the History API. It returns the frame, nil if it is unknown.
func (t *Tree) NavigatedWithin(ev page.EventNavigatedWithinDocument) *Frame {
	f := t.byID[string(ev.FrameID)]
	if f != nil {
		f.URL = ev.URL
	}
	return f
}

// Lifecycle records how far a document has loaded. Events of the document before
// may still come when another has replaced it; they count for nothing.
func (t *Tree) Lifecycle(ev page.EventLifecycleEvent) {
	f := t.byID[string(ev.FrameID)]
	if f == nil {
		e := t.earlyOf(string(ev.FrameID))
		e.loader = string(ev.LoaderID)
		advance(ev.Name, &e.state, &e.idle)
	} else if f.Loader == "" || string(ev.LoaderID) == f.Loader {
		advance(ev.Name, &f.State, &f.Idle)
	}
}

// Stopped is called when no more will come of the document that a loader has brought to a frame. What it has is all. It reports
// whether that is news: the frame shows this document, and it had not loaded.
func (t *Tree) Stopped(id, loader string) bool {
	f := t.byID[id]
	if f == nil || f.Loader != loader || f.State == Loaded {
		return false
	}
	f.State, f.Idle = Loaded, true
	return true
}

// advance takes what an event of this name says of a document.
func advance(name string, state *LoadState, idle *bool) {
	switch name {
	case "DOMContentLoaded":
		*state = max(*state, DOMLoaded)
	case "load":
		*state = Loaded
	case "networkIdle":
		*idle = true
	}
}

// Moved puts a frame into the process of a session that was attached for it, below the session from.
// What was known of the worlds in the old process is not true any more, and what that still reports of them is not, either. A frame
// that was there before the tab was attached is added.
func (t *Tree) Moved(id, parent string, from, s *cdp.Session) {
	f := t.byID[id]
	if f == nil && parent == "" {
		return
	}
	if f == nil {
		delete(t.early, id)
		f = t.add(&Frame{ID: id}, parent)
	}
	f.Session, f.left, f.World, f.MainWorld = s, from, nil, nil
}

// Crashed records that the process of a session has crashed.
func (t *Tree) Crashed(s *cdp.Session) {
	for _, f := range t.byID {
		if f.Session == s {
			f.World, f.MainWorld, f.Crashed = nil, nil, true
		}
	}
}

// Worlds returns one world of each frame that has it: World, or MainWorld.
func (t *Tree) Worlds(of func(*Frame) *World) (worlds []*World) {
	for _, f := range t.byID {
		if w := of(f); w != nil {
			worlds = append(worlds, w)
		}
	}
	return worlds
}

// Origins returns one world of the page script for each origin in each process:
// the script there reaches the documents of the others. A page may have many
// frames, and each message costs time.
func (t *Tree) Origins() []*World {
	known := map[Origin]bool{}
	return slices.DeleteFunc(t.Worlds(func(f *Frame) *World { return f.World }), func(w *World) bool {
		again := known[w.Origin()]
		known[w.Origin()] = true
		return again
	})
}
