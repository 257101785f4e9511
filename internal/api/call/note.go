package call

import (
	"context"
	"strings"
	"sync"
	"time"

	"chela/internal/base/sitedata"
	"chela/internal/engine/browser"
	"chela/internal/engine/journal"
	"chela/internal/op"
)

// A note is what becomes known of a call while it runs: its tab, and the actions of a batch.
type note struct {
	mu    sync.Mutex // guards the rest
	tab   *browser.Tab
	parts []string
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

func (n *note) on(tab *browser.Tab) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.tab = tab
}

func (n *note) part(name string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.parts = append(n.parts, name)
}

// noted returns a context in which the call's tab and actions are recorded, and a function to call
// at its end. That function adds the call to the list of calls of its profile, so that a user can
// see who did what in which tab.
func (s *Service) noted(ctx context.Context, o *op.Op, args op.Args) (context.Context, func(error)) {
	n, began := new(note), time.Now()
	return context.WithValue(ctx, noteKey{}, n), func(err error) {
		n.mu.Lock()
		defer n.mu.Unlock()
		p, unknown := s.Profiles.Named(textOf(args["profile"]))
		if n.tab == nil || unknown != nil {
			return
		}
		tab := n.tab.Info()
		c := journal.TabCall{
			At: began, Took: time.Since(began), Session: op.Session(ctx), Caller: op.Caller(ctx),
			Operation: o.Name(), Tab: tab.ID, Site: sitedata.OriginOf(tab.URL),
		}
		if len(n.parts) > 0 {
			c.Operation += ": " + strings.Join(n.parts, ", ")
		}
		if err != nil {
			c.Failed = string(op.AsError(err).Code)
		}
		p.Calls.Add(c)
	}
}
