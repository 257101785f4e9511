package page

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	protocol "github.com/chromedp/cdproto/cdp"
	proto "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"

	"chela/internal/base/sitedata"
	"chela/internal/engine/cdp"
	"chela/internal/engine/frame"
)

// Blank is the address of the empty document that every tab begins with.
const Blank = frame.Blank

func (p *Page) frameAttached(s *cdp.Session, ev proto.EventFrameAttached) { p.frames.Attached(s, ev) }

func (p *Page) frameDetached(_ *cdp.Session, ev proto.EventFrameDetached) { p.frames.Detached(ev) }

// frameRemovedLocked forgets the navigation and the requests of a removed frame.
func (p *Page) frameRemovedLocked(f *frame.Frame) {
	delete(p.navigations, f.ID)
	p.requests.forgetFrame(f.ID)
}

func (p *Page) frameNavigated(s *cdp.Session, ev proto.EventFrameNavigated) {
	o, failure := p.navigations[string(ev.Frame.ID)], ""
	if o.loader == string(ev.Frame.LoaderID) {
		failure = o.failure
	}
	if isStatus(failure) {
		// Chromium shows its own error page. But the server has answered for that address, with an
		// error status. So the address does not count as unreachable.
		ev.Frame.URL, ev.Frame.URLFragment = ev.Frame.UnreachableURL, ""
	}
	f, replaced := p.frames.Navigated(s, ev, failure)
	if replaced {
		p.outcomes++
	}
	if f == p.main() {
		p.visitLocked()
	}
	if ev.Type == proto.NavigationTypeBackForwardCacheRestore {
		p.learnLocked(s) // no event reports the frames in a document from the back/forward cache
	}
	if replaced && f == p.main() {
		p.dialogs.opened, p.dialogs.stormed, p.dialogs.document = nil, time.Time{}, time.Now()
		p.releaseHeldLocked()
		p.endHighlightLocked()
		p.forgetInvalidLocked()
		if o.loader != "" && o.loader != f.Loader {
			p.overtaken++
		}
		p.document = document{visit: p.visits}
		if o.loader == f.Loader {
			p.document.outcome = o.outcome
		}
	}
	if o, ok := p.navigations[f.ID]; ok && (o.loader == "" || o.loader == f.Loader) {
		delete(p.navigations, f.ID)
	}
	p.requests.forgetReplaced(f.ID, f.Loader, p.navigations[f.ID].loader)
}

func (p *Page) navigatedWithin(_ *cdp.Session, ev proto.EventNavigatedWithinDocument) {
	f := p.frames.NavigatedWithin(ev)
	if f == nil {
		return
	}
	if m := p.moveWithinLocked(f.ID); m != nil {
		m.arrived = true
	}
	// The document may have intercepted the navigation that it requested. Any other navigation goes
	// on: a document may change its address while the next one is on its way.
	if o, ok := p.navigations[f.ID]; ok && o.loader == "" && o.url == ev.URL {
		delete(p.navigations, f.ID)
	}
	if f == p.main() {
		p.visitLocked()
		if ev.NavigationType == proto.NavigatedWithinDocumentNavigationTypeHistoryAPI {
			p.document.method = http.MethodGet // Chromium forgets the form: it reloads such a document by GET, also after it went back
		}
	}
}

func (p *Page) lifecycle(_ *cdp.Session, ev proto.EventLifecycleEvent) { p.frames.Lifecycle(ev) }

func (p *Page) contextCreated(s *cdp.Session, ev runtime.EventExecutionContextCreated) {
	p.frames.ContextCreated(s, ev)
}

func (p *Page) contextDestroyed(_ *cdp.Session, ev runtime.EventExecutionContextDestroyed) {
	p.frames.ContextDestroyed(ev)
}

func (p *Page) contextsCleared(s *cdp.Session, _ runtime.EventExecutionContextsCleared) {
	p.frames.ContextsCleared(s)
}

// worldOf waits until the frame has the isolated world in which the page script runs, see makeWorld.
// The error is frame.ErrGone if the frame was removed, ErrCrashed or ErrFrameCrashed, ErrBusy at the
// deadline, or what ended ctx.
func (p *Page) worldOf(ctx context.Context, f *frame.Frame) (*frame.World, error) {
	p.makeWorld(f)
	return p.awaitWorld(ctx, f, func(f *frame.Frame) *frame.World {
		if f.World != nil {
			f.World.CountFrom(f.Refs.Highest)
		}
		return f.World
	})
}

// makeWorld has Chromium make the page script's world in the first, empty document of an iframe, if
// there is none. A frame keeps its empty document while its server is slow, or while the frame is
// lazy (loading=lazy). Chromium makes worlds only when a script runs in a document or asks for one.
// Without this, worldOf would wait for a world until its time is over.
//
// makeWorld does not wait. If the frame is in another process and navigates, the command fails. The
// frame then gets its world by the navigation.
func (p *Page) makeWorld(f *frame.Frame) {
	p.mu.Lock()
	bare := f.World == nil && f.Loader == "" && f.Parent != nil && p.frames.Has(f) && !f.Crashed
	session := f.Session
	p.mu.Unlock()
	if bare {
		cdp.Send(session, proto.CreateIsolatedWorld, proto.CreateIsolatedWorldParams{FrameID: protocol.FrameID(f.ID), WorldName: p.frames.WorldName})
	}
}

// mainWorld waits until a frame has its main world. Errors are the same as for worldOf.
func (p *Page) mainWorld(ctx context.Context, f *frame.Frame) (*frame.World, error) {
	return p.awaitWorld(ctx, f, func(f *frame.Frame) *frame.World { return f.MainWorld })
}

// awaitWorld waits until a frame has the world that a function returns, or will never have it. It
// calls the function with mu held.
func (p *Page) awaitWorld(ctx context.Context, f *frame.Frame, of func(*frame.Frame) *frame.World) (w *frame.World, err error) {
	var lost error
	err = p.await(ctx, func() bool {
		w, lost = of(f), p.lostLocked(f)
		return w != nil || lost != nil
	})
	switch {
	case err != nil:
		return nil, fmt.Errorf("wait for the frame's document: %w", frame.Failure(ctx, err))
	case lost != nil:
		return nil, lost
	}
	return w, nil
}

// lostLocked returns why a frame will get no document: it was removed, or its process has crashed.
// Otherwise it returns nil.
func (p *Page) lostLocked(f *frame.Frame) error {
	switch {
	case !p.frames.Has(f):
		return frame.ErrGone
	case f.Crashed:
		return ErrFrameCrashed
	}
	return nil
}

// origins returns one world of the page script for each origin that the tab shows.
func (p *Page) origins() []*frame.World {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.frames.Origins()
}

// sendToOrigins calls a function of the page script in a document of each origin, all at once. It
// does not wait for the answers: the caller calls Wait of each. Wait fails with frame.ErrGone if
// the document is replaced meanwhile.
func sendToOrigins[R any](ctx context.Context, p *Page, fn string, args ...any) (answers []frame.Answer[R]) {
	for _, w := range p.origins() {
		answers = append(answers, frame.Send[R](ctx, w, fn, args...))
	}
	return answers
}

// isLost reports whether a call failed because its document was replaced, or its frame was removed or
// has crashed. A call that asks all frames leaves such a document out.
func isLost(err error) bool { return errors.Is(err, frame.ErrGone) || errors.Is(err, ErrFrameCrashed) }

// sendToFrames calls a function of the page script in each frame, all at once, and returns the
// pending answers.
func sendToFrames[R any](ctx context.Context, p *Page, fn string, args ...any) map[*frame.Frame]frame.Answer[R] {
	p.mu.Lock()
	defer p.mu.Unlock()
	answers := map[*frame.Frame]frame.Answer[R]{}
	for f := range p.frames.All() {
		if f.World != nil {
			f.World.CountFrom(f.Refs.Highest)
			answers[f] = frame.Send[R](ctx, f.World, fn, args...)
		}
	}
	return answers
}

// sendToOthers does what sendToOrigins does, but leaves out the origin of an element's document.
// That document is called anyway, and itself reaches the other documents of its origin.
func sendToOthers[R any](ctx context.Context, e *Element, fn string, args ...any) (answers []frame.Answer[R]) {
	e.page.mu.Lock()
	own := e.frame.World
	e.page.mu.Unlock()
	return sendToAllBut[R](ctx, e.page, own, fn, args...)
}

// sendToAllBut does what sendToOrigins does, but leaves out the origin of a world, if that is not
// nil.
func sendToAllBut[R any](ctx context.Context, p *Page, own *frame.World, fn string, args ...any) (answers []frame.Answer[R]) {
	for _, w := range p.origins() {
		if own == nil || w.Origin() != own.Origin() {
			answers = append(answers, frame.Send[R](ctx, w, fn, args...))
		}
	}
	return answers
}

// worlds calls the given function for each frame of the tab, and lists the worlds that the function
// returns.
func (p *Page) worlds(of func(*frame.Frame) *frame.World) []*frame.World {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.frames.Worlds(of)
}

// ourWorld returns the page script's world in a frame. It returns nil if the frame has none, or
// does not exist.
func (p *Page) ourWorld(frameID string) *frame.World {
	p.mu.Lock()
	defer p.mu.Unlock()
	if f := p.frames.ByID(frameID); f != nil {
		return f.World
	}
	return nil
}

// HasFrame reports whether the tab has a frame with this id.
func (p *Page) HasFrame(frameID string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.frames.ByID(frameID) != nil
}

// visitLocked records that the tab now shows another address.
func (p *Page) visitLocked() {
	p.visits++
	p.recordLocked(Navigated, time.Now())
}

// Visits returns how many addresses the tab has shown. A new document counts, and a new address of
// the same document.
func (p *Page) Visits() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.visits
}

// WhileShown runs look on the main frame's document. When another document comes, it ends the context
// of look, with the cause ErrReplaced. Chromium never answers some commands on a document that is
// replaced meanwhile, such as Page.captureScreenshot.
func (p *Page) WhileShown(ctx context.Context, look func(context.Context) error) error {
	p.mu.Lock()
	shown := p.document.visit
	p.mu.Unlock()
	ctx, cancel := p.until(ctx, func() bool { return p.document.visit != shown })
	defer cancel()
	return look(ctx)
}

// until returns a context that also ends when the function left returns true, with the cause
// ErrReplaced. It calls left with mu held, as await does. The caller must call cancel.
func (p *Page) until(ctx context.Context, left func() bool) (watched context.Context, cancel func()) {
	watched, end := context.WithCancelCause(ctx)
	var watching sync.WaitGroup
	watching.Go(func() {
		if p.await(watched, left) == nil {
			end(ErrReplaced)
		}
	})
	return watched, func() {
		end(nil)
		watching.Wait()
	}
}

// HasOrLoads reports whether a frame of the page has a document of this origin, such as
// https://example.com, or the main frame is loading one. The origin "" stands for no document.
func (p *Page) HasOrLoads(origin string) bool {
	if origin == "" {
		return false
	}
	if sitedata.OriginOf(p.Leaving()) == origin {
		return true
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for f := range p.frames.All() {
		if sitedata.OriginOf(f.URL) == origin {
			return true
		}
	}
	return false
}

// OnBlank reports whether the tab shows about:blank, and is not navigating.
func (p *Page) OnBlank() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	main := p.main()
	_, leaving := p.navigations[main.ID]
	return main.Address() == Blank && !leaving
}

// Bare reports whether the tab is on about:blank, and no script has written into that empty document.
// Errors are the same as for a call of the page script.
func (p *Page) Bare(ctx context.Context) (bool, error) {
	w, err := p.worldOf(ctx, p.main())
	if err != nil || !p.OnBlank() {
		return false, err
	}
	return frame.Call[bool](ctx, w, "isBare")
}

// World returns the world of the page script in the main frame. If an origin is named, it returns
// the world of a frame that shows a document of that origin, the main frame first. It returns nil
// if no frame does. The error says why the wait for the world failed.
func (p *Page) World(ctx context.Context, origin string) (*frame.World, error) {
	f := p.main()
	if origin != "" {
		if f = p.frameOf(origin); f == nil {
			return nil, nil
		}
	}
	return p.worldOf(ctx, f)
}

// frameOf returns a frame with a document of an origin, if possible the main frame; nil if there is
// none.
func (p *Page) frameOf(origin string) (found *frame.Frame) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for f := range p.frames.All() {
		if f.World != nil && f.World.IsOf(origin) && (found == nil || f.Parent == nil) {
			found = f
		}
	}
	return found
}

// ShowsOrigin reports whether the tab shows a document of an origin.
func (p *Page) ShowsOrigin(origin string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	w := p.frames.Main.World
	return w != nil && w.IsOf(origin)
}

// Origin returns the origin of the tab's document, as Chromium writes it; "" if there is none now.
func (p *Page) Origin() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if w := p.frames.Main.World; w != nil {
		return w.WebOrigin()
	}
	return ""
}

// Origins returns the origins of all documents of the tab.
func (p *Page) Origins() (all []string) {
	for _, w := range p.origins() {
		all = append(all, w.WebOrigin())
	}
	return all
}
