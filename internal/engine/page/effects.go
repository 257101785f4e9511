package page

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

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
