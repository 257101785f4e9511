package mcp

import (
	"slices"

	"chela/internal/op"
)

// Places says where browsers are that an agent may use: on the host, which is the machine of the
// server, in a sandbox, or on a node. An agent chooses by target; the words are the contract's.
type Places struct {
	SandboxURL string // of the chela server in the agent's sandbox; "": there is none
	NoHost     bool   // the agent may not use the browsers of the host
}

const (
	host    = "host"
	sandbox = "sandbox"
	node    = "node"
)

// home is where an agent's calls go that name no place.
func (p Places) home() string {
	if p.SandboxURL != "" {
		return sandbox
	}
	return host
}

// describe says in the tool's definition what differs from a host whose browsers may be used.
func (p Places) describe() string {
	if p == (Places{}) {
		return ""
	}
	allowed := "Host target allowed."
	if p.NoHost {
		allowed = "Host target blocked by policy."
	}
	return "target selects browser location (sandbox|host|node). Default: " + p.home() + ". " + allowed + "\n"
}

// choose returns the error for a call that may not go where its arguments say, or for which there is
// no such place. It removes these arguments, as no operation has them. The user's own browser is on the
// host. Calls are not passed on to a sandbox yet, and there are no nodes: what is meant for one of them
// is refused, and never done here instead.
func (p Places) choose(args op.Args) error {
	target, wanted := text(args["target"]), text(args["node"])
	delete(args, "target")
	delete(args, "node")
	own := text(args["profile"]) == "user"
	switch {
	case target != "" && !slices.Contains([]string{host, sandbox, node}, target):
		return op.Errorf(op.Invalid, "target must be sandbox, host or node")
	case wanted != "" && target != "" && target != node:
		return op.Errorf(op.Invalid, `node is only supported with target="node".`)
	case own && target == sandbox:
		return op.Errorf(op.Invalid, `profile="user" cannot use the sandbox browser; use target="host" or omit target.`)
	case wanted != "" || target == node:
		return op.Errorf(op.NotSupported, "No connected browser-capable nodes.")
	case target == "" && own:
		target = host
	case target == "":
		target = p.home()
	}
	switch {
	case target == sandbox && p.SandboxURL == "":
		return op.Errorf(op.NotSupported, "%s", `Sandbox browser is unavailable. `+
			`Enable agents.defaults.sandbox.browser.enabled or use target="host" if allowed.`)
	case target == sandbox:
		return op.Errorf(op.NotSupported, "calls cannot be passed on to the sandbox yet").
			Hinted(`the user can start chela mcp in the sandbox; else use target="host" if allowed`)
	case p.NoHost:
		return op.Errorf(op.Forbidden, "Host browser control is disabled by sandbox policy.")
	}
	return nil
}
