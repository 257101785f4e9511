package setting

import (
	"context"
	"errors"
	"reflect"

	"github.com/chromedp/cdproto/fetch"

	"chela/internal/engine/cdp"
	"chela/internal/wall/guard"
	"chela/internal/wall/proxy"
)

// Applied are settings in force in the sessions of a page, or of another target. The mutex of that one guards them:
// it is held when a method is called. Methods send commands and wait for no reply.
type Applied struct {
	Settings
	hooks    Hooks
	sessions map[*cdp.Session]Kind // the owner adds and removes them
	answer   func(*PausedRequest)  // see Answer; nil: nothing is
}

// Hooks are what settings need of the page that they are for. Each may be nil.
type Hooks struct {
	Network *proxy.Proxy // what the browser connects through, or a judge of its requests

	// Stays reports whether a request that is refused is for the next document of the tab, which stays on the one
	// it has. It is called before the request fails, without the mutex.
	Stays func(*PausedRequest, *guard.Refused) bool

	// Used is called, with the mutex held, when a route was used that is for some requests only.
	Used func()
}

// Apply returns the settings of a page that has these sessions: the page adds to the map and removes from it.
func Apply(s Settings, sessions map[*cdp.Session]Kind, h Hooks) *Applied {
	s.delayed, s.judged = &delayedRequests{}, judged(h.Network)
	return &Applied{Settings: s, hooks: h, sessions: sessions}
}

// SetUp brings a new target to the settings.
func (a *Applied) SetUp(s *cdp.Session, kind Kind) { a.sendTo(s, kind, Settings{}) }

// Renew sets again what belongs to renderer processes, for the case that a session of
// another page has set it, and has ended or moved to another process. Chromium handles
// the end of a session before it handles commands that are sent after it. It refuses
// them where a third session has set it, so nobody waits for the replies.
func (a *Applied) Renew() {
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

// Change changes the settings of all sessions, and of those that come later. The commands are sent when it
// returns; the function that it returns waits until Chromium has taken them. The error of that one is a
// [*RefusedError], or why the session or ctx ended.
func (a *Applied) Change(change func(*Settings)) (wait func(context.Context) error) {
	before := a.Settings
	change(&a.Settings)
	for _, r := range a.delayed.cut(a.Routes) {
		a.intercept(r)
	}
	var confirms []confirm
	for session, kind := range a.sessions {
		sent := all(a.sendTo(session, kind, before))
		if kind == Frame || kind == Worker {
			sent = onlyInvalid(sent)
		}
		confirms = append(confirms, sent)
	}
	return all(confirms)
}

// Rejudge has requests judged as the policy in force wants it, when that has changed.
func (a *Applied) Rejudge() {
	a.Change(func(s *Settings) { s.judged = judged(a.hooks.Network) })
}

// Answer has the requests of a pattern of the Fetch domain paused and handed to a function. It answers
// them, with the mutex held, in place of what the settings say. nil ends that.
func (a *Applied) Answer(pattern string, answer func(*PausedRequest)) {
	a.answer = answer
	a.Change(func(s *Settings) {
		if s.also = nil; answer != nil {
			s.also = pausing{{URLPattern: pattern}}
		}
	})
}

// Paused decides what becomes of a request that Chromium has paused, or of the answer to one.
func (a *Applied) Paused(s *cdp.Session, ev fetch.EventRequestPaused) {
	r := &PausedRequest{ev, s, judge{a.hooks.Network, a.hooks.Stays}}
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
func (a *Applied) intercept(r *PausedRequest) {
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

// Waiting is how many requests wait for the delay of their route.
func (a *Applied) Waiting() int { return a.delayed.count() }

// Stop drops the requests that wait. The page has ended.
func (a *Applied) Stop() { a.delayed.stop() }

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
