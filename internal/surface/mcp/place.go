package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"

	"chela/internal/op"
)

// Places says which browsers an agent may use. The places are the host (the machine of the server), a
// sandbox, or a node (another machine of the user). A call chooses its place by the parameter target.
// OpenClaw has the same rules and texts.
type Places struct {
	Sandbox op.Runner // calls the chela server in the agent's sandbox; nil: there is none
	NoHost  bool      // the agent may not use the browsers of the host
	NoNodes bool      // the agent may not use browsers of nodes

	// OnlyHost reports whether a profile is the user's own browser, which is never in the sandbox. If
	// OnlyHost is nil, there is no such profile.
	OnlyHost func(profile string) bool
}

const (
	host    = "host"
	sandbox = "sandbox"
	node    = "node"
)

// home returns the place for calls that name none.
func (p Places) home() string {
	if p.Sandbox != nil {
		return sandbox
	}
	return host
}

// describe returns the line of the tool's description about places.
func (p Places) describe() string {
	allowed := "Host target allowed."
	if p.NoHost {
		allowed = "Host target blocked by policy."
	}
	return "target: sandbox|host|node. Default: " + p.home() + ". " + allowed + "\n"
}

// A goal has the parameters of a call that choose its place; "" if the call does not have them.
type goal struct{ target, node, profile string }

// choose returns the place where a call runs: sandbox, host or node. It returns an error if the agent
// may not use that place, or there is no such place. A call that names a place never runs in another.
// Calls to nodes go through the server of the host, which knows the nodes. If a call names no place,
// that server may also choose a node, see package route.
func (p Places) choose(g goal) (place string, err error) {
	own := p.isOwnProfile(g.profile)
	switch {
	case g.target != "" && !slices.Contains([]string{host, sandbox, node}, g.target):
		return "", op.Errorf(op.Invalid, "target must be sandbox, host or node")
	case g.node != "" && g.target != "" && g.target != node:
		return "", op.Errorf(op.Invalid, `node is only supported with target="node".`)
	case own && g.target == sandbox:
		return "", op.Errorf(op.Invalid, `profile="%s" cannot use the sandbox browser; use target="host" or omit target.`, g.profile)
	case (g.node != "" || g.target == node) && p.NoNodes:
		return "", op.Errorf(op.Forbidden, "Node browser proxy is disabled (gateway.nodes.browser.mode=off).")
	case g.node != "" || g.target == node:
		return node, nil
	}
	place = cmp.Or(g.target, p.home())
	if own {
		place = host
	}
	switch {
	case place == sandbox && p.Sandbox == nil:
		return "", op.Errorf(op.NotSupported, "%s", `Sandbox browser is unavailable. `+
			`Enable agents.defaults.sandbox.browser.enabled or use target="host" if allowed.`).
			Hinted("agents.defaults.sandbox.browser.url, or chela mcp --sandbox-url, names the chela server in the sandbox")
	case place == host && p.NoHost:
		return "", op.Errorf(op.Forbidden, "Host browser control is disabled by sandbox policy.")
	}
	return place, nil
}

// route returns the tool with the runner for the place of a call. From args, and from the object
// request in args, it removes the arguments that name the place: no operation has such parameters.
func (t Tool) route(args op.Args) (Tool, error) {
	request, _ := requestIn(args)
	if err := cmp.Or(op.CheckTarget(args), op.CheckTarget(request)); err != nil {
		return t, err
	}
	value := func(name string) string { return cmp.Or(text(request[name]), text(args[name])) }
	asked := goal{value("target"), value("node"), value("profile")}
	place, err := t.Places.choose(asked)
	if err != nil {
		return t, err
	}
	if request["target"] != nil || request["node"] != nil {
		delete(request, "target")
		delete(request, "node")
		args["request"], _ = json.Marshal(request) // cannot fail: the request was read from JSON
	}
	delete(args, "target")
	delete(args, "node")
	t.target = op.Target{Place: asked.target}.Naming(asked.node)
	if place == sandbox {
		t.target = op.Target{}
		if asked.target == "" && !t.Places.NoHost {
			t.instead = t.Runner
		}
		t.Runner = t.Places.Sandbox
	}
	return t, nil
}

// reach runs an operation at its place. If the call names no place and the sandbox cannot be
// reached, it runs on the host, unless the agent may not use the host. For an operation that ran on
// the host instead, note says so. A call that may have run in the sandbox is not made again.
func (t Tool) reach(ctx context.Context, o *op.Op, args op.Args) (raw json.RawMessage, note string, err error) {
	raw, err = t.Runner.Run(ctx, o, args)
	if t.instead == nil || !errors.Is(err, op.ErrNotSent) {
		return raw, "", err
	}
	raw, err = t.instead.Run(ctx, o, args)
	return raw, "The sandbox browser is not reachable: this is of the browser on the host.", err
}
