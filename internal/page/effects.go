package page

import (
	"context"
	"slices"
	"time"

	"github.com/chromedp/cdproto/network"
	proto "github.com/chromedp/cdproto/page"

	"chela/internal/cdp"
)

// What an act can begin.
const (
	Changed   = "changed"   // the document changed
	Navigated = "navigated" // the tab went elsewhere
	Asked     = "dialog"    // the page asked something
	Download  = "download"  // a file began to arrive
	NewTab    = "newTab"    // the page opened a tab
	Request   = "request"   // the page asked its server something
)

// effects are what has begun in a tab since a mark, and the requests under way.
type effects struct {
	begun    []string
	windows  int // tabs that the page asked for
	requests map[network.RequestID]bool
	lastSent time.Time
}

// Note notes that something has begun.
func (p *Page) Note(effect string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.note(effect)
	p.tell()
}

// note is Note, called with mu held. Each effect is noted once.
func (p *Page) note(effect string) {
	if !slices.Contains(p.effects.begun, effect) {
		p.effects.begun = append(p.effects.begun, effect)
	}
}

// ForgetEffects begins to note anew what begins.
func (p *Page) ForgetEffects() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.effects.begun, p.effects.windows = nil, 0
}

// Effects returns what has begun since ForgetEffects, in order, and how many
// tabs the page asked for.
func (p *Page) Effects() (begun []string, windows int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.effects.begun), p.effects.windows
}

func (p *Page) windowOpened(_ *cdp.Session, _ proto.EventWindowOpen) {
	p.effects.windows++
	p.note(NewTab)
}

func (p *Page) requestSent(_ *cdp.Session, ev network.EventRequestWillBeSent) {
	if ev.Type == network.ResourceTypeEventSource || ev.Type == network.ResourceTypePing {
		return // it goes on for ever, or nobody waits for it
	}
	if p.effects.requests == nil {
		p.effects.requests = map[network.RequestID]bool{}
	}
	p.effects.requests[ev.RequestID] = true
	p.effects.lastSent = time.Now()
	p.note(Request)
}

func (p *Page) requestFinished(_ *cdp.Session, ev network.EventLoadingFinished) {
	delete(p.effects.requests, ev.RequestID)
}

func (p *Page) requestFailed(_ *cdp.Session, ev network.EventLoadingFailed) {
	delete(p.effects.requests, ev.RequestID)
}

// watchChanges has the frames count what changes in them.
func (p *Page) watchChanges(ctx context.Context) {
	for _, w := range p.worlds() {
		send[struct{}](ctx, w, "watch")
	}
}

// noteChanges asks the frames whether anything changed. One that does not
// answer soon is busy with what it was told to do.
func (p *Page) noteChanges(ctx context.Context) {
	soon, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var answers []answer[bool]
	for _, w := range p.worlds() {
		answers = append(answers, send[bool](ctx, w, "changed"))
	}
	for _, a := range answers {
		if changed, err := a.wait(soon); err == nil && changed {
			p.Note(Changed)
		}
	}
}

// calm is how long nothing happens in a page that has come to rest.
const calm = 100 * time.Millisecond

// Rest waits until the page has come to rest, at most for a time: no change of
// its document, and no request under way.
func (p *Page) Rest(ctx context.Context, most time.Duration) {
	limited, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	for limited.Err() == nil {
		if err := p.restOnce(limited); err != nil {
			continue // the document was replaced: the new one is to rest
		}
		p.mu.Lock()
		quiet := len(p.effects.requests) == 0 && time.Since(p.effects.lastSent) >= calm
		p.mu.Unlock()
		if quiet {
			return
		}
		p.await(limited, func() bool { return len(p.effects.requests) == 0 })
	}
}

func (p *Page) restOnce(ctx context.Context) error {
	w, err := p.worldOf(ctx, p.main())
	if err != nil {
		return err
	}
	deadline, _ := ctx.Deadline()
	_, err = call[struct{}](ctx, w, "rest", calm.Milliseconds(), time.Until(deadline).Milliseconds())
	return err
}
