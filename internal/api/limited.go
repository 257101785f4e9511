package api

import (
	"context"
	"fmt"

	"chela/internal/engine/browser"
	"chela/internal/engine/profile"
	"chela/internal/op"
)

// A session with limits may call the rows with [op.Confined], and no others. These rows
// find tabs, and the data of sites, by [browser.Session] only. They fetch from the hosts of the session only.

// hostsOf are the only hosts that the session of a call may open; nil: all that the policy allows.
func (s *Service) hostsOf(ctx context.Context) []string { return s.limits.Hosts(op.Session(ctx)) }

// limited reports whether the session of a call has limits.
func (s *Service) limited(ctx context.Context) bool { return s.hostsOf(ctx) != nil }

// confine refuses what a session with limits may not do. Its hint says nothing of other sessions: a
// page may have asked the model that reads it to get around the limits.
func (s *Service) confine(ctx context.Context, o *op.Op, args op.Args) error {
	if !s.limited(ctx) {
		return nil
	}
	if !o.Confined() {
		return op.Errorf(op.Forbidden, "this session may open only some hosts, and may not call %s", o.Name()).
			Hinted("go on with its own tabs; the user can do the rest")
	}
	if _, named := o.Param("profile"); !named {
		return nil
	}
	p, err := s.profiles.Named(textOf(args["profile"]))
	if err != nil {
		return nil // the call itself says so
	}
	return explain(p.CheckLimited())
}

// limit has the session of a call open only these hosts from now on. What the session has opened before has no
// such limit, so there must be nothing. Errors are a [*limits.HostsError], browser.ErrUnlimited, browser.ErrOpenedUnlimited, and that
// the limit cannot be written.
func (s *Service) limit(ctx context.Context, p *profile.Profile, hosts []string) error {
	if err := p.CheckLimited(); err != nil {
		return err
	}
	if !s.limited(ctx) {
		for _, used := range s.profiles.Sessions(ctx) {
			if used.Key == op.Session(ctx) && (used.Isolated || len(used.Tabs) > 0) {
				return fmt.Errorf("profile %s: %w", used.Profile, browser.ErrOpenedUnlimited)
			}
		}
	}
	return s.limits.SetHosts(op.Session(ctx), hosts)
}
