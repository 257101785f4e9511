package setting

import (
	"context"
	"sync"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"

	"chela/internal/engine/cdp"
	"chela/internal/wall/proxy"
)

// A Target applies settings to something that is not a page: the browser itself, or a worker that
// several pages use.
type Target struct {
	session *cdp.Session

	mu       sync.Mutex // guards the rest
	settings *Applied
}

// newTarget returns a target, and sends no commands. The first [Target.Set] sends what differs from
// Chromium's defaults. Set also sets which requests are checked against the network policy. If
// newTarget did that, the first Set would see no change, and would not send the patterns.
func newTarget(session *cdp.Session, kind Kind, s Settings, h Hooks) *Target {
	s.delayed = &delayedRequests{}
	return &Target{session: session, settings: &Applied{Settings: s, hooks: h, sessions: map[*cdp.Session]Kind{session: kind}}}
}

// BrowserTarget returns the target for the browser context with this id; "" is the default one. It
// uses the root session.
func BrowserTarget(root *cdp.Session, context protocol.BrowserContextID) *Target {
	return newTarget(root, Browser, Settings{context: context}, Hooks{})
}

// SharedWorker returns the target for a shared worker or a service worker. The parameter network is
// [Hooks.Network]. The parameter used is a function that is called after each use of a route with a
// limited number of uses.
func SharedWorker(s *cdp.Session, network *proxy.Proxy, used func()) *Target {
	t := newTarget(s, Shared, Settings{}, Hooks{Network: network, Used: used})
	go t.run()
	return t
}

// Set changes the settings of the target. The function wait returns when Chromium has replied to
// the commands. Its error is a [*RefusedError], or why the target or ctx ended.
func (t *Target) Set(c Common) (wait func(context.Context) error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.settings.Change(func(s *Settings) { s.Common, s.judged = c, patternsToJudge(t.settings.hooks.Network) })
}

// Rejudge applies a changed network policy, see [Applied.Rejudge].
func (t *Target) Rejudge() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.settings.Rejudge()
}

// run handles the events of a shared or service worker until it has ended. The worker's own session
// pauses its requests, including those for its scripts.
func (t *Target) run() {
	defer t.settings.Stop() // the pointer never changes, so no lock is needed
	for {
		ev, err := t.session.Events().Next(context.Background())
		if err != nil {
			return
		}
		if paused, ok := cdp.Decode(ev, fetch.RequestPaused); ok {
			t.mu.Lock()
			t.settings.Paused(ev.Session, paused)
			t.mu.Unlock()
		}
	}
}
