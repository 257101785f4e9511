package page

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"chela/internal/engine/frame"
	"chela/internal/wall/guard"
)

// The kinds of effects: what an act can make a page do.
const (
	Changed      = "changed"     // a document changed, or a control in it
	Navigated    = "navigated"   // the main frame has a new document or address
	DialogOpened = "dialog"      // a dialog opened
	Download     = "download"    // a download began
	Chooser      = "fileChooser" // the page requested files, and no upload waited for the request
	NewTab       = "newTab"      // the page opened a tab, or requested one
	Request      = "request"     // a document sent a request
)

// Effects collects the kinds of events that begin in a tab, from Collect until End. An answer
// reports them, so that a caller learns without another call whether its act had an effect. The
// page's mu guards the fields.
type Effects struct {
	page    *Page
	begun   map[string]time.Time // for each kind, when the first event of it began
	windows []string             // addresses of the tabs that the page requested
	refused *guard.Refused       // why a navigation was cancelled, see TakeRefusal
	loader  string               // loader id of the main frame's document at the beginning, when Collect was called
	invalid *InvalidControl      // see Invalid
	later   bool                 // see AwaitLater
	watched bool                 // see isWatched
}

// Collect begins to collect the effects of what follows. It first waits until all events that have
// arrived are handled, so that effects of earlier calls do not count.
func (p *Page) Collect(ctx context.Context) *Effects {
	p.Sync(ctx)
	p.mu.Lock()
	defer p.mu.Unlock()
	e := &Effects{page: p, begun: map[string]time.Time{}, loader: p.main().Loader}
	p.collecting[e] = struct{}{}
	return e
}

// End ends the collecting that Collect began.
func (e *Effects) End() {
	e.page.mu.Lock()
	defer e.page.mu.Unlock()
	delete(e.page.collecting, e)
}

// Begun lists the kinds of effects that have begun, in the order of their beginning.
func (e *Effects) Begun() []string {
	e.page.mu.Lock()
	defer e.page.mu.Unlock()
	begun := slices.AppendSeq([]string{}, maps.Keys(e.begun))
	slices.SortFunc(begun, func(a, b string) int { return cmp.Or(e.begun[a].Compare(e.begun[b]), cmp.Compare(a, b)) })
	return begun
}

// Windows lists the addresses of the tabs that the page requested. Chromium may refuse some of
// them. Package browser lists the tabs that opened.
func (e *Effects) Windows() []string {
	e.page.mu.Lock()
	defer e.page.mu.Unlock()
	return slices.Clone(e.windows)
}

// watchingLocked records that the documents begin to watch for changes.
func (p *Page) watchingLocked() {
	for e := range p.collecting {
		e.watched = true
	}
}

// isWatched reports whether the documents have begun to watch for changes since Collect. If not, a
// change that they report may be older.
func (e *Effects) isWatched() bool {
	e.page.mu.Lock()
	defer e.page.mu.Unlock()
	return e.watched
}

// recordLocked records an effect and when it began in all Effects that are being collected, if it
// is the first of its kind.
func (p *Page) recordLocked(effect string, at time.Time) {
	for e := range p.collecting {
		if _, known := e.begun[effect]; !known {
			e.begun[effect] = at
		}
	}
}

// recordChangedLocked records the effect Changed. Documents report times in whole milliseconds, so
// a change may seem to be a little older than the dialog before it. The page stands still while a
// dialog is open, so a change in the millisecond of the dialog counts as later.
func (p *Page) recordChangedLocked(at time.Time) {
	for e := range p.collecting {
		if opened := e.begun[DialogOpened]; opened.Truncate(time.Millisecond).Equal(at) {
			at = opened.Add(1)
		}
	}
	p.recordLocked(Changed, at)
}

// Chromium's events for document changes cost time in every document, even while nobody needs them.
// So the page script watches with a MutationObserver while an act is under way: see change.js. It
// reports the changes with the guard's verdict on the input (guard.go), or on request.

// watchChanges begins an act: from now on all documents watch for changes. If the tab has only one
// document, that one begins to watch with the next call of the page script. Every act makes such a
// call before it changes anything.
func (p *Page) watchChanges(ctx context.Context) {
	p.mu.Lock()
	p.watchingLocked()
	p.reported = map[frame.Origin]changes{}
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
	Files int   // downloads that the documents have requested since the act began
	Input int64 // when the documents got the last input event; 0: none came, or the report does not include it

	Sent    bool            // a form was submitted
	Invalid *invalidControl // the control that kept a form from being sent; nil: none
}

// invalidControl is the report of a document about a control that does not hold what its form requires.
type invalidControl struct {
	Name, Message string
	Hidden        bool // see InvalidControl
	Number        int  // number of the control; 0 if it is in another document
}

// An InvalidControl is a control that kept the browser from sending a form. A person sees the message
// beside it.
type InvalidControl struct {
	Ref     Ref    // the zero Ref if it is not known
	Name    string // if it has none, its attribute name
	Hidden  bool   // it is not rendered, so nobody sees the message
	Message string // words of the browser or of the page
}

// Invalid returns the control that kept the browser from sending a form; nil if there is none. After
// several acts, it belongs to the last form that was not sent. A form that was sent later ends it.
func (e *Effects) Invalid() *InvalidControl {
	e.page.mu.Lock()
	defer e.page.mu.Unlock()
	return e.invalid
}

// recordInvalidLocked records a report about a control in all Effects that are being collected.
func (p *Page) recordInvalidLocked(w *frame.World, c *invalidControl) {
	found := &InvalidControl{Name: c.Name, Message: c.Message, Hidden: c.Hidden}
	for f := range p.frames.All() {
		if f.World == w && c.Number != 0 {
			found.Ref = p.refInLocked(f, c.Number)
		}
	}
	for e := range p.collecting {
		e.invalid = found
	}
}

// forgetInvalidLocked forgets the control that kept a form from being sent: a form was sent since, or
// the document has gone.
func (p *Page) forgetInvalidLocked() {
	for e := range p.collecting {
		e.invalid = nil
	}
}

// recordChanges records the report c, which came with the answer of another page function. An origin
// without changes is asked again by collectChanges.
func (p *Page) recordChanges(w *frame.World, c changes) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.recordChangesLocked(w, c)
}

// recordChangesLocked records that the documents of an origin have changed, and the downloads that
// they requested. A report counts all downloads since the act began, so only those are new that the
// earlier reports of the origin did not have.
func (p *Page) recordChangesLocked(w *frame.World, c changes) {
	if c.At > 0 {
		p.recordChangedLocked(time.UnixMilli(c.At))
	}
	switch {
	case c.Invalid != nil:
		p.recordInvalidLocked(w, c.Invalid)
	case c.Sent:
		p.forgetInvalidLocked()
	}
	p.act.input = max(p.act.input, c.Input)
	before := p.reported[w.Origin()]
	p.downloads.links += max(0, c.Files-before.Files)
	p.reported[w.Origin()] = changes{At: max(before.At, c.At), Files: max(before.Files, c.Files)}
}

// reportAgain has collectChanges ask the documents of an origin although they have reported a change.
func (p *Page) reportAgain(w *frame.World) {
	p.mu.Lock()
	defer p.mu.Unlock()
	c := p.reported[w.Origin()]
	c.At = 0
	p.reported[w.Origin()] = c
}

// unchangedWorlds returns a world of each origin that has not reported a change.
func (p *Page) unchangedWorlds() []*frame.World {
	worlds := p.origins()
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.DeleteFunc(worlds, func(w *frame.World) bool { return p.reported[w.Origin()].At > 0 })
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
