package page

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/heapprofiler"
	"github.com/chromedp/cdproto/input"
	proto "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"

	"chela/internal/engine/cdp"
	"chela/internal/engine/frame"
	"chela/internal/engine/keys"
	"chela/internal/reading/pagejs"
	"chela/internal/reading/snapshot"
)

// Crash ends the renderer of a page's main frame.
func Crash(p *Page) { cdp.Send(p.session, proto.Crash, protocol.Empty{}) }

// CrashFrame ends the renderer of the frame that shows a URL, and waits until the page has noticed.
func CrashFrame(ctx context.Context, p *Page, url string) {
	f := StartCrash(p, url)
	p.await(ctx, func() bool { return f.Crashed })
}

// StartCrash is like CrashFrame, but does not wait. The frame answers no command that is sent later.
func StartCrash(p *Page, url string) *frame.Frame {
	p.mu.Lock()
	var f *frame.Frame
	for each := range p.frames.All() {
		if each.URL == url {
			f = each
		}
	}
	p.mu.Unlock()
	cdp.Send(f.Session, proto.Crash, protocol.Empty{})
	return f
}

// CollectGarbage frees what the page's scripts do not reference.
func CollectGarbage(ctx context.Context, p *Page) error {
	_, err := cdp.Call(ctx, p.session, heapprofiler.CollectGarbage, protocol.Empty{})
	return err
}

// NavigateRaw opens a URL with the smallest number of commands.
func NavigateRaw(ctx context.Context, p *Page, url string) error {
	res, err := cdp.Call(ctx, p.session, proto.Navigate, proto.NavigateParams{URL: url})
	if err != nil {
		return err
	}
	return p.awaitDocument(ctx, string(res.LoaderID))
}

// FrameCount returns how many frames the page has in its state.
func (p *Page) FrameCount() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(slices.Collect(p.frames.All()))
}

// AnswerWithin sets how long the page's dialogs wait for their answer.
func (p *Page) AnswerWithin(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.dialogs.timeout = d
}

// DialogsOver waits until dialogs have opened and none is open any more, or the page has ended.
func (p *Page) DialogsOver(ctx context.Context) error {
	return p.await(ctx, func() bool { return p.dialogs.count > 0 && len(p.dialogs.pending) == 0 || p.end != nil })
}

// ClickLosing clicks as Click does, but the first press goes elsewhere, and the element gets only
// the release.
func ClickLosing(ctx context.Context, e *Element) error {
	lost := false
	return e.clickGuarded(ctx, Click{}, func(at point, pressed func()) error {
		if lost {
			return e.page.clickPoint(ctx, at, Click{}, pressed)
		}
		lost = true
		_, err := e.page.sendMouse(input.DispatchMouseEventTypeMouseReleased, at, Click{}, 1).Wait(ctx)
		return err
	})
}

// ClickSlipping clicks as Click does, but the page runs a script between the first press and its
// release.
func ClickSlipping(ctx context.Context, e *Element, script string) error {
	return e.clickGuarded(ctx, Click{}, func(at point, pressed func()) error {
		if err := e.page.pressAndHold(ctx, at); err != nil {
			return err
		}
		if _, err := cdp.Call(ctx, e.page.session, runtime.Evaluate, runtime.EvaluateParams{Expression: script}); err != nil {
			return err
		}
		script = ""
		_, err := e.page.sendMouse(input.DispatchMouseEventTypeMouseReleased, at, Click{}, 1).Wait(ctx)
		return err
	})
}

// ClickAskedEarly clicks as Click does, but asks the page for its verdict before the page has got any
// input.
func ClickAskedEarly(ctx context.Context, e *Element) error {
	return e.clickGuarded(ctx, Click{}, func(at point, pressed func()) error {
		pressed()
		e.page.AwaitAnswer(ctx) // the page has the question
		return e.page.clickPoint(ctx, at, Click{}, func() {})
	})
}

// UnguardLeaving ends the guards of a click at an iframe element, as Click does. But before that, the
// tab begins to load another document.
func UnguardLeaving(ctx context.Context, e *Element, url string) error {
	at, err := e.aim(ctx, needs{enabled: true, guard: guardTime(ctx), click: true})
	if err != nil {
		return err
	}
	before, err := e.inputMark(ctx, at.world)
	if err != nil {
		return err
	}
	cdp.Send(e.page.session, runtime.Evaluate, runtime.EvaluateParams{Expression: "location = '" + url + "'"})
	if err := e.page.await(ctx, func() bool { return e.page.leavingLocked(e.frame, before.navigations) }); err != nil {
		return err
	}
	return e.unguardFrame(ctx, before)
}

// ClickReplaced begins a click, as Click does. But before the input is sent, the page runs a script that
// replaces the element's document.
func ClickReplaced(ctx context.Context, e *Element, script string) error {
	at, err := e.aim(ctx, needs{enabled: true, guard: guardTime(ctx), click: true})
	if err != nil {
		return err
	}
	cdp.Send(e.page.session, runtime.Evaluate, runtime.EvaluateParams{Expression: script})
	if err := e.page.awaitReplaced(ctx, e.frame, at.world); err != nil {
		return err
	}
	_, err = e.inputMark(ctx, at.world)
	return err
}

// PersonClicks clicks at a point as a person at the window does: no guard is ended before.
func PersonClicks(ctx context.Context, p *Page, x, y float64) error {
	return p.clickPoint(ctx, point{x, y}, Click{}, func() {})
}

// IsDragWatched reports whether the page still watches what a drag changes, which must have been something.
func IsDragWatched(ctx context.Context, e *Element) (bool, error) {
	effect, err := ask[struct{ Any bool }](ctx, e, "dragEffect", ScriptDeadline(ctx))
	return effect.Any, err
}

// DragAfterClick drags over the element as Drop does. But a person clicks it first, when it is guarded
// already. It reports whether the page takes what is dragged.
func DragAfterClick(ctx context.Context, e *Element) (taken bool, err error) {
	p := e.page
	p.setDragged(&dragData{data: &input.DragData{Items: []*input.DragDataItem{}, DragOperationsMask: allOperations}})
	at, err := e.aim(ctx, needs{guard: guardTime(ctx), drop: 1})
	if err != nil {
		return false, err
	}
	defer e.leaveWindow(ctx)
	defer p.endGuards(ctx, false)
	if err := PersonClicks(ctx, p, at.X, at.Y); err != nil {
		return false, err
	}
	for {
		if err := p.dragEvent(ctx, input.DispatchDragEventTypeDragOver, at.point); err != nil {
			return false, err
		}
		s, err := ask[dragState](ctx, e, "dragTaken", ScriptDeadline(ctx))
		if err != nil || s.accepted() || remaining(ctx) == 0 {
			return s.accepted(), err
		}
	}
}

// ClickSentLater clicks as Click does, but sends the input only 2.5 s after the element is ready. A
// machine that is very busy does so.
func ClickSentLater(ctx context.Context, e *Element) error {
	return e.clickGuarded(ctx, Click{}, func(at point, pressed func()) error {
		Pause(ctx, 2500*time.Millisecond)
		return e.page.clickPoint(ctx, at, Click{}, pressed)
	})
}

// ClickReleasedLater clicks as Click does, but sends the release only some time after the press.
func ClickReleasedLater(ctx context.Context, e *Element) error {
	return e.clickGuarded(ctx, Click{}, func(at point, pressed func()) error {
		press := e.page.sendMouse(input.DispatchMouseEventTypeMousePressed, at, Click{}, 1)
		Pause(ctx, 60*time.Millisecond)
		released := e.page.sendMouse(input.DispatchMouseEventTypeMouseReleased, at, Click{}, 1)
		if _, err := press.Wait(ctx); err != nil {
			return err
		}
		pressed()
		_, err := released.Wait(ctx)
		return err
	})
}

// ClickCrashing clicks as Click does, but the release is sent only when the element's frame has crashed.
func ClickCrashing(ctx context.Context, e *Element) error {
	return e.clickGuarded(ctx, Click{}, func(at point, pressed func()) error {
		if err := e.page.pressAndHold(ctx, at); err != nil {
			return err
		}
		e.page.await(ctx, func() bool { return e.frame.Crashed })
		_, err := e.page.sendMouse(input.DispatchMouseEventTypeMouseReleased, at, Click{}, 1).Wait(ctx)
		return err
	})
}

// ConfirmTime is how much time ClickLate leaves for the page to confirm its input.
const ConfirmTime = 10 * time.Second

// ClickLate clicks as Click does, but sends the input late: after the deadline by the document's
// clock, and ConfirmTime before ScriptDeadline. For that, the clock of the document is set back.
// The click is declared to hold the button for ConfirmTime, so that clickGuarded reserves that
// time.
func ClickLate(ctx context.Context, e *Element) error {
	SetClocksBack(e.page, remaining(ctx))
	return e.clickGuarded(ctx, Click{Hold: ConfirmTime}, func(at point, pressed func()) error {
		Pause(ctx, remaining(ctx)-ConfirmTime)
		return e.page.clickPoint(ctx, at, Click{}, pressed)
	})
}

// TypeLate types as Type does, but sends the text after ScriptDeadline, and before the deadline.
func TypeLate(ctx context.Context, e *Element) error {
	how, err := e.prepareEdit(ctx, "Ada", manner{})
	if err != nil {
		return err
	}
	Pause(ctx, remaining(ctx)+margin/4)
	_, err = e.enter(ctx, "Ada", how, nil)
	return err
}

// HoldFor sets how long keys stay down after the last act.
func (p *Page) HoldFor(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.held.timeout = d
}

// UnderWay lists the documents whose requests are under way.
func UnderWay(p *Page) []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var senders []string
	for _, by := range p.requests.open {
		senders = append(senders, by.by.frame+"/"+by.by.loader)
	}
	return senders
}

// SetClocksBack makes the clocks of all documents seem to show less than they do. The difference is
// the parameter by.
func SetClocksBack(p *Page, by time.Duration) {
	later := time.Now().Add(time.Hour) // so late that an older reading is replaced
	for _, w := range p.worlds(func(f *frame.Frame) *frame.World { return f.World }) {
		w.Clock.Read(later, w.Clock.At(later.Add(-by)))
	}
}

// CustomsMet returns about how many custom elements a walk of the page would look up in Chromium's
// accessibility tree.
func CustomsMet(ctx context.Context, p *Page) int {
	w, err := p.worldOf(ctx, p.main())
	if err != nil {
		return -1
	}
	walk, err := frame.Call[snapshot.Walk](ctx, w, "walk", map[string]any{"maxNodes": maxNodes, "maxChars": maxChars, "maxMs": 1000})
	if err != nil {
		return -1
	}
	return walk.Customs
}

// Walks reads a page and returns the walk of each frame.
func Walks(t *testing.T, p *Page) (walks []*snapshot.Walk) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	tree, err := p.readTree(ctx, View{})
	if err != nil {
		t.Fatal(err)
	}
	var add func(*snapshot.Frame)
	add = func(f *snapshot.Frame) {
		if f.Walk != nil {
			walks = append(walks, f.Walk)
		}
		for _, child := range f.Children {
			add(child)
		}
	}
	add(tree)
	return walks
}

// AwaitLack waits until a function that waits for the element has found something missing.
func AwaitLack(ctx context.Context, e *Element) (pagejs.Missing, error) {
	w, err := e.world(ctx)
	if err != nil {
		return "", err
	}
	for {
		lacks, err := frame.Call[report](ctx, w, "lastMissing", e.ref.Number)
		if err != nil || lacks.Missing != "" {
			return lacks.Missing, err
		}
	}
}

// AwaitDelayed waits until n requests wait for the delay of their route.
func AwaitDelayed(ctx context.Context, p *Page, n int) error {
	return p.await(ctx, func() bool { return p.settings.Waiting() == n })
}

// AwaitWalk waits until the main frame's document was walked.
func AwaitWalk(ctx context.Context, p *Page) {
	for {
		p.mu.Lock()
		walked := p.main().Refs.Highest > 0
		p.mu.Unlock()
		if walked {
			return
		}
		Pause(ctx, time.Millisecond)
	}
}

// MainFrame returns the id of the main frame.
func MainFrame(p *Page) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.main().ID
}

// Check returns what Assert finds at one moment.
func (p *Page) Check(ctx context.Context, a Assertion) (Finding, error) { return p.check(ctx, a) }

// newFrames are the tabs whose reports of new frames a test delays or drops, see OnNewFrame.
var newFrames sync.Map // from *Page to func() bool

// OnNewFrame has handled called before a tab handles an event that reports a new iframe. If handled
// returns false, the event is dropped. The tab's mutex is not held during the call.
func OnNewFrame(t testing.TB, p *Page, handled func() bool) {
	newFrames.Store(p, handled)
	t.Cleanup(func() { newFrames.Delete(p) })
}

func init() {
	for _, method := range []string{proto.FrameAttached.Method, proto.FrameNavigated.Method} {
		handle := handlers()[method]
		handlers()[method] = func(p *Page, ev cdp.Event) {
			if handled, ok := newFrames.Load(p); ok {
				p.mu.Unlock()
				goesOn := handled.(func() bool)()
				p.mu.Lock()
				if !goesOn {
					return
				}
			}
			handle(p, ev)
		}
	}
}

// IsCast reports whether Chromium makes pictures of a page, or paints it for Paint.
func IsCast(p *Page) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.screencast.running != (format{})
}

// IsAcknowledged reports whether Chromium may send a picture as soon as the page is painted.
func IsAcknowledged(p *Page) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return !p.screencast.unacked
}

// YieldsFor returns for how long a viewer yields, by when the last turn ended and when it got a
// picture. With works, a turn is under way.
func YieldsFor(works bool, sinceWork, sincePicture time.Duration) time.Duration {
	p := &Page{turn: make(chan struct{}, 1)}
	if works {
		p.turn <- struct{}{}
	}
	p.screencast.worked = time.Now().Add(-sinceWork)
	v := &Viewer{page: p, casting: Casting{Yields: true}, got: time.Now().Add(-sincePicture)}
	return v.yieldsForLocked()
}

// Cast returns Chromium's number of the screencast that a picture belongs to.
func Cast(f Frame) int64 { return f.session }

// SetRemote has a page take its browser for one on another machine, which is sent the content of
// files.
func SetRemote(p *Page) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.settings.Remote = true
}

// BeginsWithin is beginsWithin, which Expect uses.
func BeginsWithin(ctx context.Context, p *Page, most time.Duration) bool {
	return p.beginsWithin(ctx, most)
}

// KeysPrevented ends the recording of keys for a shortcut, and returns whether a recorded one was
// prevented.
func KeysPrevented(ctx context.Context, p *Page) (bool, error) {
	prevented, err := inOrigins[bool](ctx, p, "keysPrevented")
	return slices.Contains(prevented, true), err
}

// PressOnMac presses a key that the browser acts on, as Press does on macOS.
func PressOnMac(ctx context.Context, p *Page, chord keys.Chord) error {
	return p.pressShortcut(ctx, browserKeys("darwin")[shortcutOf(chord[len(chord)-1])], func() error { return p.pressChord(ctx, chord, 0) })
}

// ForgetArrival has the page forget how its document came, as if chela had found the tab with it.
func ForgetArrival(p *Page) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.document = document{}
}

// NavigateChild has a page handle that a frame has navigated whose parent is not known yet.
func NavigateChild(p *Page) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.frameNavigated(p.session, proto.EventFrameNavigated{Frame: &protocol.Frame{ID: "child", ParentID: "unknown", LoaderID: "1", URL: "https://child.example/"}})
}
