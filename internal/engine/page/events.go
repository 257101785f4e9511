package page

import (
	"context"
	"errors"
	"sync"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	"chela/internal/engine/cdp"
	"chela/internal/engine/observe"
	"chela/internal/engine/setting"
)

// handlers has a function for each event that changes the page's state. They run in the order of
// the events, all in one goroutine, and with mu held although their names do not end in Locked.
// They may send commands, but must never wait for a reply. That would delay all later events of the
// tab, perhaps including the one that the reply needs.
var handlers = sync.OnceValue(func() cdp.EventTable[*Page] {
	handlers := cdp.EventTable[*Page]{}
	cdp.On(handlers, page.FrameAttached, (*Page).frameAttached)
	cdp.On(handlers, page.FrameDetached, (*Page).frameDetached)
	cdp.On(handlers, page.FrameNavigated, (*Page).frameNavigated)
	cdp.On(handlers, page.NavigatedWithinDocument, (*Page).navigatedWithin)
	cdp.On(handlers, page.LifecycleEvent, (*Page).lifecycle)
	cdp.On(handlers, page.FrameRequestedNavigation, (*Page).requestedNavigation)
	cdp.On(handlers, page.FrameStartedNavigating, (*Page).startedNavigating)
	cdp.On(handlers, page.FrameStoppedLoading, (*Page).stoppedLoading)
	cdp.On(handlers, navigationScheduled, (*Page).navigationScheduled)
	cdp.On(handlers, navigationCleared, (*Page).navigationCleared)
	cdp.On(handlers, page.WindowOpen, (*Page).windowOpened)
	cdp.On(handlers, network.RequestWillBeSent, (*Page).requestSent)
	handlers[network.ResponseReceived.Method] = (*Page).responseReceived
	handlers[network.ResponseReceivedExtraInfo.Method] = (*Page).headersReceived
	cdp.On(handlers, network.LoadingFinished, (*Page).requestFinished)
	cdp.On(handlers, network.LoadingFailed, (*Page).requestFailed)
	cdp.On(handlers, fetch.RequestPaused, (*Page).requestPaused)
	cdp.On(handlers, page.FileChooserOpened, (*Page).fileChooserOpened)
	cdp.On(handlers, page.JavascriptDialogOpening, (*Page).dialogOpening)
	cdp.On(handlers, page.JavascriptDialogClosed, (*Page).dialogClosed)
	cdp.On(handlers, runtime.ExecutionContextCreated, (*Page).contextCreated)
	cdp.On(handlers, runtime.ExecutionContextDestroyed, (*Page).contextDestroyed)
	cdp.On(handlers, runtime.ExecutionContextsCleared, (*Page).contextsCleared)
	cdp.On(handlers, target.AttachedToTarget, (*Page).childAttached)
	cdp.On(handlers, target.DetachedFromTarget, (*Page).childDetached)
	cdp.On(handlers, inspector.TargetCrashed, (*Page).targetCrashed)
	cdp.On(handlers, input.DragIntercepted, (*Page).dragIntercepted)
	handlers[page.ScreencastFrame.Method] = (*Page).screencastFrame
	cdp.On(handlers, cdp.EventsMissed, (*Page).eventsMissed)
	return handlers
})

// Class returns how a connection queues the events of a method. Events that change the page's state
// are [cdp.Structure]; observe.Class adds the class of the events that the event log needs.
func Class(method string) (class cdp.Class) {
	if handlers()[method] != nil {
		class |= cdp.Structure
	}
	return class | observe.Class(method)
}

// run handles the events of the tab until it is closed.
func (p *Page) run() {
	defer close(p.ended)
	var observing sync.WaitGroup
	observing.Go(func() { p.observer.Run(p.session.Observations()) })
	defer observing.Wait()
	for {
		ev, err := p.session.Events().Next(context.Background())
		if err != nil {
			p.endAfterSession(err)
			return
		}
		if handle := handlers()[ev.Method]; handle != nil {
			p.mu.Lock()
			handle(p, ev)
			p.notifyLocked()
			p.mu.Unlock()
		}
	}
}

// Sync waits until all events that have arrived are handled. If the tab has gone, it returns why.
// Once the tab's queue of events is closed, it waits for the end of run, which handles what is
// left.
func (p *Page) Sync(ctx context.Context) error {
	err := p.session.Events().Sync(ctx)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil: // the cause of ctx says more than the error of a closed queue
		return context.Cause(ctx)
	}
	<-p.ended
	return p.Err()
}

// endAfterSession ends the page when its session has ended: the tab was closed, or the browser has
// gone.
func (p *Page) endAfterSession(why error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !errors.Is(why, cdp.ErrClosed) {
		why = ErrClosed
	}
	p.endLocked(why)
	p.stopExpiryLocked()
	p.settings.Stop()
	p.notifyLocked()
}

// notifyLocked wakes all calls of await, because the state that they wait for may have changed.
func (p *Page) notifyLocked() {
	close(p.changed)
	p.changed = make(chan struct{})
	p.reportCarriedOverLocked()
}

// reportCarriedOverLocked calls [Callbacks.Changed] if something has changed that the next page of
// the tab needs.
func (p *Page) reportCarriedOverLocked() {
	if now := p.carriedOverLocked(); now != p.carriedOver {
		p.carriedOver = now
		p.on.reportChange()
	}
}

// childAttached prepares the session of a cross-site frame or a worker.
//
// In a browser that chela has started, several sessions are attached to a service worker. The
// browser's session is for the event log, and each tab that shows the worker's host has another
// one. A worker begins to run as soon as any of its sessions lets it. So a tab's session could make
// the browser's session miss the first requests. Therefore each tab detaches its session at once.
//
// In a browser that chela has not started, a worker may have run before a tab is attached, and has
// no session of the browser. So there the tabs keep their sessions.
func (p *Page) childAttached(from *cdp.Session, ev target.EventAttachedToTarget) {
	s := p.session.Child(string(ev.SessionID))
	if s == nil {
		return
	}
	if ev.TargetInfo.Type == "service_worker" && !p.settings.ServiceWorkers {
		cdp.Send(from, target.DetachFromTarget, target.DetachFromTargetParams{SessionID: ev.SessionID})
		return
	}
	kind := setting.Worker
	if ev.TargetInfo.Type == "iframe" {
		kind = setting.Frame
		p.frames.Moved(string(ev.TargetInfo.TargetID), string(ev.TargetInfo.ParentFrameID), from, s)
	}
	p.beginLocked(s, kind, ev.WaitingForDebugger)
}

// childDetached removes the state of a worker, or of a frame's process, that has gone.
func (p *Page) childDetached(_ *cdp.Session, ev target.EventDetachedFromTarget) {
	p.removeSessionLocked(string(ev.SessionID))
	p.requests.forgetSession(string(ev.SessionID))
}

// targetCrashed fails all commands that wait for the crashed process, which will not answer. If it
// is the process of a cross-site frame, only that frame is lost.
func (p *Page) targetCrashed(s *cdp.Session, _ inspector.EventTargetCrashed) {
	p.requests.forgetSession(s.ID)
	if s != p.session {
		p.frames.Crashed(s)
		s.Fail(ErrFrameCrashed)
		return
	}
	s.Fail(ErrCrashed)
	p.endLocked(ErrCrashed)
}
