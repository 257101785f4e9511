package page

import (
	"context"
	"errors"
	"maps"
	"slices"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	"chela/internal/cdp"
)

// handlers says what each event does to the page's state. They run in the order
// of the events, all in one goroutine, and with mu held although their names do
// not end in Locked. They may send commands, but never wait for a reply: that would
// keep all later events of the tab waiting, perhaps the one that the reply needs.
var handlers = map[string]func(*Page, cdp.Event){}

func init() {
	on(page.FrameAttached, (*Page).frameAttached)
	on(page.FrameDetached, (*Page).frameDetached)
	on(page.FrameNavigated, (*Page).frameNavigated)
	on(page.NavigatedWithinDocument, (*Page).navigatedWithin)
	on(page.LifecycleEvent, (*Page).lifecycle)
	on(page.FrameRequestedNavigation, (*Page).requestedNavigation)
	on(page.FrameStartedNavigating, (*Page).startedNavigating)
	on(page.FrameStoppedLoading, (*Page).stoppedLoading)
	on(page.WindowOpen, (*Page).windowOpened)
	on(network.RequestWillBeSent, (*Page).requestSent)
	handlers[network.ResponseReceived.Method] = (*Page).responseReceived
	on(network.LoadingFinished, (*Page).requestFinished)
	on(network.LoadingFailed, (*Page).requestFailed)
	on(page.FileChooserOpened, (*Page).fileChooserOpened)
	on(page.JavascriptDialogOpening, (*Page).dialogOpening)
	on(page.JavascriptDialogClosed, (*Page).dialogClosed)
	on(runtime.ExecutionContextCreated, (*Page).contextCreated)
	on(runtime.ExecutionContextDestroyed, (*Page).contextDestroyed)
	on(runtime.ExecutionContextsCleared, (*Page).contextsCleared)
	on(target.AttachedToTarget, (*Page).childAttached)
	on(target.DetachedFromTarget, (*Page).childDetached)
	on(inspector.TargetCrashed, (*Page).targetCrashed)
	on(input.DragIntercepted, (*Page).dragIntercepted)
}

// on adds the handler of an event.
func on[E any](event protocol.Event[E], handle func(*Page, *cdp.Session, E)) {
	handlers[event.Method] = func(p *Page, ev cdp.Event) {
		if params, ok := cdp.Decode(ev, event); ok {
			handle(p, ev.Session, params)
		}
	}
}

// Events lists the methods of the events that a page handles. A connection must
// not drop any of them, and may drop all others.
func Events() []string { return slices.Sorted(maps.Keys(handlers)) }

// run takes the events of the tab until it has gone.
func (p *Page) run() {
	defer close(p.ended)
	for {
		ev, err := p.session.Events().Next(context.Background())
		if err != nil {
			p.closed(err)
			return
		}
		if handle := handlers[ev.Method]; handle != nil {
			p.mu.Lock()
			handle(p, ev)
			p.notifyLocked()
			p.mu.Unlock()
		}
	}
}

// sync waits until all events that have arrived are handled. If the tab has gone,
// it returns why. A queue that is closed takes no mark, so then the end of run says
// that all were handled.
func (p *Page) sync(ctx context.Context) error {
	err := p.session.Events().Sync(ctx)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil: // the cause may say more than that the queue is closed
		return context.Cause(ctx)
	}
	<-p.ended
	return p.Err()
}

// closed ends the page when its session has: the tab was closed, or the browser has gone.
func (p *Page) closed(why error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !errors.Is(why, cdp.ErrClosed) {
		why = ErrClosed
	}
	p.endLocked(why)
	p.notifyLocked()
}

// notifyLocked wakes all calls of await, as the state that they wait for may have changed.
func (p *Page) notifyLocked() {
	close(p.changed)
	p.changed = make(chan struct{})
}

// childAttached prepares the session of a cross-site frame or a worker.
func (p *Page) childAttached(_ *cdp.Session, ev target.EventAttachedToTarget) {
	s := p.session.Child(string(ev.SessionID))
	if s == nil {
		return
	}
	kind := workerTarget
	if ev.TargetInfo.Type == "iframe" {
		kind = frameTarget
		p.frames.Moved(string(ev.TargetInfo.TargetID), s)
	}
	p.setUpLocked(s, kind)
}

// childDetached forgets what is known of a frame's process or a worker that has gone.
func (p *Page) childDetached(_ *cdp.Session, ev target.EventDetachedFromTarget) {
	p.removeSessionLocked(string(ev.SessionID))
	p.requests.forgetSession(string(ev.SessionID))
}

// targetCrashed fails all commands that wait for the process that has crashed: it
// will answer none. With the process of a cross-site frame only that frame is lost.
func (p *Page) targetCrashed(s *cdp.Session, _ inspector.EventTargetCrashed) {
	s.Fail(ErrCrashed)
	p.requests.forgetSession(s.ID)
	if s != p.session {
		p.frames.Crashed(s)
		return
	}
	p.endLocked(ErrCrashed)
}
