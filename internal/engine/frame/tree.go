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

// A Tree has all frames of a tab. It has no mutex: its owner guards it and the frames in it. Some
// methods, such as Attached, are named after protocol events. The owner calls them in the order in
// which the events came.
type Tree struct {
	Main *Frame // never changes

	// WorldName is the name of the page script's worlds in this tab. Each session with a tab has a
	// name of its own for them. A document that is older than the session may have a world of an
	// earlier session, or of another program. The page script in such a world knows other refs. Tabs
	// that the extension shares are an exception: there, the session of the next server uses the
	// same name. So refs stay valid in a document that has stayed attached.
	WorldName string

	AriaRefs int // the highest number in a ref of an aria snapshot, such as 12 in ax12; 0: there was none

	byID         map[string]*Frame
	byNumber     map[int]*Frame          // frames by Refs.Frame, including the last maxRemoved frames that were removed
	numbers      int                     // how many frame numbers were given, including 0 for the main frame
	retired      []int                   // numbers of removed frames in byNumber, the oldest first
	removed      func(*Frame)            // see [NewTree]
	earlyReports map[string]*earlyReport // reports about frames that are not known yet, by frame id
}

// earlyReport keeps what events have reported about a frame that is not known yet. In a tab that
// ran before it was attached, a frame may become known only with a later reply.
type earlyReport struct {
	world, mainWorld *World
	loader           string
	state            LoadState
	idle             bool
}

// maxEarlyReports limits for how many unknown frames reports are kept.
const maxEarlyReports = 1000

// earlyReportOf returns the report of a frame that is not known yet.
func (t *Tree) earlyReportOf(id string) *earlyReport {
	if t.earlyReports == nil || len(t.earlyReports) > maxEarlyReports {
		t.earlyReports = map[string]*earlyReport{}
	}
	if t.earlyReports[id] == nil {
		t.earlyReports[id] = &earlyReport{}
	}
	return t.earlyReports[id]
}

// applyEarlyReport applies the earlier reports about a new frame to it.
func (t *Tree) applyEarlyReport(f *Frame) {
	e := t.earlyReports[f.ID]
	if e == nil {
		return
	}
	delete(t.earlyReports, f.ID)
	f.World, f.MainWorld = e.world, e.mainWorld
	if f.World != nil {
		f.Session = f.World.Session
	}
	if f.Loader == "" || f.Loader == e.loader {
		f.State, f.Idle = e.state, e.idle
	}
}

// NewTree returns the tree of a tab. The main frame's id is the target's id. The tree calls the
// function removed with each frame that it has removed.
func NewTree(id string, s *cdp.Session, removed func(*Frame)) *Tree {
	main := &Frame{ID: id, Session: s}
	return &Tree{Main: main, WorldName: pagejs.World + s.ID, byID: map[string]*Frame{id: main}, byNumber: map[int]*Frame{0: main}, numbers: 1, removed: removed}
}

// ByID returns the frame with this id, or nil.
func (t *Tree) ByID(id string) *Frame { return t.byID[id] }

// Has reports whether a frame is still in the tree.
func (t *Tree) Has(f *Frame) bool { return t.byID[f.ID] == f }

// Len returns the number of frames.
func (t *Tree) Len() int { return len(t.byID) }

// All lists the frames in no particular order.
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

// maxRemoved limits how many removed frames with a number are kept. A page may replace its frames
// again and again.
const maxRemoved = 200

// ByNumber returns the frame whose refs have this number, even if the frame has been removed; nil
// if the number was never given. For a frame that was removed long ago, only the number is known.
// The result is then a frame that counts every ref with this frame number as given.
func (t *Tree) ByNumber(n int) *Frame {
	switch f := t.byNumber[n]; {
	case f != nil:
		return f
	case n > 0 && n < t.numbers:
		return &Frame{Refs: Refs{Frame: n, Highest: math.MaxInt}}
	}
	return nil
}

// Number returns the number that a frame has in its refs, such as 2 in f2e5. If the frame has none,
// it gets a new one.
func (t *Tree) Number(f *Frame) int {
	if f.Refs.Frame == 0 && f != t.Main {
		f.Refs.Frame = t.numbers
		t.numbers++
		t.byNumber[f.Refs.Frame] = f
		if !t.Has(f) {
			t.retireNumber(f)
		}
	}
	return f.Refs.Frame
}

// retireNumber records that a frame with a number was removed, and forgets the oldest such frame if
// there are too many.
func (t *Tree) retireNumber(f *Frame) {
	if len(t.retired) == maxRemoved {
		delete(t.byNumber, t.retired[0])
		t.retired = t.retired[1:]
	}
	t.retired = append(t.retired, f.Refs.Frame)
}

// Attached adds a frame. A frame that changes its process is attached again, in the session of the
// new process, before it leaves the old process.
func (t *Tree) Attached(s *cdp.Session, ev page.EventFrameAttached) {
	id := string(ev.FrameID)
	if f := t.byID[id]; f == nil {
		t.add(&Frame{ID: id, Session: s}, string(ev.ParentFrameID))
	} else if f.leftSession == s {
		f.leftSession = nil // the frame comes back to this process
	}
}

// add adds a frame below its parent. In a tab that ran before it was attached, an event of the
// frame can be handled before the reply that describes its parent. The parent is then added later.
func (t *Tree) add(f *Frame, parent string) *Frame {
	f.parentID, f.Parent = parent, t.byID[parent]
	t.byID[f.ID] = f
	t.applyEarlyReport(f)
	for _, child := range t.byID {
		if child.Parent == nil && child.parentID == f.ID {
			child.Parent = f
		}
	}
	return f
}

// Detached removes a frame and those inside it. A frame that changes its process is reported as
// detached from the old process (reason swap), and stays in the tree.
func (t *Tree) Detached(ev page.EventFrameDetached) {
	gone := t.byID[string(ev.FrameID)]
	if gone == nil || gone.Parent == nil || ev.Reason == page.FrameDetachedReasonSwap {
		return
	}
	t.removeBelow(gone)
	t.remove(gone)
}

// removeBelow removes the frames inside a frame whose document was replaced. Chromium does not
// report such frames as detached if they were in other processes.
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
		t.retireNumber(f)
	}
	t.removed(f)
}

// keptLoaders is how many loaders of a frame are kept, including the present one. A caller that
// waits for a document recognizes its loader unless too many documents have come since.
const keptLoaders = 8

// Navigated handles a committed navigation, which may have failed with an error. It returns the
// frame, and whether another document has come. A page that replaces the content of its document by
// document.open also navigates, but with the same loader.
func (t *Tree) Navigated(s *cdp.Session, ev page.EventFrameNavigated, failure string) (f *Frame, replaced bool) {
	f = t.byID[string(ev.Frame.ID)]
	if f == nil {
		f = t.add(&Frame{ID: string(ev.Frame.ID)}, string(ev.Frame.ParentID))
	}
	if loader := string(ev.Frame.LoaderID); f.Loader != loader {
		replaced = true
		f.Loader, f.State, f.Idle = loader, Loading, false
		if ev.Type == page.NavigationTypeBackForwardCacheRestore { // the document is as it was left, and loads no more
			f.State, f.Idle = Loaded, true
		}
		f.loaders = append(f.loaders[max(0, len(f.loaders)-keptLoaders+1):], loader)
		t.removeBelow(f)
	}
	f.Session, f.Crashed = s, false
	if f.leftSession == s {
		f.leftSession = nil
	}
	f.URL, f.Unreachable, f.Failure = ev.Frame.URL+ev.Frame.URLFragment, ev.Frame.UnreachableURL, failure
	return f, replaced
}

// Describe records the frames of a session and what they show, from the reply to Page.getFrameTree.
// It does not overwrite what an event has reported. It is for a tab or cross-site frame that ran
// before the session began. The reply may come after events. Describe has no effect for a document
// that was replaced meanwhile, or a frame that has moved to another process.
func (t *Tree) Describe(s *cdp.Session, tree *page.FrameTree) {
	f := t.byID[string(tree.Frame.ID)]
	if f == nil {
		f = t.add(&Frame{ID: string(tree.Frame.ID), Session: s}, string(tree.Frame.ParentID))
	}
	if f.leftSession == s {
		return
	}
	if f.Loader == "" {
		f.URL, f.Loader = tree.Frame.URL+tree.Frame.URLFragment, string(tree.Frame.LoaderID)
		f.loaders, f.Unreachable = []string{f.Loader}, tree.Frame.UnreachableURL
	}
	if f.Loader != string(tree.Frame.LoaderID) {
		return
	}
	for _, child := range tree.ChildFrames {
		t.Describe(s, child)
	}
}

// NavigatedWithin records a new address of the same document: another fragment, or one that a
// script has set with the History API. It returns the frame, or nil if it is unknown.
func (t *Tree) NavigatedWithin(ev page.EventNavigatedWithinDocument) *Frame {
	f := t.byID[string(ev.FrameID)]
	if f != nil {
		f.URL = ev.URL
	}
	return f
}

// Lifecycle records how far a document has loaded. Late events of a replaced document are ignored.
func (t *Tree) Lifecycle(ev page.EventLifecycleEvent) {
	f := t.byID[string(ev.FrameID)]
	if f == nil {
		e := t.earlyReportOf(string(ev.FrameID))
		e.loader = string(ev.LoaderID)
		applyLifecycle(ev.Name, &e.state, &e.idle)
	} else if f.Loader == "" || string(ev.LoaderID) == f.Loader {
		applyLifecycle(ev.Name, &f.State, &f.Idle)
	}
}

// Stopped records that a document will load no further. It returns false if the frame shows another
// document, or the document had loaded already.
func (t *Tree) Stopped(id, loader string) bool {
	f := t.byID[id]
	if f == nil || f.Loader != loader || f.State == Loaded {
		return false
	}
	f.State, f.Idle = Loaded, true
	return true
}

// applyLifecycle sets how far a document has loaded, or that its network is idle, from the name of
// a lifecycle event.
func applyLifecycle(name string, state *LoadState, idle *bool) {
	switch name {
	case "DOMContentLoaded":
		*state = max(*state, DOMLoaded)
	case "load":
		*state = Loaded
	case "networkIdle":
		*idle = true
	}
}

// Moved records that a frame has moved to the process of the session s. That session was attached
// for the frame, below the session in the parameter from. The worlds in the old process are
// forgotten, and later reports about them are ignored. A frame that existed before the tab was
// attached is added.
func (t *Tree) Moved(id, parent string, from, s *cdp.Session) {
	f := t.byID[id]
	if f == nil && parent == "" {
		return
	}
	if f == nil {
		delete(t.earlyReports, id)
		f = t.add(&Frame{ID: id}, parent)
	}
	f.Session, f.leftSession, f.World, f.MainWorld = s, from, nil, nil
}

// Crashed records that the process of a session has crashed.
func (t *Tree) Crashed(s *cdp.Session) {
	for _, f := range t.byID {
		if f.Session == s {
			f.World, f.MainWorld, f.Crashed = nil, nil, true
		}
	}
}

// Worlds calls a function for each frame, and lists the worlds that this function returns: World or
// MainWorld of the frame. It leaves out frames without this world.
func (t *Tree) Worlds(of func(*Frame) *World) (worlds []*World) {
	for _, f := range t.byID {
		if w := of(f); w != nil {
			worlds = append(worlds, w)
		}
	}
	return worlds
}

// Only returns the page script's world in the main frame, if the tab has no other frame. Otherwise
// it returns nil.
func (t *Tree) Only() *World {
	if len(t.byID) != 1 {
		return nil
	}
	return t.Main.World
}

// Origins returns one world of the page script for each origin. The page script in that world can access
// the other documents of the origin. So a page with many frames needs fewer messages.
func (t *Tree) Origins() []*World {
	known := map[Origin]bool{}
	return slices.DeleteFunc(t.Worlds(func(f *Frame) *World { return f.World }), func(w *World) bool {
		again := known[w.Origin()]
		known[w.Origin()] = true
		return again
	})
}
