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

// Applied sends settings to the sessions of a page or another target. The mutex of that page or
// target guards it: callers of a method hold that mutex. Methods send commands and do not wait for
// replies.
type Applied struct {
	Settings
	hooks    Hooks
	sessions map[*cdp.Session]Kind // the owner of this Applied adds and removes sessions
	answer   func(*PausedRequest)  // see Answer; nil: nobody answers
}

// Hooks are what an Applied needs of its page: functions, and the proxy. Each may be nil.
type Hooks struct {
	// Network is the browser's proxy. In a browser that connects without chela's proxy, it is a
	// judge, see judge.go.
	Network *proxy.Proxy

	// CancelsNavigation reports whether a refused request is for the tab's next document. In that
	// case the tab stays on the current document. It is called before the request fails, without
	// the mutex.
	CancelsNavigation func(*PausedRequest, *guard.Refused) bool

	// Used is called, with the mutex held, when a route with a limited number of uses was used.
	Used func()
}

// Apply returns the Applied of a page with these sessions. The page adds sessions to the map and
// removes them. SetUp then sends the settings to each. Apply also sets which requests are judged,
// that is, checked against the network policy.
func Apply(s Settings, sessions map[*cdp.Session]Kind, h Hooks) *Applied {
	s.delayed, s.judged = &delayedRequests{}, patternsToJudge(h.Network)
	return &Applied{Settings: s, hooks: h, sessions: sessions}
}

// SetUp sends the settings to a new target.
func (a *Applied) SetUp(s *cdp.Session, kind Kind) { a.sendTo(s, kind, Settings{}) }

// Renew sends the settings again that belong to a renderer process. It is needed when another
// page's session had set them, and has ended or moved to another process. Chromium handles the end
// of a session before commands that are sent later. Chromium refuses the command if yet another
// session has set the value. That is no error, so Renew does not wait for replies.
func (a *Applied) Renew() {
	for _, part := range parts {
		if !part.process || reflect.DeepEqual(part.of(a.Settings), part.of(Settings{})) {
			continue
		}
		a.sendAgain(part)
	}
}

// RenewTouch sends the emulated touch screen again. It does not wait for replies. It is called after
// a screenshot that is larger than the viewport. For such a screenshot, Chromium applies Blink's
// settings of the command line again, and these say that there is a mouse.
func (a *Applied) RenewTouch() {
	if a.EmulatedDevice().Touch {
		a.sendAgain(touchPart)
	}
}

// sendAgain sends the settings of a part to all sessions that take them.
func (a *Applied) sendAgain(p part) {
	for session, kind := range a.sessions {
		if kind.in(p.on) {
			p.send(session, a.Settings, Settings{})
		}
	}
}

// Change changes the settings of all sessions, and of future ones. The commands have been sent when
// it returns; the function wait returns when Chromium has replied to them. Its error is a
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

// Rejudge applies a changed network policy: it updates which requests Chromium pauses for a check
// against the policy.
func (a *Applied) Rejudge() {
	a.Change(func(s *Settings) { s.judged = patternsToJudge(a.hooks.Network) })
}

// Answer pauses the requests that match a pattern of the Fetch domain, and passes all paused
// requests to the function answer. The function answers them, with the mutex held, and the settings
// do not apply. If answer is nil, this ends.
func (a *Applied) Answer(pattern string, answer func(*PausedRequest)) {
	a.answer = answer
	a.Change(func(s *Settings) {
		if s.answered = nil; answer != nil {
			s.answered = requestPatterns{{URLPattern: pattern}}
		}
	})
}

// Paused decides what happens to a request, or to a response, that Chromium has paused.
func (a *Applied) Paused(s *cdp.Session, ev fetch.EventRequestPaused) {
	r := &PausedRequest{ev, s, judge{a.hooks.Network, a.hooks.CancelsNavigation}}
	switch {
	case r.hasResponse():
		a.passResponse(r)
	case a.answer != nil:
		a.answer(r)
	default:
		a.intercept(r)
	}
}

// intercept applies the settings to a paused request. If this was the last request of a route with
// limited uses (Times), the session no longer pauses requests for the route. Other pages with this
// route stop pausing after their next such request.
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
			a.pauseRequests(session)
		}
	}
}

// Waiting returns how many paused requests wait for the delay of their route.
func (a *Applied) Waiting() int { return a.delayed.count() }

// Stop forgets the requests that wait for the delay of their route, because the page has ended.
func (a *Applied) Stop() { a.delayed.stop() }

// onlyInvalid wraps the confirm of a frame or a worker. A frame or worker may end or crash at any
// time, which is not an error. Only an invalid value and the end of ctx are errors.
func onlyInvalid(sent confirm) confirm {
	return func(ctx context.Context) error {
		err := sent(ctx)
		if refused, ok := errors.AsType[*RefusedError](err); ok && refused.Invalid() || ctx.Err() != nil {
			return err
		}
		return nil
	}
}
