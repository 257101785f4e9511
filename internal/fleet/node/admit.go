package node

import (
	"cmp"
	"encoding/json"
	"slices"

	"chela/internal/fleet/wire"
	"chela/internal/op"
)

// A Policy says what this machine allows to callers on other machines, whatever their calls ask
// for.
type Policy struct {
	Enabled  bool                        // callers on other machines may use this machine's browsers
	Profiles []string                    // the only profiles that they may use; nil: all
	Name     func(profile string) string // returns the name of the profile that a call names; "" names the default one
	Secrets  bool                        // whether agents are shown cookies and tokens of requests
}

// admit finds the operation of a call, and refuses what callers on other machines may not do.
// Errors that OpenClaw also returns have OpenClaw's texts.
func (n *Node) admit(c wire.Call) (*op.Op, op.Args, error) {
	policy := n.o.Policy()
	switch {
	case !policy.Enabled:
		return nil, nil, op.Errorf(op.Forbidden, "node %s does not offer its browsers (nodeHost.browserProxy.enabled=false).", n.o.Name)
	case c.Command != wire.Command:
		return nil, nil, op.Errorf(op.Invalid, "there is no command %q: this is %s", c.Command, wire.Command)
	}
	// As with callers over HTTP, the session of a person is not for others: it may act in tabs that a
	// person has taken over. For the same reason, a caller cannot name the dashboard as its surface.
	if c.Session != "" {
		if err := op.CheckSession(c.Session); err != nil {
			return nil, nil, err
		}
	}
	o, args, err := n.o.Table().Receive(c.Params.Sent)
	if err != nil {
		return nil, nil, err
	}
	if _, takes := o.Param("profile"); takes && c.Params.Profile != "" && args["profile"] == nil {
		args["profile"], _ = json.Marshal(c.Params.Profile) // a string can be encoded
	}
	if err := policy.allow(o, args, op.Surface(c.Surface)); err != nil {
		return nil, nil, err
	}
	return o, args, nil
}

// profileOf returns the name of the profile that a call uses.
func (n *Node) profileOf(o *op.Op, args op.Args) string { return n.o.Policy().Name(o.ProfileIn(args)) }

func (p Policy) allow(o *op.Op, args op.Args, surface op.Surface) error {
	switch {
	case o.ChangesProfiles():
		return op.Errorf(op.Forbidden, "INVALID_REQUEST: browser.proxy cannot mutate persistent browser profiles").
			Hinted("do it on the machine of the node")
	case o.OnlyHere():
		return op.Errorf(op.Forbidden, "INVALID_REQUEST: %s is about a machine itself, and a node does not do it for others", o.Name()).
			Hinted("do it on the machine of the node")
	case surface == op.AgentTool && !p.Secrets && o.Reveals(args):
		return op.Errorf(op.Forbidden, "the node does not show cookies and tokens to agents").
			Hinted("leave out secrets; the user of that machine can allow it by browser.agentsSeeSecrets: true")
	}
	if _, takes := o.Param("profile"); p.Profiles == nil || o.Anywhere(args) || !takes {
		return nil // an operation for all profiles sees only these, see [op.WithProfiles]; others, such as secrets, are about no profile
	}
	named := o.ProfileIn(args)
	if name := p.Name(named); !slices.Contains(p.Profiles, name) {
		return op.Errorf(op.Forbidden, "INVALID_REQUEST: browser profile not allowed").
			Hinted("the node does not offer profile %s: nodeHost.browserProxy.allowProfiles there has those that it does", cmp.Or(named, name))
	}
	return nil
}
