package page

import (
	"context"

	"github.com/chromedp/cdproto/fetch"

	"chela/internal/engine/cdp"
)

// run takes the events of a worker that several pages use, until it has gone. Requests
// of such a worker are paused by its own session. It also sees those for its scripts.
func (t *Target) run() {
	defer t.settings.delayed.stop() // which never changes
	for {
		ev, err := t.session.Events().Next(context.Background())
		if err != nil {
			return
		}
		if paused, ok := cdp.Decode(ev, fetch.RequestPaused); ok {
			t.requestPaused(&pausedRequest{paused, ev.Session, t.judge})
		}
	}
}

func (t *Target) requestPaused(r *pausedRequest) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if r.answered() {
		t.settings.passAnswer(r)
		return
	}
	t.interceptLocked(r)
}

func (t *Target) interceptLocked(r *pausedRequest) {
	if spent := t.settings.carryOut(r, t.on); spent {
		t.settings.pauseIn(t.session)
	}
}
