package page

import (
	"context"
	"errors"
	"reflect"

	"github.com/chromedp/cdproto/fetch"

	"chela/internal/engine/cdp"
	"chela/internal/wall/guard"
	"chela/internal/wall/proxy"
)

// applied are settings that are in force in the sessions of a page, or of another target. A mutex of
// the page guards them: their methods are called with it held. They send commands and wait for no reply.
type applied struct {
	Settings
	hooks    hooks
	sessions map[*cdp.Session]targetKind // the page adds them, and removes them
	answer   func(*pausedRequest)        // see answerRequests; nil: nothing is
}

// hooks are what settings need of the page that they are for. Each may be nil.
type hooks struct {
	Network *proxy.Proxy // what the browser connects through, or a judge of its requests

	// Stays reports whether a request that is refused is for the next document of the tab, which stays on the one
	// it has. It is called before the request fails, without the mutex.
	Stays func(*pausedRequest, *guard.Refused) bool

	// Used is called, with the mutex held, when a route was used that is for some requests only.
	Used func()
}

// newApplied returns the settings of a page that has these sessions.
func newApplied(s Settings, sessions map[*cdp.Session]targetKind, h hooks) *applied {
	s.delayed, s.judged = &delayedRequests{}, judged(h.Network)
	return &applied{Settings: s, hooks: h, sessions: sessions}
}

// send brings a new target to the settings.
func (a *applied) send(s *cdp.Session, kind targetKind) { a.sendTo(s, kind, Settings{}) }

// renew sets again what belongs to renderer processes, see [Page.Renew].
func (a *applied) renew() {
	for _, part := range parts {
		if !part.process || reflect.DeepEqual(part.of(a.Settings), part.of(Settings{})) {
			continue
		}
		for session, kind := range a.sessions {
			if kind.in(part.on) {
				part.send(session, a.Settings, Settings{})
			}
		}
	}
}

// change changes the settings: those of all sessions, and of those that come later. The commands are
// sent when it returns; the function that it returns waits until Chromium has taken them. That one's error is a
// [*RefusedError], or why the session or ctx ended.
func (a *applied) change(change func(*Settings)) (wait func(context.Context) error) {
	before := a.Settings
	change(&a.Settings)
	for _, r := range a.delayed.cut(a.Routes) {
		a.intercept(r)
	}
	var confirms []confirm
	for session, kind := range a.sessions {
		sent := all(a.sendTo(session, kind, before))
		if kind == frameTarget || kind == workerTarget {
			sent = onlyInvalid(sent)
		}
		confirms = append(confirms, sent)
	}
	return all(confirms)
}

// rejudge has requests judged as the policy in force wants it, when that has changed.
func (a *applied) rejudge() {
	a.change(func(s *Settings) { s.judged = judged(a.hooks.Network) })
}

// answerRequests has further requests paused, those of a pattern of the Fetch domain, and handed to a
// function that answers them. It is called with the mutex held; nil ends that.
func (a *applied) answerRequests(pattern string, answer func(*pausedRequest)) {
	a.answer = answer
	a.change(func(s *Settings) {
		if s.also = nil; answer != nil {
			s.also = pausing{{URLPattern: pattern}}
		}
	})
}

// paused decides what becomes of a request that Chromium has paused, or of the answer to one.
func (a *applied) paused(s *cdp.Session, ev fetch.EventRequestPaused) {
	r := &pausedRequest{ev, s, judge{a.hooks.Network, a.hooks.Stays}}
	switch {
	case r.answered():
		a.passAnswer(r)
	case a.answer != nil:
		a.answer(r)
	default:
		a.intercept(r)
	}
}

// intercept does with a request what the settings say. Those of a route that is
// spent need not be paused any more. Other pages find that out when they have paused
// one in vain.
func (a *applied) intercept(r *pausedRequest) {
	d := a.decide(r)
	a.delayed.carryOut(d, r)
	if d.counted && a.hooks.Used != nil {
		a.hooks.Used()
	}
	if !d.spent {
		return
	}
	for session, kind := range a.sessions {
		if kind.in(interceptPart.on) {
			a.pauseIn(session)
		}
	}
}

// waiting is how many requests wait for the delay of their route.
func (a *applied) waiting() int { return a.delayed.count() }

// stop drops the requests that wait, when the page has ended.
func (a *applied) stop() { a.delayed.stop() }

// onlyInvalid returns a confirm for the session of a frame or a worker. That may go away
// or crash just then, which is no failure: only a value that is wrong is one, and the
// end of ctx.
func onlyInvalid(sent confirm) confirm {
	return func(ctx context.Context) error {
		err := sent(ctx)
		if refused, ok := errors.AsType[*RefusedError](err); ok && refused.Invalid() || ctx.Err() != nil {
			return err
		}
		return nil
	}
}
