package call

import (
	"context"

	"chela/internal/op"
)

// A session with limits may call the rows with [op.Confined], and no others. These rows find tabs,
// and the data of sites, by [browser.Session] only. They fetch from the hosts of the session only.

// Hosts returns the only hosts that the session of a call may open; nil: all that the policy
// allows.
func (s *Service) Hosts(ctx context.Context) []string { return s.Limits.Hosts(op.Session(ctx)) }

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
	p, err := s.Profiles.Named(textOf(args["profile"]))
	if err != nil {
		return nil // the call itself reports this error
	}
	return Explain(p.CheckLimited())
}
