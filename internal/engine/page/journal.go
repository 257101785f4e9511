package page

import (
	"context"

	"chela/internal/engine/cdp"
	"chela/internal/engine/journal"
	"chela/internal/engine/observe"
)

// Record has the page write into a journal from now on, which also gets what the page
// has recorded before: a page begins with a journal of its own. The journal of a tab has
// what all its pages have done.
func (p *Page) Record(j *journal.Journal) { p.observer.Record(j) }

// SyncJournal waits until all that Chromium has reported so far is in the journal, or
// ctx ends. So a caller that has seen the effect of an act finds what the act has logged.
func (p *Page) SyncJournal(ctx context.Context) { p.session.Observations().Sync(ctx) }

// Body asks Chromium for the body of the answer to a request. text reports whether
// Chromium takes it for text, which it has decoded to UTF-8. Errors are ErrBodyGone
// and why the page or ctx ended.
func (p *Page) Body(ctx context.Context, r journal.Request) (body []byte, text bool, err error) {
	s, most := p.sessionOf(r)
	return observe.Body(ctx, s, most, r)
}

// PostData is what was sent with a request, also if it is too long to be in the journal.
// Errors are those of Body.
func (p *Page) PostData(ctx context.Context, r journal.Request) ([]byte, error) {
	s, _ := p.sessionOf(r)
	return observe.PostData(ctx, s, r)
}

// sessionOf finds the session that has a request's body, and how many bytes of bodies
// that keeps. Only the last hop of a redirect has one. It is nil if there is none, or it
// has gone.
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
	return nil, 0
}
