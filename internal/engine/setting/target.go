package setting

import (
	"context"
	"sync"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"

	"chela/internal/engine/cdp"
	"chela/internal/wall/proxy"
)

// A Target is what has settings, but is in no page: the browser itself, or a worker
// that several pages use.
type Target struct {
	session *cdp.Session

	mu       sync.Mutex // guards the rest
	settings *Applied
}

func newTarget(session *cdp.Session, kind Kind, s Settings, h Hooks) *Target {
	s.delayed = &delayedRequests{}
	return &Target{session: session, settings: &Applied{Settings: s, hooks: h, sessions: map[*cdp.Session]Kind{session: kind}}}
}

// BrowserTarget is the browser, by its root session, or one of its browser contexts.
func BrowserTarget(root *cdp.Session, context protocol.BrowserContextID) *Target {
	return newTarget(root, Browser, Settings{context: context}, Hooks{})
}

// SharedWorker is a shared worker or a service worker. Network is what the browser connects through, or nil; used is
// called when a route was used that is for some requests only.
func SharedWorker(s *cdp.Session, network *proxy.Proxy, used func()) *Target {
	t := newTarget(s, Shared, Settings{}, Hooks{Network: network, Used: used})
	go t.run()
	return t
}

// Set changes the settings of the target. The function that it returns waits until Chromium has taken them. That one's
// error is a [*RefusedError], or why the target or ctx ended.
func (t *Target) Set(c Common) (wait func(context.Context) error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.settings.Change(func(s *Settings) { s.Common, s.judged = c, judged(t.settings.hooks.Network) })
}

// Rejudge has requests judged as the policy in force wants it, when that has changed.
func (t *Target) Rejudge() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.settings.Rejudge()
}

// run takes the events of a worker that several pages use, until it has gone. Requests
// of such a worker are paused by its own session. It also sees those for its scripts.
func (t *Target) run() {
	defer t.settings.Stop() // which never changes
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
