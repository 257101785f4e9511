package node

import (
	"context"
	"log/slog"
	"slices"

	"chela/internal/fleet/wire"
	"chela/internal/op"
)

// portableNow lists the portable profiles that this node can take over from other nodes, and so
// offers to callers.
func (n *Node) portableNow() []string {
	if n.o.Keeper == nil || !n.o.Keeper.Ready() {
		return nil
	}
	policy := n.o.Policy()
	return slices.DeleteFunc(n.o.Service.Portable(), func(name string) bool {
		return !policy.Enabled || policy.Profiles != nil && !slices.Contains(policy.Profiles, name)
	})
}

// checkFrom refuses a call that means a tab or session of another node, unless the call's profile
// has moved from that node to this one. Otherwise the handles of that node would mean other tabs
// here.
func (n *Node) checkFrom(ctx context.Context, c wire.Call, o *op.Op, args op.Args) error {
	if c.From == "" || c.From == n.o.Name {
		return nil
	}
	named, profile := o.ProfileIn(args), n.profileOf(o, args)
	if n.o.Keeper != nil && slices.Contains(n.o.Service.Portable(), profile) {
		if had, err := n.o.Keeper.Had(ctx, profile, c.From, named != ""); err != nil || had {
			return err
		}
	}
	e := op.Errorf(op.NotFound, "profile %s has not moved from node %s to node %s", profile, c.From, n.o.Name)
	e.Details = map[string]any{wire.NotFrom: c.From}
	return e
}

// leavePortable gives up the portable profiles that another node can take, as soon as no call uses
// them. Each is given up once.
func (n *Node) leavePortable(ctx context.Context) {
	if n.o.Keeper == nil {
		return
	}
	for _, profile := range n.o.Service.Portable() {
		if !n.mayLeave(profile, n.o.Keeper.IsAwaited(ctx, profile)) {
			continue
		}
		if err := n.o.Service.Leave(ctx, profile); err != nil {
			slog.Warn("a portable profile could not be left to other nodes", "profile", profile, "error", err)
		}
	}
}

// mayLeave makes the node begin no more calls in a profile that another node awaits. It returns
// true once, when the last call in the profile has ended.
func (n *Node) mayLeave(profile string, awaited bool) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if awaited {
		n.leaving[profile] = true
	}
	if !n.leaving[profile] || n.calling[profile] > 0 || n.left[profile] {
		return false
	}
	n.left[profile] = true
	return true
}
