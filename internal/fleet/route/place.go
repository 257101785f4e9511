package route

import (
	"context"
	"encoding/json"
	"errors"
	"net/netip"
	"net/url"
	"runtime"
	"strings"

	"chela/internal/fleet/remote"
	"chela/internal/fleet/schedule"
	"chela/internal/fleet/wire"
	"chela/internal/op"
)

const (
	maxAsked   = 4   // how many machines are asked for a call
	retryAfter = 500 // milliseconds until a caller should try again: nodes say twice a second how busy they are
)

// candidates lists the machines for a call that may run on any; here means that this is one of
// them. There are none for a call that belongs on one machine, because it names that or a tab
// there. Nor are there any for an address that leads to another host on each machine.
func (r *Router) candidates(ctx context.Context, o *op.Op, args op.Args) (nodes []schedule.Node, here bool) {
	policy, target := r.o.Policy(), op.TargetOf(ctx)
	if r.o.Fleet == nil || !o.Anywhere(args) || policy.Mode == "off" || target.Node != "" || target.Place == op.Here {
		return nil, false
	}
	switch {
	case target.Place == op.OnNode && policy.Node != "":
		return nil, false
	case target.Place == op.OnNode:
	case policy.Mode != "auto" || isNear(o.AddressOf(args)):
		return nil, false
	default:
		here = true
	}
	for _, n := range r.o.Fleet.Roster.Nodes(ctx) {
		if n.Load != nil && wire.Check(n.V) == nil {
			nodes = append(nodes, schedule.Node{Name: n.Name, Busy: n.Load.Calls, Slots: n.Load.Slots, Said: n.Beat})
		}
	}
	if len(nodes) == 0 {
		return nil, false
	}
	if here {
		nodes = append(nodes, schedule.Node{Slots: 2 * runtime.NumCPU()})
	}
	return nodes, here
}

// place runs a call on one of several machines. A machine that refuses because it is busy or shuts
// down has done nothing, so the next one is asked. The same holds for a machine whose connection is
// lost, if the call was not sent yet or may be repeated. This machine ("") never refuses, so it is
// added at the end, in case Order did not choose it.
func (r *Router) place(ctx context.Context, o *op.Op, args op.Args, nodes []schedule.Node, here bool) (json.RawMessage, error) {
	order := r.scheduler.Order(nodes, maxAsked)
	if here {
		order = append(order, "")
	}
	said := map[string]uint64{}
	for _, n := range nodes {
		said[n.Name] = n.Said
	}
	var err error
	for _, name := range order {
		var raw json.RawMessage
		raw, err = r.placed(ctx, name, said[name], o, args)
		if err == nil || ctx.Err() != nil || !mayGoOn(err, o.Repeatable(args)) {
			return raw, err
		}
	}
	if refused, ok := errors.AsType[*remote.RefusedError](err); ok && refused.Why == wire.Busy {
		busy := op.Errorf(op.NodesBusy, "all nodes that were asked are busy").Hinted("call again after retryAfterMs")
		busy.Details = map[string]any{"retryAfterMs": retryAfter}
		return nil, busy
	}
	return nil, err
}

// placed runs a call on a machine. While it runs, the scheduler counts it as work of that machine.
func (r *Router) placed(ctx context.Context, name string, said uint64, o *op.Op, args op.Args) (json.RawMessage, error) {
	defer r.scheduler.Begin(name, said)()
	if name == "" {
		return r.o.Local.Run(ctx, o, args)
	}
	on := r.on(ctx, name)
	on.Placed = true
	return on.Run(ctx, o, args)
}

// mayGoOn reports whether another machine may get a call after this error.
func mayGoOn(err error, repeatable bool) bool {
	if refused, ok := errors.AsType[*remote.RefusedError](err); ok {
		return refused.Why != wire.Wrong
	}
	e := op.AsError(err)
	return e.Code == op.NodeLost && (repeatable || e.Details["sent"] == "no")
}

// isNear reports whether an address leads to this machine or its network, and so to other hosts on
// other machines.
func isNear(address string) bool {
	if !strings.Contains(address, "://") {
		address = "http://" + address
	}
	u, err := url.Parse(address)
	if err != nil {
		return true
	}
	host := strings.TrimSuffix(u.Hostname(), ".")
	if ip, err := netip.ParseAddr(host); err == nil {
		ip = ip.Unmap()
		return ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast() || ip.IsUnspecified()
	}
	return !strings.Contains(host, ".") || strings.HasSuffix(host, ".localhost") || strings.HasSuffix(host, ".local") || strings.HasSuffix(host, ".internal")
}
