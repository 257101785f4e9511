package route

import (
	"context"
	"maps"
	"net/netip"
	"net/url"
	"runtime"
	"slices"
	"strings"

	"chela/internal/base/config"
	"chela/internal/fleet/roster"
	"chela/internal/fleet/schedule"
	"chela/internal/fleet/wire"
	"chela/internal/op"
)

// A wish says on which machines a call may run.
type wish struct {
	labels string // labels that a node must have; "": any node will do
	here   bool   // this machine is one of those on which the call may run
}

// wishOf returns on which machines a call may run. It returns false for a call that can run on one
// machine only. Such a call names the machine, a tab on it, or an address that leads to a different
// host on each machine.
func (r *Router) wishOf(ctx context.Context, o *op.Op, args op.Args) (w wish, ok bool) {
	policy, target := r.o.Policy(), op.TargetOf(ctx)
	switch {
	case r.o.Fleet == nil || !o.Anywhere(args) || policy.Mode == "off" || target.Node != "" || target.Place == op.Here:
		return w, false
	case target.Labels != "":
		return wish{labels: target.Labels}, true
	case target.Place == op.OnNode:
		return wish{}, policy.Node == ""
	}
	return wish{here: true}, policy.Mode == "auto" && !isNear(o.AddressOf(args))
}

// hasNode reports whether a node fulfils the wish and can get calls now.
func (r *Router) hasNode(w wish) bool {
	w.here = false
	return len(r.places(w)) > 0
}

// places lists the machines that fulfil a wish and on which calls may be placed now. While NATS does
// not answer, that is only this machine, if it is one of those.
func (r *Router) places(w wish) (all []schedule.Node) {
	preferred, unreachable := r.preferred(), w.here && !r.o.Fleet.Roster.Connected()
	for _, n := range r.labelled(w.labels, r.o.Fleet.Roster.Known()) {
		if !unreachable && n.Load != nil && wire.Check(n.V) == nil {
			all = append(all, placeOn(n, preferred))
		}
	}
	if w.here {
		all = append(all, schedule.Node{Calls: int(r.here.Load()), Slots: 2 * runtime.NumCPU()})
	}
	return all
}

// placeOn returns a node in the form that package schedule takes. The node must have reported its
// Load.
func placeOn(n roster.Node, preferred map[string]string) schedule.Node {
	return schedule.Node{
		Name: n.Name, Said: n.Beat, Calls: n.Load.Calls, Placed: n.Load.Placed, Tabs: n.Tabs + n.Load.Warm, Slots: n.Load.Slots,
		Lacking: lacking(n.Labels, preferred), RoundTrip: n.RoundTrip,
	}
}

// lacking returns the share of the preferred labels that a node does not have, from 0 to 1.
func lacking(has, preferred map[string]string) float64 {
	if len(preferred) == 0 {
		return 0
	}
	return float64(len(missing(has, preferred))) / float64(len(preferred))
}

// missing lists the wanted labels that a node does not have.
func missing(has, wanted map[string]string) (all []string) {
	for _, key := range slices.Sorted(maps.Keys(wanted)) {
		if value, ok := has[key]; !ok || value != wanted[key] {
			all = append(all, key+"="+wanted[key])
		}
	}
	return all
}

// preferred returns the labels of nodes that get calls before others.
func (r *Router) preferred() map[string]string {
	labels, _ := config.ParseLabels(r.o.Policy().Prefer) // the configuration was checked
	return labels
}

// labelled lists the nodes that have labels.
func (r *Router) labelled(labels string, nodes []roster.Node) []roster.Node {
	wanted, err := config.ParseLabels(labels)
	if err != nil || len(wanted) == 0 {
		return nodes
	}
	return slices.DeleteFunc(slices.Clone(nodes), func(n roster.Node) bool { return len(missing(n.Labels, wanted)) > 0 })
}

// checkLabels refuses labels that no node has.
func (r *Router) checkLabels(labels string, nodes []roster.Node) error {
	if _, err := config.ParseLabels(labels); err != nil {
		return op.Errorf(op.Invalid, "node: %v", err).Hinted("node=gpu=no,region=eu")
	}
	if len(r.labelled(labels, nodes)) > 0 {
		return nil
	}
	var all []string
	for _, n := range nodes {
		all = append(all, n.Name+": "+strings.Join(config.FormatLabels(n.Labels), ","))
	}
	return op.Errorf(op.NotFound, "no node has the labels %s (there are %s)", labels, strings.Join(all, "; ")).
		Hinted("ask for labels that a node has, or name a node")
}

// isNear reports whether an address leads to this machine or its local network. On another machine
// the same address would lead to another host.
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
