package route

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"chela/internal/fleet/roster"
	"chela/internal/op"
)

// A Policy is the settings that decide which calls run on nodes.
type Policy struct {
	Mode   string                    // auto, manual or off
	Node   string                    // node for calls that name none; "": the settings name none
	Prefer string                    // labels, such as gpu=yes,region=eu; nodes that have them get calls before others
	OfUser func(profile string) bool // reports whether the profile is the user's own browser, which chela has not started
}

// choose returns the node for a call; "" means this machine. It removes the name of the node from
// the handles of tabs in args.
func (r *Router) choose(ctx context.Context, o *op.Op, args op.Args) (node string, err error) {
	target, err := targetOf(ctx, args)
	if err != nil {
		return "", err
	}
	switch {
	case target.Remote():
		return r.asked(ctx, target, o, args)
	case target.Place == op.Here || o.OnlyHere() || o.ChangesProfiles() || o.EndsSession():
		return "", nil
	}
	switch known, ok := r.sessions.place(op.Session(ctx)); {
	case ok && known != "":
		return known, r.checkMode()
	case ok:
		return "", nil
	}
	return r.byItself(ctx, o, args)
}

// targetOf returns the machine that a call asks for, by its target or by the tabs that it names.
func targetOf(ctx context.Context, args op.Args) (op.Target, error) {
	target := op.TargetOf(ctx)
	node, err := op.TakeNode(args)
	switch {
	case err != nil || node == "":
		return target, err
	case target.Place == op.Here:
		return target, op.Errorf(op.Invalid, "the tab is on node %s, and target is %s", node, op.Here)
	case target.Node != "" && target.Node != node:
		return target, op.Errorf(op.Invalid, "the tab is on node %s, and node is %s", node, target.Node)
	}
	return op.Target{Place: op.OnNode, Node: node, Labels: target.Labels}, nil
}

// checkMode returns an error if the settings allow no calls on nodes.
func (r *Router) checkMode() error {
	if r.o.Policy().Mode != "off" {
		return nil
	}
	return op.Errorf(op.Forbidden, "Node browser proxy is disabled (gateway.nodes.browser.mode=off).")
}

// asked returns the node for a call that asks to run on a node, whether it names one or not.
func (r *Router) asked(ctx context.Context, target op.Target, o *op.Op, args op.Args) (string, error) {
	if err := r.checkMode(); err != nil {
		return "", err
	}
	policy := r.o.Policy()
	nodes, err := r.nodes(ctx)
	if err != nil {
		return "", err
	}
	if target.Labels != "" {
		return r.labelledFor(ctx, target, nodes)
	}
	if name := cmp.Or(target.Node, policy.Node); name != "" {
		return r.named(ctx, name, nodes, o, args)
	}
	if known, ok := r.sessions.place(op.Session(ctx)); ok && known != "" {
		return known, nil
	}
	return only(nodes)
}

// labelledFor returns the node for a call that asks for labels. If the call names a tab, that is the
// tab's node, and it must have the labels. Otherwise it is the node of the session, if it has the
// labels. Otherwise [schedule.Scheduler.Better] picks one of the nodes that have them.
func (r *Router) labelledFor(ctx context.Context, target op.Target, nodes []roster.Node) (string, error) {
	if err := r.checkLabels(target.Labels, nodes); err != nil {
		return "", err
	}
	fit := r.labelled(target.Labels, nodes)
	has := func(name string) bool {
		return slices.ContainsFunc(fit, func(n roster.Node) bool { return n.Name == name })
	}
	known, _ := r.sessions.place(op.Session(ctx))
	switch {
	case target.Node != "" && !has(target.Node):
		return "", op.Errorf(op.Invalid, "the tab is on node %s, which has not the labels %s", target.Node, target.Labels)
	case target.Node != "":
		return target.Node, nil
	case has(known):
		return known, nil
	}
	places := r.places(wish{labels: target.Labels})
	if len(places) == 0 {
		return fit[0].Name, nil // none takes calls now: the error of the first one says why
	}
	return r.scheduler.Better(places), nil
}

// byItself returns the node for a call that names no machine, or "" for this machine. Of these
// calls, only those of the agent tool may run on a node. Callers of the HTTP API and commands mean
// the machine that they call.
func (r *Router) byItself(ctx context.Context, o *op.Op, args op.Args) (string, error) {
	policy := r.o.Policy()
	if policy.Mode != "auto" || r.o.Fleet == nil || op.SurfaceOf(ctx) != op.AgentTool {
		return "", nil
	}
	nodes := r.o.Fleet.Roster.Nodes(ctx)
	if len(nodes) == 0 {
		return "", nil
	}
	if policy.Node == "" {
		if len(nodes) > 1 {
			return "", nil
		}
		return nodes[0].Name, nil
	}
	name, err := r.named(ctx, policy.Node, nodes, o, args)
	if err != nil && policy.OfUser(o.ProfileIn(args)) {
		return "", nil // the profile is the user's own browser: use the one on this machine
	}
	return name, err
}

// nodes lists the connected nodes. It returns an error if there are none.
func (r *Router) nodes(ctx context.Context) ([]roster.Node, error) {
	if r.o.Fleet == nil {
		return nil, noNodes(roster.HowToJoin)
	}
	if err := r.awaitLine(ctx); err != nil {
		return nil, err
	}
	nodes := r.o.Fleet.Roster.Nodes(ctx)
	if len(nodes) == 0 {
		return nil, noNodes("run chela node --nats URL on the other machine")
	}
	return nodes, nil
}

func noNodes(hint string) error {
	return op.Errorf(op.NotSupported, "No connected browser-capable nodes.").Hinted("%s", hint)
}

func (r *Router) awaitLine(ctx context.Context) error {
	if r.o.Fleet.Roster.AwaitLine(ctx) == nil {
		return nil
	}
	lost := op.Errorf(op.NodeLost, "NATS does not answer at %s", r.o.Fleet.Shown).Hinted("chela doctor says more")
	lost.Details = map[string]any{"sent": "no"}
	return lost
}

// named checks the name of a node for a call, and returns it. The node must be connected, or
// another node must be able to take over the profile that the call uses there.
func (r *Router) named(ctx context.Context, name string, nodes []roster.Node, o *op.Op, args op.Args) (string, error) {
	if _, ok := r.o.Fleet.Roster.Node(ctx, name); ok || len(r.heirs(name, r.profileOn(name, o, args))) > 0 {
		return name, nil
	}
	names := make([]string, len(nodes))
	for i, n := range nodes {
		names[i] = n.Name
	}
	return "", op.Errorf(op.NotFound, "unknown node: %s (known: %s)", name, strings.Join(names, ", "))
}

// only returns the name of the only node. If there are several, it returns an error.
func only(nodes []roster.Node) (string, error) {
	if len(nodes) == 1 {
		return nodes[0].Name, nil
	}
	return "", op.Errorf(op.Invalid, "Multiple browser-capable nodes connected (%d). Set gateway.nodes.browser.node or pass node=<id>.", len(nodes))
}
