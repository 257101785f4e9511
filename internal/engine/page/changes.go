package page

import (
	"context"
	"slices"
	"time"

	"chela/internal/engine/frame"
)

// Chromium's events for document changes cost time in every document, even while nobody needs them.
// So the page script watches with a MutationObserver while an act is under way: see change.js. It
// reports the changes with the guard's verdict on the input (guard.go), or on request.

// watchChanges begins an act: from now on all documents watch for changes. If the tab has only one
// document, that one begins to watch with the next call of the page script. Every act makes such a
// call before it changes anything.
func (p *Page) watchChanges(ctx context.Context) {
	p.mu.Lock()
	p.watchingLocked()
	p.changedIn = map[frame.Origin]bool{}
	p.act = actMark{outcomes: p.outcomes}
	later := p.awaitsLaterLocked()
	only := p.frames.Only()
	p.mu.Unlock()
	if only != nil {
		only.RunFirst("watchChanges", later)
		return
	}
	sendToOrigins[struct{}](ctx, p, "watchChanges", later)
}

// changes is the report of the documents of one origin about an act. Its times are in milliseconds,
// by Date.now in the documents.
type changes struct {
	At    int64 // when the first change came; 0: nothing has changed
	Files int   // downloads that the documents requested
	Input int64 // when the documents got the last input event; 0: none came, or the report does not include it
}

// recordChanges records the report c, which came with the answer of another page function. For each
// origin, only the first report with a change counts: it has all downloads of the act so far. An
// origin without changes is asked again by collectChanges.
func (p *Page) recordChanges(w *frame.World, c changes) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.act.input = max(p.act.input, c.Input)
	if c.At > 0 && !p.changedIn[w.Origin()] {
		p.recordChangesLocked(w, c)
	}
}

// recordChangesLocked records that the documents of an origin have changed, and the downloads that
// they requested.
func (p *Page) recordChangesLocked(w *frame.World, c changes) {
	if c.At > 0 {
		p.recordChangedLocked(time.UnixMilli(c.At))
		p.changedIn[w.Origin()] = true
	}
	p.act.input = max(p.act.input, c.Input)
	p.downloads.expected += c.Files
}

// unchangedWorlds returns a world of each origin that has not reported a change.
func (p *Page) unchangedWorlds() []*frame.World {
	worlds := p.origins()
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.DeleteFunc(worlds, func(w *frame.World) bool { return p.changedIn[w.Origin()] })
}

// collectChanges asks the origins that have not reported a change whether there is one. If a
// navigation has begun after the parameter since, a navigationMark, it does not wait for answers.
// Chromium delays the answers of the old document until the new one is there. The whole wait takes
// at most busyAfter: if the act has made the page busy, the call must not wait for that.
func (p *Page) collectChanges(ctx context.Context, since int) {
	soon, cancel := context.WithTimeout(ctx, busyAfter)
	defer cancel()
	var answers []frame.Answer[changes]
	for _, w := range p.unchangedWorlds() {
		answers = append(answers, frame.Send[changes](ctx, w, "changesSoFar"))
	}
	for _, a := range answers {
		left := func() bool { return p.leavingAnyLocked(since) }
		if p.awaitOr(soon, a.Done(), left) != nil {
			return
		}
		select {
		case <-a.Done():
		default:
			continue
		}
		c, err := a.Wait(soon)
		if err != nil {
			continue
		}
		p.mu.Lock()
		p.recordChangesLocked(a.World, c)
		p.mu.Unlock()
	}
}
