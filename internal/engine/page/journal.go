package page

import (
	"context"

	"chela/internal/engine/cdp"
	"chela/internal/engine/journal"
	"chela/internal/engine/observe"
)

// Record makes the page write into the event log j from now on. A page begins with an event log of
// its own, whose entries are moved to j. The event log of a tab has the events of all its pages.
func (p *Page) Record(j *journal.Journal) { p.observer.Record(j) }

// SyncJournal waits until all that Chromium has reported so far is in the event log, or ctx ends.
// So a caller that has seen the effect of an act finds what the act has logged.
func (p *Page) SyncJournal(ctx context.Context) { p.session.Observations().Sync(ctx) }

// Body asks Chromium for the body of a response. The result text says whether Chromium takes the
// body for text, and so has decoded it to UTF-8. Errors are ErrBodyGone and why the page or ctx
// ended.
func (p *Page) Body(ctx context.Context, r journal.Request) (body []byte, text bool, err error) {
	s, most := p.sessionOf(r)
	return observe.Body(ctx, s, most, r)
}

// PostData returns the body of a request, even if it is too long to be in the event log. It returns
// the same errors as Body.
func (p *Page) PostData(ctx context.Context, r journal.Request) ([]byte, error) {
	s, _ := p.sessionOf(r)
	return observe.PostData(ctx, s, r)
}

// sessionOf returns the session that has a request's body, and how many bytes of bodies that
// session keeps. In a chain of redirects only the last hop has a body. The session is nil if no
// session has the body, or that session has gone. Shared and service workers have sessions outside
// of the page.
func (p *Page) sessionOf(r journal.Request) (*cdp.Session, int64) {
	if r.RedirectedTo != "" {
		return nil, 0
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for s, kind := range p.sessions {
		if s.ID == r.Session {
			return s, bodies(kind)
		}
	}
	return p.session.Sibling(r.Session), observe.OtherBodies
}
