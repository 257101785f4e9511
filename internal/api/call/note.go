package call

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"time"

	"chela/internal/base/sitedata"
	"chela/internal/engine/browser"
	"chela/internal/engine/journal"
	"chela/internal/engine/page"
	"chela/internal/engine/profile"
	"chela/internal/op"
	"chela/internal/record/recorder"
)

// A note is what becomes known of a call while it runs: its tab, its elements, and the actions of a
// batch. An action of a batch has a note of its own.
type note struct {
	service *Service
	op      *op.Op
	args    op.Args
	began   time.Time
	part    bool               // the call is an action of a batch
	profile *profile.Profile   // nil: there is no such profile
	records *recorder.Recorder // nil: nothing is recorded

	mu       sync.Mutex // guards the rest
	tab      *browser.Tab
	parts    []string
	subjects []page.Subject
	changes  bool // the call is an act or a navigation, after which the tab may look different
}

type noteKey struct{}

// noteOf returns the note of a call. If ctx does not come from [Service.Run], it returns a new
// note, which is then lost.
func noteOf(ctx context.Context) *note {
	if n, ok := ctx.Value(noteKey{}).(*note); ok {
		return n
	}
	return new(note)
}

// with returns a context in which what becomes known of a call is noted in n.
func (n *note) with(ctx context.Context) context.Context {
	if n.records != nil {
		ctx = page.WithSubjects(ctx, n.about)
	}
	return context.WithValue(ctx, noteKey{}, n)
}

// on notes the tab of the call.
func (n *note) on(tab *browser.Tab) {
	n.mu.Lock()
	n.tab = tab
	n.mu.Unlock()
	if n.records != nil {
		n.service.Recorders.Begin(n.records, tab)
	}
}

// about notes an element that the call is about. What is reported later of an element replaces what
// was reported before.
func (n *note) about(s page.Subject) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for i, known := range n.subjects {
		if known.Ref == s.Ref {
			n.subjects[i] = s
			return
		}
	}
	n.subjects = append(n.subjects, s)
}

// acts notes that the tab may look different after the call.
func (n *note) acts() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.changes = true
}

// beginPart returns the note of an action of the batch.
func (n *note) beginPart(o *op.Op, args op.Args) *note {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.parts = append(n.parts, o.Name())
	return &note{service: n.service, op: o, args: args, began: time.Now(), part: true, profile: n.profile, records: n.records, tab: n.tab}
}

// noted returns the note of a call that begins. If the call only reads for the dashboard (see
// onlyShows), its note has no profile, so the call is neither listed nor recorded.
func (s *Service) noted(ctx context.Context, o *op.Op, args op.Args) *note {
	n := &note{service: s, op: o, args: args, began: time.Now()}
	if onlyShows(ctx, o) {
		return n
	}
	if p, err := s.Profiles.Named(o.ProfileIn(args)); err == nil {
		n.profile, n.records = p, s.recorderOf(p)
	}
	return n
}

// end notes how the call ended. It adds the call to the list of calls of its profile, so that a user
// can see who did what in which tab. It also records the call.
func (n *note) end(ctx context.Context, answer json.RawMessage, err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.tab == nil || n.profile == nil {
		return
	}
	if !n.part {
		n.profile.Calls.Add(n.tabCallLocked(ctx, err))
	}
	if n.records != nil {
		n.recordLocked(ctx, answer, err)
	}
}

// tabCallLocked returns the call for the list of calls.
func (n *note) tabCallLocked(ctx context.Context, err error) journal.TabCall {
	tab := n.tab.Info()
	c := journal.TabCall{
		At: n.began, Took: time.Since(n.began), Session: op.Session(ctx), Caller: op.Caller(ctx),
		Operation: n.op.Name(), Tab: tab.ID, Site: sitedata.OriginOf(tab.URL),
	}
	if len(n.parts) > 0 {
		c.Operation += ": " + strings.Join(n.parts, ", ")
	}
	if err != nil {
		c.Failed = string(op.AsError(err).Code)
	}
	return c
}
