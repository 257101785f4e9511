package call

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"time"

	"chela/internal/engine/browser"
	"chela/internal/engine/journal"
	"chela/internal/op"
)

// The kinds of changes. A new console message, error or request of a page has the kind "journal"
// with the handle of the tab, as in "journal t1".
const (
	changedCalls    = "calls"    // a call has ended, which may have changed tabs, sessions and profiles
	changedTabs     = "tabs"     // tabs of a running browser have changed
	changedBrowsers = "browsers" // a browser has ended
	changedAsks     = "asks"     // an agent asks a person, or a question has ended without a call
	changedJournal  = "journal "
)

// changePause is the least time between two reports. What changes meanwhile is in the next one.
const changePause = 250 * time.Millisecond

// changes reports to its followers that something has changed. The zero value has no followers.
type changes struct {
	mu        sync.Mutex // guards the rest, and the kinds of the followers
	followers map[*changeFollower]struct{}
}

// A changeFollower collects what has changed since its last report.
type changeFollower struct {
	kinds map[string]bool
	more  chan struct{} // has a value while kinds is not empty
}

// note adds a kind of change for all followers. It does not wait for them.
func (c *changes) note(kind string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for f := range c.followers {
		f.addLocked(kind)
	}
}

func (f *changeFollower) addLocked(kind string) {
	f.kinds[kind] = true
	select {
	case f.more <- struct{}{}:
	default:
	}
}

func (c *changes) follow() (f *changeFollower, stop func()) {
	f = &changeFollower{kinds: map[string]bool{}, more: make(chan struct{}, 1)}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.followers == nil {
		c.followers = map[*changeFollower]struct{}{}
	}
	c.followers[f] = struct{}{}
	return f, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.followers, f)
	}
}

// take returns what has changed since it was last called, in the order of the alphabet.
func (c *changes) take(f *changeFollower) (kinds []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for kind := range f.kinds {
		kinds = append(kinds, kind)
	}
	clear(f.kinds)
	slices.Sort(kinds)
	return kinds
}

// A changeReport says which kinds of things have changed.
type changeReport struct {
	Changed []string `json:"changed"`
}

// FollowChanges reports which kinds of things have changed, until ctx ends or report returns an
// error. The first report comes at once, with an empty list. It tells a follower to read all that
// it shows for the first time.
func (s *Service) FollowChanges(ctx context.Context, report func(any) error) error {
	ctx, cancel := context.WithCancel(ctx)
	f, stop := s.changes.follow()
	var following sync.WaitGroup
	defer following.Wait()
	defer cancel()
	defer stop()
	var followed []*browser.Browser // those that ran at the last report
	pause := time.NewTimer(0)
	defer pause.Stop()
	for kinds := []string{}; ; kinds = s.changes.take(f) {
		running := s.Profiles.Running() // only calls start browsers, so a new one is noticed at the end of a call
		for _, b := range running {
			if !slices.Contains(followed, b) {
				following.Go(func() {
					s.noteTabs(ctx, b)
					s.changes.note(changedBrowsers)
				})
			}
		}
		followed = running
		if err := report(changeReport{kinds}); err != nil {
			return err
		}
		pause.Reset(changePause)
		select {
		case <-pause.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		select {
		case <-f.more:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// noteTabs notes what changes in the tabs of a browser, until ctx or the browser ends.
func (s *Service) noteTabs(ctx context.Context, b *browser.Browser) {
	listener := func(t *browser.Tab) journal.Listener {
		kind := changedJournal + t.ID
		return journal.Listener{
			Message: func(journal.Message) { s.changes.note(kind) },
			Error:   func(journal.Error) { s.changes.note(kind) },
			Request: func(journal.Request) { s.changes.note(kind) },
		}
	}
	b.FollowJournals(ctx, listener, func([]*browser.Tab) { s.changes.note(changedTabs) })
}

// onlyShows reports whether a call only reads what the dashboard shows. Such a call is not listed
// among the calls on its tab, because the person has not done anything there. It is no change for
// followers either: the dashboard would then read again without end.
func onlyShows(ctx context.Context, o *op.Op) bool {
	return op.SurfaceOf(ctx) == op.Dashboard && o.Routes[0].Method == http.MethodGet
}
