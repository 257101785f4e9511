package call

import (
	"context"

	"chela/internal/engine/browser"
	"chela/internal/engine/profile"
	"chela/internal/op"
	"chela/internal/record/live"
)

// Watch returns the live view of an open tab. If control is set, viewers may also act. A session
// with limits may not watch: what a person does in the view is not bound by the limits.
func (s *Service) Watch(ctx context.Context, profile, tab string, control bool) (*live.Stream, error) {
	if err := enabled(s.Config.Current()); err != nil {
		return nil, err
	}
	if s.Limited(ctx) {
		return nil, op.Errorf(op.Forbidden, "this session may open only some hosts, and may not watch tabs").
			Hinted("go on with its own tabs; the user can do the rest")
	}
	p, err := s.Profiles.Named(profile)
	if err != nil {
		return nil, Explain(err)
	}
	var stream *live.Stream
	ctx = context.WithValue(ctx, noteKey{}, new(note)) // an empty note: watching is not listed as a call on the tab
	way := Way{On: On{InProfile: InProfile{profile}, TargetID: tab}, OnlyOpen: true, Leased: true}
	err = s.Reach(ctx, way, func(_ browser.Session, tab *browser.Tab) error {
		if op.Session(ctx) != op.Person { // in the dashboard, a person looks at any tab
			if err := tab.Browser().Person(op.Person).Admit(tab); err != nil { // elsewhere, a person may look at a leased tab after taking it over
				return err
			}
		}
		stream = &live.Stream{Profile: p.Name, Tab: tab, Calls: &p.Calls, Control: control, Now: func() *browser.Tab { return tabNow(p, tab) }}
		return nil
	})
	return stream, Explain(err)
}

// tabNow returns the tab in the browser that runs now. If none runs, it returns the tab as it was.
func tabNow(p *profile.Profile, was *browser.Tab) *browser.Tab {
	b := p.Running()
	if b == nil {
		return was
	}
	now, err := b.Person(op.Person).FindLeased(was.ID)
	if now == nil || err != nil {
		return was
	}
	return now
}

// TakeTicket returns the stream that a ticket is for, and nil if the ticket is not good any more.
func (s *Service) TakeTicket(secret string) *live.Stream {
	stream, _ := s.Tickets.Take(secret)
	return stream
}
