package cli

import (
	"context"
	"encoding/json"

	"github.com/spf13/pflag"
	"go.opentelemetry.io/otel/trace"

	"chela/internal/api/telemetry"
	"chela/internal/base/config"
	"chela/internal/engine/profile"
	"chela/internal/fleet/natsline"
	"chela/internal/fleet/node"
	"chela/internal/fleet/roster"
	"chela/internal/fleet/route"
	"chela/internal/fleet/wire"
	"chela/internal/op"
)

// Fleet has the methods of a [Service] that are needed to share its browsers with other machines.
type Fleet interface {
	route.Local
	node.Service
	TabOwners() map[string]int            // number of open tabs by session
	CheckStart(ctx context.Context) error // returns why no browser can start, or nil
	Retry(ctx context.Context)            // starts browsers again whose start has failed
	SetFleet(r *roster.Roster, at string) // sets the nodes that the service lists, and the address of NATS that it shows
	KeepWarm(n int)                       // makes browsers keep this many empty tabs ready
	Warm() int                            // returns how many empty tabs are ready
	KeepBy(profile.Keeper)                // sets the keeper of portable profiles
}

// natsFlag adds the flag --nats, with the address of the NATS server of a fleet.
func natsFlag(flags *pflag.FlagSet) (url *string) {
	return flags.String("nats", "", "`URL` of NATS, by which the nodes of the fleet are reached ($CHELA_NATS, fleet.url)")
}

// A routed is a service that runs each call on this machine or on a node, and counts the calls.
type routed struct {
	Service
	router *route.Router
	line   *natsline.Line // connection to NATS; nil: there is no fleet
	roster *roster.Roster

	telemetry *telemetry.Telemetry
	calls     op.Runner // runs calls by the router, and counts them
}

// routedBy returns a service that also runs calls on the nodes of the fleet, if the configuration names
// a fleet. It does not wait until the connection to NATS is open. Without a fleet it opens none.
func (p *Program) routedBy(live *config.Live, service Service, tracer trace.Tracer) (*routed, error) {
	c := live.Current()
	r := &routed{Service: service}
	o := route.Options{Local: service, Table: p.Table, Policy: func() route.Policy { return nodePolicy(live) }}
	if c.Fleet.URL != "" {
		var err error
		if r.line, err = natsline.Open(c.Fleet, "chela "+p.Version); err != nil {
			return nil, configError(err)
		}
		if r.roster, err = roster.New(r.line, c.Fleet.Tenant); err != nil {
			r.line.Close()
			return nil, err
		}
		service.SetFleet(r.roster, c.Fleet.Shown())
		o.Fleet = &route.Fleet{
			Line: r.line, Objects: r.line, Roster: r.roster, Subjects: wire.Subjects{Tenant: c.Fleet.Tenant}, Shown: c.Fleet.Shown(),
		}
	}
	r.router = route.New(o)
	r.telemetry = telemetry.New(telemetry.Options{Version: p.Version, Source: service, Roster: r.roster, Waiting: r.router.Waiting, Tracer: tracer})
	r.calls = r.telemetry.Runner(r.router, telemetry.Here)
	return r, nil
}

// nodePolicy returns the current settings that decide which calls run on nodes.
func nodePolicy(live *config.Live) route.Policy {
	c := live.Current()
	b := c.Gateway.Nodes.Browser
	return route.Policy{Mode: b.Mode, Node: b.Node, Prefer: c.Fleet.Prefer, OfUser: func(name string) bool { return profile.IsOfUser(live.Current(), name) }}
}

// Run implements [op.Runner].
func (r *routed) Run(ctx context.Context, o *op.Op, args op.Args) (json.RawMessage, error) {
	return r.calls.Run(ctx, o, args)
}

// ofNode is the service that handles calls from other machines.
type ofNode struct {
	Service
	calls op.Runner // runs calls by the service, and counts them
}

// Run implements [op.Runner].
func (n ofNode) Run(ctx context.Context, o *op.Op, args op.Args) (json.RawMessage, error) {
	return n.calls.Run(ctx, o, args)
}

// forOthers returns the service for calls that come from other machines. Such calls come only if
// this machine is a node.
func (r *routed) forOthers() node.Service {
	return ofNode{r.Service, r.telemetry.Runner(r.Service, telemetry.Fleet)}
}

// EndSession closes the tabs of a session on all machines.
func (r *routed) EndSession(ctx context.Context, key string) (closed int, err error) {
	return r.router.EndSession(ctx, key)
}

// leave ends the connection to NATS.
func (r *routed) leave() {
	if r.line != nil {
		r.roster.Close()
		r.line.Close()
	}
}
