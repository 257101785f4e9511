package api

import (
	"context"
	"fmt"
	"strings"

	"chela/internal/api/call"
	"chela/internal/api/words"
	"chela/internal/base/config"
	"chela/internal/fleet/roster"
)

// fleetResult lists the nodes of the fleet.
type fleetResult struct {
	NATS      string     `json:"nats" doc:"address of the NATS server; empty if this server has no fleet"`
	Connected bool       `json:"connected" doc:"NATS answers"`
	Nodes     []nodeInfo `json:"nodes" doc:"nodes that have reported in the last 2 seconds, or had when NATS ceased to answer; sorted by name"`
}

// nodeInfo is what a node says about itself.
type nodeInfo struct {
	Name     string            `json:"name" doc:"name of the node; a call that gives this name runs there"`
	Healthy  bool              `json:"healthy" doc:"the node's browser can start"`
	Reason   string            `json:"reason,omitempty" doc:"why the node's browser cannot start"`
	Draining bool              `json:"draining" doc:"the node takes no new calls, because it is shutting down"`
	Tabs     int               `json:"tabs" doc:"open tabs"`
	Load     nodeLoad          `json:"load" doc:"how busy the node is; all 0 while it is draining or not healthy"`
	Queue    int               `json:"queue" doc:"calls that wait on the node"`
	Labels   map[string]string `json:"labels" doc:"labels of the node, as its owner has set them"`
	Version  string            `json:"version" doc:"version of chela on the node"`
}

// nodeLoad is how busy a node is.
type nodeLoad struct {
	Calls int `json:"calls" doc:"calls in progress"`
	Slots int `json:"slots" doc:"how many calls the node runs at once"`
}

// Text returns the list as a person reads it: a line for each node, or what to do without one.
func (r fleetResult) Text() string {
	switch {
	case r.NATS == "":
		return "no fleet: " + roster.HowToJoin
	case !r.Connected:
		return "NATS does not answer at " + r.NATS + ": chela doctor says more"
	case len(r.Nodes) == 0:
		return "no node answers at " + r.NATS + ": run chela node --nats URL on a machine with a browser"
	}
	var lines []string
	for _, n := range r.Nodes {
		lines = append(lines, n.text())
	}
	return words.Lines(lines...)
}

func (n nodeInfo) text() string {
	state := "healthy"
	switch {
	case n.Draining:
		state = "draining"
	case !n.Healthy:
		state = "unhealthy (" + n.Reason + ")"
	}
	return fmt.Sprintf("%s: %s, tabs: %d, calls: %d of %d, queue: %d", n.Name, state, n.Tabs, n.Load.Calls, n.Load.Slots, n.Queue) +
		words.Prefixed(", labels: ", strings.Join(config.FormatLabels(n.Labels), " ")) + ", version " + n.Version
}

// fleet lists the nodes. A server that has just started waits for its connection to NATS, and asks
// the nodes.
func fleet(ctx context.Context, s *call.Service, _ nothing) (fleetResult, error) {
	known, at := s.Fleet()
	r := fleetResult{NATS: at, Nodes: []nodeInfo{}}
	if known == nil {
		return r, nil
	}
	if r.Connected = known.AwaitLine(ctx) == nil; !r.Connected {
		return r, nil
	}
	for _, n := range known.List(ctx) {
		r.Nodes = append(r.Nodes, nodeInfoOf(n))
	}
	return r, nil
}

func nodeInfoOf(n roster.Node) nodeInfo {
	i := nodeInfo{
		Name: n.Name, Healthy: n.Healthy, Reason: n.Reason, Draining: n.Draining, Tabs: n.Tabs, Labels: n.Labels, Version: n.Version,
	}
	if i.Labels == nil {
		i.Labels = map[string]string{}
	}
	if n.Load != nil {
		i.Load, i.Queue = nodeLoad{n.Load.Calls, n.Load.Slots}, n.Load.Queue
	}
	return i
}
