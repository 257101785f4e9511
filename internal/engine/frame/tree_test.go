package frame

import (
	"slices"
	"strings"
	"testing"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/go-json-experiment/json/jsontext"

	"chela/internal/engine/cdp"
)

// A tab is a tree with the sessions of two processes.
type tab struct {
	*Tree
	own, other *cdp.Session
	removed    []string
}

func newTab() *tab {
	t := &tab{own: &cdp.Session{ID: "OWN"}, other: &cdp.Session{ID: "OTHER"}}
	t.Tree = NewTree("TOP", t.own, func(f *Frame) { t.removed = append(t.removed, f.ID) })
	t.navigate("TOP", "", "1")
	t.attach("CHILD", "TOP")
	t.attach("GRANDCHILD", "CHILD")
	return t
}

func (t *tab) attach(id, parent protocol.FrameID) {
	t.Attached(t.own, page.EventFrameAttached{FrameID: id, ParentFrameID: parent})
}

func (t *tab) detach(id protocol.FrameID, why page.FrameDetachedReason) {
	t.Detached(page.EventFrameDetached{FrameID: id, Reason: why})
}

func (t *tab) navigate(id, parent, loader string) (f *Frame, replaced bool) {
	return t.Navigated(t.own, page.EventFrameNavigated{Frame: &protocol.Frame{
		ID: protocol.FrameID(id), ParentID: protocol.FrameID(parent), LoaderID: protocol.LoaderID(loader), URL: "http://a.test/" + loader,
	}}, "")
}

func (t *tab) context(frame, name, unique string, main bool) {
	t.contextIn(t.own, frame, name, unique, main)
}

func (t *tab) contextIn(s *cdp.Session, frame, name, unique string, main bool) {
	aux := `{"frameId":"` + frame + `","isDefault":false}`
	if main {
		aux = strings.Replace(aux, "false", "true", 1)
	}
	t.ContextCreated(s, runtime.EventExecutionContextCreated{Context: &runtime.ExecutionContextDescription{
		UniqueID: unique, Name: name, Origin: "http://a.test", AuxData: jsontext.Value(aux),
	}})
}

func (t *tab) ids() string {
	var ids []string
	for f := range t.All() {
		ids = append(ids, f.ID)
	}
	slices.Sort(ids)
	return strings.Join(ids, " ")
}

func TestFramesComeAndGo(t *testing.T) {
	const all = "CHILD GRANDCHILD TOP"
	for _, c := range []struct {
		name   string
		events func(*tab)
		want   string
	}{
		{"attached", func(*tab) {}, all},
		{"detached, with those inside it", func(t *tab) { t.detach("CHILD", page.FrameDetachedReasonRemove) }, "TOP"},
		{"detached from its old process", func(t *tab) { t.detach("CHILD", page.FrameDetachedReasonSwap) }, all},
		{"the main one stays", func(t *tab) { t.detach("TOP", page.FrameDetachedReasonRemove) }, all},
		{"an unknown one", func(t *tab) { t.detach("NONE", page.FrameDetachedReasonRemove) }, all},
		{"another document", func(t *tab) { t.navigate("TOP", "", "2") }, "TOP"},
		{"another document in a frame", func(t *tab) { t.navigate("CHILD", "TOP", "2") }, "CHILD TOP"},
		{"the same loader", func(t *tab) { t.navigate("TOP", "", "1") }, all},
		{"attached again", func(t *tab) { t.attach("CHILD", "TOP") }, all},
		{"navigated before it was attached", func(t *tab) { t.navigate("NEW", "TOP", "2") }, "CHILD GRANDCHILD NEW TOP"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tab := newTab()
			c.events(tab)
			if got := tab.ids(); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if len(strings.Fields(c.want))+len(tab.removed) < 3 {
				t.Errorf("only %q were reported as removed", tab.removed)
			}
		})
	}
}

// The process that a frame has left may be busy, and report old contexts of the frame late.
func TestLateReportsOfLeftProcess(t *testing.T) {
	for _, known := range []bool{true, false} {
		tab := newTab()
		id := "CHILD"
		if !known {
			id = "EARLY" // the tab had this frame before its session was attached
			tab.context(id, tab.WorldName, "early", false)
		}
		tab.Moved(id, "TOP", tab.own, tab.other)
		f := tab.ByID(id)
		if f.World != nil || f.Session != tab.other {
			t.Errorf("%s: after it has moved: %+v", id, f)
		}
		tab.contextIn(tab.other, id, tab.WorldName, "there", false)
		tab.contextIn(tab.other, id, "", "there, of the page", true)
		tab.context(id, tab.WorldName, "left", false)
		tab.context(id, "", "left, of the page", true)
		tab.Describe(tab.own, &page.FrameTree{
			Frame: &protocol.Frame{ID: "TOP", LoaderID: "1"},
			ChildFrames: []*page.FrameTree{{
				Frame:       &protocol.Frame{ID: protocol.FrameID(id), ParentID: "TOP", LoaderID: "left"},
				ChildFrames: []*page.FrameTree{{Frame: &protocol.Frame{ID: "GONE", ParentID: protocol.FrameID(id)}}},
			}},
		})
		tab.detach(protocol.FrameID(id), page.FrameDetachedReasonSwap)
		tab.ContextDestroyed(runtime.EventExecutionContextDestroyed{ExecutionContextUniqueID: "left"})
		if f.World == nil || f.World.UniqueID != "there" || f.MainWorld.UniqueID != "there, of the page" || f.Loader == "left" || tab.ByID("GONE") != nil {
			t.Errorf("%s: %+v", id, f)
		}
		tab.attach(protocol.FrameID(id), "TOP")
		tab.context(id, tab.WorldName, "back", false)
		if f.World.UniqueID != "back" || f.Session != tab.own {
			t.Errorf("%s: after it has come back: %+v", id, f)
		}
	}
}

// The reply to Page.getFrameTree may come after another document has replaced the one that it
// describes.
func TestLateDescription(t *testing.T) {
	tab := newTab()
	tab.navigate("TOP", "", "2")
	tab.Describe(tab.own, &page.FrameTree{
		Frame:       &protocol.Frame{ID: "TOP", LoaderID: "1"},
		ChildFrames: []*page.FrameTree{{Frame: &protocol.Frame{ID: "CHILD", ParentID: "TOP"}}},
	})
	if got := tab.ids(); got != "TOP" {
		t.Errorf("got %q", got)
	}
}

func TestLoading(t *testing.T) {
	tab := newTab()
	report := func(loader, name string) {
		tab.Lifecycle(page.EventLifecycleEvent{FrameID: "TOP", LoaderID: protocol.LoaderID(loader), Name: name})
	}
	for _, c := range []struct {
		loader, event string
		want          LoadState
		idle          bool
	}{
		{"0", "load", Loading, false}, // an event of the document before
		{"1", "DOMContentLoaded", DOMLoaded, false},
		{"1", "load", Loaded, false},
		{"1", "networkIdle", Loaded, true},
	} {
		report(c.loader, c.event)
		if main := tab.Main; main.State != c.want || main.Idle != c.idle {
			t.Errorf("after %s of %s: %v, idle %v", c.event, c.loader, main.State, main.Idle)
		}
	}
	main, replaced := tab.navigate("TOP", "", "2")
	if !replaced || main.State != Loading || main.Idle || !main.Showed("1") || main.Showed("0") {
		t.Errorf("another document: %+v", main)
	}
	if tab.Stopped("TOP", "1") || main.State != Loading {
		t.Errorf("no more comes of the document before: %+v", main)
	}
	if !tab.Stopped("TOP", "2") || main.State != Loaded || !main.Idle {
		t.Errorf("no more comes of it: %+v", main)
	}
	if tab.Stopped("TOP", "2") {
		t.Error("it stops early though it has loaded")
	}
	kept := page.EventFrameNavigated{Type: page.NavigationTypeBackForwardCacheRestore, Frame: &protocol.Frame{ID: "TOP", LoaderID: "1"}}
	if main, replaced := tab.Navigated(tab.own, kept, ""); !replaced || main.State != Loaded || !main.Idle {
		t.Errorf("a document that was kept: %+v", main)
	}
}

func TestWorlds(t *testing.T) {
	tab := newTab()
	tab.context("TOP", "", "1", true)
	tab.context("TOP", tab.WorldName, "2", false)
	tab.context("CHILD", tab.WorldName, "3", false)
	tab.context("TOP", "another", "4", false)
	tab.context("NONE", tab.WorldName, "5", false)
	if main := tab.Main; main.MainWorld.UniqueID != "1" || main.World.UniqueID != "2" {
		t.Fatalf("the main frame has %+v and %+v", main.MainWorld, main.World)
	}
	if got := len(tab.Origins()); got != 1 {
		t.Errorf("two documents of one origin are reached through %d worlds", got)
	}
	tab.ContextDestroyed(runtime.EventExecutionContextDestroyed{ExecutionContextUniqueID: "2"})
	if main := tab.Main; main.World != nil || main.MainWorld == nil {
		t.Errorf("after one has gone: %+v and %+v", main.MainWorld, main.World)
	}
	tab.Moved("CHILD", "", tab.own, tab.other)
	if child := tab.ByID("CHILD"); child.World != nil || child.Session != tab.other {
		t.Errorf("in another process: %+v", child)
	}
	tab.context("TOP", tab.WorldName, "6", false)
	tab.contextIn(tab.other, "CHILD", tab.WorldName, "7", false)
	if got := len(tab.Origins()); got != 1 {
		t.Errorf("two documents of one origin, with a session each, are reached through %d worlds", got)
	}
	tab.Crashed(tab.other)
	if !tab.ByID("CHILD").Crashed || tab.Main.Crashed {
		t.Error("only the frame of the process that crashed has crashed")
	}
}

// Scripts can access a document with an opaque origin only from that document itself.
func TestOpaqueOrigins(t *testing.T) {
	s := &cdp.Session{}
	a, b := &World{Session: s, UniqueID: "1", origin: opaqueOrigin}, &World{Session: s, UniqueID: "2", origin: opaqueOrigin}
	if again := a.Origin(); a.Origin() == b.Origin() || a.Origin() != again {
		t.Error("two opaque origins are one")
	}
}

func TestNumbersOfFrames(t *testing.T) {
	tab := newTab()
	child := tab.ByID("CHILD")
	if a, b, c := tab.Number(tab.Main), tab.Number(child), tab.Number(child); a != 0 || b != 1 || c != 1 {
		t.Errorf("got %d, %d, %d", a, b, c)
	}
	tab.navigate("TOP", "", "2")
	if tab.Has(child) || tab.ByNumber(1) != child || tab.ByNumber(2) != nil {
		t.Error("a frame that was removed keeps its number")
	}
}

// A page that replaces its frames all the time does not keep them all. Refs of frames that are not
// kept any more still count as refs of removed frames.
func TestManyNumberedFrames(t *testing.T) {
	tree := newTab()
	first := tree.ByID("CHILD")
	tree.Number(first)
	tree.detach("CHILD", page.FrameDetachedReasonRemove)
	if tree.ByNumber(1) != first || tree.Number(&Frame{ID: "removed before it was read"}) != 2 {
		t.Error("a frame that was just removed is not known")
	}
	for range 3 * maxRemoved {
		tree.attach("CHILD", "TOP")
		tree.Number(tree.ByID("CHILD"))
		tree.detach("CHILD", page.FrameDetachedReasonRemove)
	}
	if len(tree.byNumber) > maxRemoved+1 || len(tree.retired) > maxRemoved {
		t.Errorf("%d frames are kept", len(tree.byNumber))
	}
	if f := tree.ByNumber(1); f == nil || tree.Has(f) || f.Refs.Frame != 1 || f.Refs.Highest == 0 {
		t.Errorf("the first is %+v", f)
	}
	if f := tree.ByNumber(3*maxRemoved + 3); f != nil {
		t.Errorf("of a number that no frame has: %+v", f)
	}
	if tree.ByNumber(0) != tree.Main {
		t.Error("the main frame is lost")
	}
}

// The next page of a tab gives no ref that an aria snapshot of the last page has given.
func TestAriaRefsAreContinued(t *testing.T) {
	last, next := newTab(), newTab()
	last.AriaRefs = 12
	next.Continue(last.UsedRefs())
	if next.AriaRefs != 12 || next.Main.Refs.Highest != 12 {
		t.Errorf("aria snapshots count on from %d, others from %d", next.AriaRefs, next.Main.Refs.Highest)
	}
}
