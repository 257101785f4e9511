package route

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"

	"chela/internal/base/config"
	"chela/internal/fleet/remote"
	"chela/internal/fleet/roster"
	"chela/internal/fleet/schedule"
	"chela/internal/fleet/wire"
	"chela/internal/op"
)

// A portable profile moves to another node when its node shuts down. So a call can name a node that
// no longer has the profile. A tab handle contains the name of the node that had the tab when the
// handle was made. The handle stays valid: the call is sent on to the node that has the profile now.
// That node checks that the profile has been on the node in the handle. Nodes list in their status
// the profiles that they can take. So a caller needs neither the store of the profiles nor the key.

// A meaning says how a call names its node: by the node's name, or by the handle of a tab.
type meaning struct {
	byName   bool // the call names a node but no tab: it may run only there
	byHandle bool // the call names a tab, and the tab's handle names the node
}

// meantBy returns how a call names its node. It must be called before the name of the node is
// removed from the handles.
func meantBy(ctx context.Context, args op.Args) meaning {
	node, err := op.TakeNode(maps.Clone(args))
	m := meaning{byHandle: err == nil && node != ""}
	m.byName = !m.byHandle && op.TargetOf(ctx).Node != ""
	return m
}

// maxFollowed limits how many further nodes get a call whose profile has moved.
const maxFollowed = 3

// follow runs a call on a node or, if its profile has moved, on the node that has the profile now. It
// returns the name of the last node that was asked. If the profile has not moved to another node,
// the error comes from the first node.
func (r *Router) follow(ctx context.Context, o *op.Op, args op.Args, node string, by meaning) (raw json.RawMessage, at string, err error) {
	if node == "" || by.byName || o.ChangesProfiles() {
		raw, err = r.at(ctx, o, args, node).Run(ctx, o, args)
		return raw, node, err
	}
	profile := r.profileOn(node, o, args)
	var asked []string
	if r.o.Fleet.Roster.Silent(node) <= roster.Silence || len(r.heirs(node, profile)) == 0 {
		raw, err = r.on(ctx, o, args, node).Run(ctx, o, args)
		asked = append(asked, node)
	} else {
		err = remote.Lost(node, "no")
	}
	if _, takes := o.Param("profile"); err != nil && takes && profile != "" {
		args["profile"], _ = json.Marshal(profile) // a string can be encoded
	}
	first, at := err, node
	for err != nil && len(asked) <= maxFollowed {
		next := r.heirAfter(ctx, err, node, profile, asked)
		if next == "" {
			return nil, at, err
		}
		on := r.on(ctx, o, args, next)
		on.From = node
		if by.byHandle {
			on.Shown = node
		}
		if raw, err = on.Run(ctx, o, args); isNotFrom(err) {
			return nil, node, first
		}
		asked, at = append(asked, next), next
	}
	return raw, at, err
}

// profileOn returns the profile that a call means on a node. It is "" if the call names none, and the
// node's default profile is not known.
func (r *Router) profileOn(node string, o *op.Op, args op.Args) string {
	profile := cmp.Or(o.ProfileIn(args), r.o.Fleet.Roster.Last(node).Default)
	if slices.Contains(config.Aliases, profile) {
		return config.Managed
	}
	return profile
}

// heirs lists the nodes that can take over a profile of the given node.
func (r *Router) heirs(node, profile string) (all []schedule.Node) {
	preferred := r.preferred()
	for _, n := range r.o.Fleet.Roster.Known() {
		if n.Load != nil && n.Name != node && wire.Check(n.V) == nil && slices.Contains(n.Portable, cmp.Or(profile, n.Default)) {
			all = append(all, placeOn(n, preferred))
		}
	}
	return all
}

// heirAfter returns the node that gets a call after it failed with err; "" if there is none. If err
// names the node that has the profile, the result is that node. It may be the node of the call, which
// then only seemed gone. If the failed node is shutting down or gone, and has done nothing, the result
// is a node that can take the profile.
func (r *Router) heirAfter(ctx context.Context, err error, node, profile string, asked []string) string {
	wasAsked := func(name string) bool { return slices.Contains(asked, name) }
	if e, ok := errors.AsType[*op.Error](err); ok && e.Code == op.Elsewhere {
		name, _ := e.Details["node"].(string)
		if _, there := r.o.Fleet.Roster.Node(ctx, name); (there || name == node) && !wasAsked(name) {
			return name
		}
		return ""
	}
	if !hasDoneNothing(err) {
		return ""
	}
	left := slices.DeleteFunc(r.heirs(node, profile), func(n schedule.Node) bool { return wasAsked(n.Name) })
	if len(left) == 0 {
		return ""
	}
	return r.scheduler.Better(left)
}

// hasDoneNothing reports whether an error says that a node is shutting down or gone, and has not run
// the call.
func hasDoneNothing(err error) bool {
	if why := why(err); why != "" {
		return why == wire.Draining
	}
	return isLost(err) && !mayBeDone(err)
}

// isNotFrom reports whether a node has refused a call because the profile of the call has not moved
// to that node.
func isNotFrom(err error) bool { return err != nil && op.AsError(err).Details[wire.NotFrom] != nil }
