package telemetry

import (
	"context"
	"maps"
	"slices"

	"github.com/prometheus/client_golang/prometheus"

	"chela/internal/fleet/roster"
)

// figures are the metrics that are read when somebody asks for them.
type figures struct{ Options }

func desc(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc(name, help, labels, nil)
}

var (
	info     = desc("chela_info", "Always 1; the label is the version of chela.", "version")
	tabs     = desc("chela_tabs", "Open tabs of callers, by profile.", "profile")
	memory   = desc("chela_browser_memory_bytes", "Memory that the processes of a browser have for themselves, by profile (Linux only).", "profile")
	dropped  = desc("chela_dropped_total", "What was left out: events that came too fast, entries of event logs that made room, frames for programs that did not read them.", "kind")
	up       = desc("chela_fleet_connected", "Whether NATS answers: 1 or 0.")
	nodes    = desc("chela_fleet_nodes", "Nodes that are connected, by state: healthy, unhealthy, draining.", "state")
	inFlight = desc("chela_fleet_calls", "Calls in progress on all nodes.")
	queued   = desc("chela_fleet_queue", "Calls that wait on all nodes.")
	waiting  = desc("chela_fleet_waiting", "Calls that wait at this server, since no machine has a place for them.")
)

// Describe implements [prometheus.Collector].
func (figures) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{info, tabs, memory, dropped, up, nodes, inFlight, queued, waiting} {
		to <- d
	}
}

// Collect implements [prometheus.Collector].
func (f figures) Collect(to chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, value float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	gauge(info, 1, f.Version)
	for _, b := range f.Source.Browsers() {
		gauge(tabs, float64(b.Tabs), b.Profile)
		if b.Memory > 0 {
			gauge(memory, float64(b.Memory), b.Profile)
		}
	}
	counts := f.Source.Dropped()
	for _, kind := range slices.Sorted(maps.Keys(counts)) {
		to <- prometheus.MustNewConstMetric(dropped, prometheus.CounterValue, float64(counts[kind]), kind)
	}
	if f.Roster == nil {
		return
	}
	gauge(up, map[bool]float64{true: 1}[f.Roster.Connected()])
	sum := sumOf(f.Roster.Nodes(context.Background()))
	for _, state := range states {
		gauge(nodes, float64(sum.nodes[state]), state)
	}
	gauge(inFlight, float64(sum.calls))
	gauge(queued, float64(sum.queue))
	gauge(waiting, float64(f.Waiting()))
}

// The states of nodes. A node that drains is not healthy, as it takes nothing new.
var states = []string{"healthy", "unhealthy", "draining"}

// A sum adds up what the nodes have reported.
type sum struct {
	nodes        map[string]int // number of nodes, by state
	calls, queue int
}

func sumOf(nodes []roster.Node) sum {
	s := sum{nodes: map[string]int{}}
	for _, n := range nodes {
		switch {
		case n.Draining:
			s.nodes["draining"]++
		case n.Healthy:
			s.nodes["healthy"]++
		default:
			s.nodes["unhealthy"]++
		}
		if n.Load != nil {
			s.calls += n.Load.Calls
			s.queue += n.Load.Queue
		}
	}
	return s
}
