package page

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	proto "github.com/chromedp/cdproto/page"

	"chela/internal/cdp"
	"chela/internal/frame"
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

// Effects collects what begins in a tab, from Collect until its End.
type Effects struct {
	page    *Page
	begun   map[string]time.Time
	windows []string // addresses of the tabs that the page asked for
	loader  string   // of the main frame's document when it began
	later   bool     // Rest waits for what comes later than the input
}

// Collect begins to collect. What others began before it does not count: all
// events that have arrived by now are handled first.
func (p *Page) Collect(ctx context.Context) *Effects {
	p.sync(ctx)
	p.mu.Lock()
	defer p.mu.Unlock()
	e := &Effects{page: p, begun: map[string]time.Time{}, loader: p.main().Loader}
	p.collecting[e] = struct{}{}
	return e
}

// End ends the collecting.
func (e *Effects) End() {
	e.page.mu.Lock()
	defer e.page.mu.Unlock()
	delete(e.page.collecting, e)
}

// Begun lists what has begun, in order.
func (e *Effects) Begun() []string {
	e.page.mu.Lock()
	defer e.page.mu.Unlock()
	begun := slices.AppendSeq([]string{}, maps.Keys(e.begun))
	slices.SortFunc(begun, func(a, b string) int { return cmp.Or(e.begun[a].Compare(e.begun[b]), cmp.Compare(a, b)) })
	return begun
}

// Windows lists the addresses of the tabs that the page asked for.
func (e *Effects) Windows() []string {
	e.page.mu.Lock()
	defer e.page.mu.Unlock()
	return slices.Clone(e.windows)
}

// note notes when something began, for the first time, to all who collect. It
// is called with mu held.
func (p *Page) recordLocked(effect string, at time.Time) {
	for e := range p.collecting {
		if _, known := e.begun[effect]; !known {
			e.begun[effect] = at
		}
	}
}

func (p *Page) windowOpened(_ *cdp.Session, ev proto.EventWindowOpen) {
	p.windowRequestedLocked(ev.URL)
}

// windowRequestedLocked notes that the page wants another tab. It is called with mu held.
func (p *Page) windowRequestedLocked(url string) {
	for e := range p.collecting {
		e.windows = append(e.windows, url)
	}
	p.recordLocked(NewTab, time.Now())
}

// watchChanges has the documents look out for changes.
func (p *Page) watchChanges(ctx context.Context) {
	p.mu.Lock()
	p.changedIn = map[frame.Origin]bool{}
	p.act = actMark{outcomes: p.outcomes}
	later := p.awaitsLaterLocked()
	p.mu.Unlock()
	for _, w := range p.origins() {
		frame.Send[struct{}](ctx, w, "watch", later)
	}
}

// changes are those of the documents of an origin.
type changes struct {
	At    int64 // when the first came; 0: there was none
	Files int   // that the documents asked for
	Input int64 // when the last input came to them; 0: none did, or nobody asked
}

// told notes changes that a document has told of with something else, once. One
// that has none yet is asked again.
func (p *Page) recordChanges(w *frame.World, c changes) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.act.input = max(p.act.input, c.Input)
	if c.At > 0 && !p.changedIn[w.Origin()] {
		p.recordChangesLocked(w, c)
	}
}

// noted is called with mu held.
func (p *Page) recordChangesLocked(w *frame.World, c changes) {
	if c.At > 0 {
		p.recordLocked(Changed, time.UnixMilli(c.At))
		p.changedIn[w.Origin()] = true
		if c.Input == 0 {
			p.act.elsewhere = max(p.act.elsewhere, c.At)
		}
	}
	p.act.input = max(p.act.input, c.Input)
	p.downloads.expected += c.Files
}

// unchangedWorlds are worlds of all origins that have not told of changes yet.
func (p *Page) unchangedWorlds() []*frame.World {
	worlds := p.origins()
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.DeleteFunc(worlds, func(w *frame.World) bool { return p.changedIn[w.Origin()] })
}

// collectChanges notes whether the documents changed. It does not wait for one
// that is making way for another since the mark, nor long for one that is busy
// with what it was told to do.
func (p *Page) collectChanges(ctx context.Context, since int) {
	soon, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var answers []frame.Answer[changes]
	for _, w := range p.unchangedWorlds() {
		answers = append(answers, frame.Send[changes](ctx, w, "changed"))
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
