package call

import (
	"context"
	"errors"
	"fmt"

	"chela/internal/engine/browser"
	"chela/internal/op"
)

// A session with limits may call the rows with [op.Confined], and no others. These rows find tabs,
// and the data of sites, by [browser.Session] only. They fetch from the hosts of the session only.

// Hosts returns the only hosts that the session of a call may open; nil: all that the policy
// allows.
func (s *Service) Hosts(ctx context.Context) []string { return s.Limits.Hosts(op.Session(ctx)) }

// Confine limits the session of a call to these hosts from now on. The limit stays, even if what the
// session then opens fails. What the session has opened before has no such limit, so it must not
// have opened anything. If a node runs the calls of the session, both machines have the limit.
func (s *Service) Confine(ctx context.Context, hosts []string) error {
	session := op.Session(ctx)
	if session == "" {
		return op.Errorf(op.Invalid, "a limit of hosts is a session's, and the call is in none")
	}
	if !s.Limited(ctx) {
		err := s.openedUnlimited(ctx, session) // it may wait for a browser that is ending
		if err != nil && !s.Limited(ctx) {     // otherwise another call has limited the session and opened a tab meanwhile
			return Explain(err)
		}
	}
	if err := s.confining.Lock(ctx); err != nil {
		return Explain(err)
	}
	defer s.confining.Unlock()
	limited := s.Limited(ctx)
	err := s.Limits.SetHosts(session, hosts)
	if limited {
		return Explain(err)
	}
	// Another call may have opened a tab since openedUnlimited. From now on none can, see
	// [browser.Session.Open].
	if opened := s.openedUnlimited(ctx, session); opened != nil {
		return Explain(errors.Join(opened, s.Limits.End(session)))
	}
	return Explain(err)
}

// openedUnlimited returns a [browser.ErrOpenedUnlimited] if the session, which has no limits or gets
// its first ones, has opened anything.
func (s *Service) openedUnlimited(ctx context.Context, session string) error {
	for _, used := range s.Profiles.Sessions(ctx) {
		if used.Key == session && (used.Isolated || len(used.Tabs) > 0) {
			return fmt.Errorf("profile %s: %w", used.Profile, browser.ErrOpenedUnlimited)
		}
	}
	return nil
}

// Limited reports whether the session of a call has limits.
func (s *Service) Limited(ctx context.Context) bool { return s.Hosts(ctx) != nil }

// confine refuses what a session with limits may not do. Its hint does not mention that other
// sessions have no limits, because a page may have asked the model to get around them.
func (s *Service) confine(ctx context.Context, o *op.Op, args op.Args) error {
	if !s.Limited(ctx) {
		return nil
	}
	if !o.Confined() {
		return op.Errorf(op.Forbidden, "this session may open only some hosts, and may not call %s", o.Name()).
			Hinted("go on with its own tabs; the user can do the rest")
	}
	if _, named := o.Param("profile"); !named {
		return nil
	}
	p, err := s.Profiles.Named(o.ProfileIn(args))
	if err != nil {
		return nil // the call itself reports this error
	}
	return Explain(p.CheckLimited())
}
