package doctor

import (
	"context"
	"fmt"
	"strings"

	"chela/internal/api/call"
	"chela/internal/base/config"
	"chela/internal/engine/profile"
	"chela/internal/fleet/keeper"
	"chela/internal/fleet/natsline"
	"chela/internal/fleet/roster"
	"chela/internal/op"
)

// The check of the fleet.
const fleetID, fleetLabel = "fleet", "Fleet"

// fleet adds checks that tell whether NATS lets this machine in, which nodes there are, and whether
// large files can be sent. It opens a connection of its own. If no fleet is configured, it adds
// nothing.
func (h *Report) fleet(ctx context.Context, c *config.Config) {
	f := c.Fleet
	if f.URL == "" {
		return
	}
	line, err := natsline.Dial(f, "chela doctor")
	if err != nil {
		h.add(fleetID, fleetLabel, false, "", err.Error(), "start NATS there, or correct fleet in "+c.File)
		return
	}
	defer line.Close()
	known, err := roster.New(line, f.Tenant)
	if err != nil {
		h.add(fleetID, fleetLabel, false, "", err.Error(), "the account of NATS must allow chela."+f.Tenant+".>")
		return
	}
	defer known.Close()
	h.nodes(f, known.Nodes(ctx))
	h.portable(ctx, c, line)
	if err := line.KeepsFiles(ctx); err != nil {
		h.note("fleet-files", "Large files of the fleet", "warn", fmt.Sprintf("files above 512 KiB do not travel between machines: %v", err)).
			FixHint = "start NATS with JetStream: nats-server -js"
	}
}

// portable adds a check that tells whether this machine can run its portable profiles, if it has
// some. For the first profile that cannot run, the check has the error that a call for this profile
// would get.
func (h *Report) portable(ctx context.Context, c *config.Config, line *natsline.Line) {
	const id, label = "fleet-profiles", "Portable profiles"
	names := c.Browser.PortableProfiles()
	if len(names) == 0 {
		return
	}
	for _, name := range names {
		if err := keeper.CheckKept(ctx, line.Profiles(), name, c.Fleet.KeyFile); err != nil {
			e := op.AsError(call.Explain(&profile.TakeError{Profile: name, Err: err}))
			h.add(id, label, false, "", e.Error(), e.Hint)
			return
		}
	}
	h.note(id, label, "pass", strings.Join(names, ", "))
}

// nodes adds the nodes that answer.
func (h *Report) nodes(f config.Fleet, nodes []roster.Node) {
	at := fmt.Sprintf("tenant %s at %s", f.Tenant, f.Shown())
	if len(nodes) == 0 {
		h.note(fleetID, fleetLabel, "warn", "no node answers: "+at).FixHint = "run chela node --nats URL on another machine"
		return
	}
	var names, faults []string
	for _, n := range nodes {
		names = append(names, n.Name)
		if !n.Healthy {
			faults = append(faults, n.Name+": "+n.Reason)
		}
	}
	h.note(fleetID, fleetLabel, "pass", strings.Join(names, ", ")+": "+at)
	if len(faults) > 0 {
		h.note("fleet-nodes", "Nodes", "warn", strings.Join(faults, "; ")).FixHint = "run chela doctor on these machines"
	}
}
