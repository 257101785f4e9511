// Package schedule chooses the machine for a call that may run on several. It uses no connection
// and no clock, so a test can simulate a fleet with it.
//
// A caller hears twice a second how busy each node is. If it always took the best node, all callers
// would send their calls to the same node until the next status. So it draws two nodes at random,
// takes the better one, and counts the calls that it has sent since the status. The better node is
// the one with the lower cost:
//
//	cost = (calls + tabs/8) / slots + lacking/2 + round trip in seconds
//
// Calls are those in progress, and tabs those that are open or kept ready. Lacking is the share of
// the preferred labels that a node does not have. So an idle node without these labels costs as
// much as a node that has them all and uses half of its slots. One of the two nodes is drawn among
// those that lack least. Otherwise such nodes would hardly ever be drawn in a fleet that has few of
// them. Calls that this package places take about a second, so a second of round trip counts as
// much as all slots.
package schedule

import (
	"math/rand/v2"
	"slices"
	"sync"
	"time"
)

// A Node is a machine that may be chosen.
type Node struct {
	Name      string
	Said      uint64        // number of the node's last status message; it grows with each message
	Calls     int           // calls in progress, by the node's last status
	Placed    int           // the part of Calls that schedulers have placed there
	Tabs      int           // tabs that are open or kept ready
	Slots     int           // how many calls the node can do at once
	Lacking   float64       // share of the preferred labels that it does not have
	RoundTrip time.Duration // time of a message to the node and back; 0 for this machine, and until it is known
}

// Weights of the cost.
const (
	tabWeight     = 1.0 / 8
	lackingWeight = 1.0 / 2
)

// A Scheduler chooses for one caller. Its zero value is ready.
type Scheduler struct {
	mu  sync.Mutex // guards the rest
	own map[string]*own
}

// own are the calls of this caller on a node.
type own struct {
	name    string
	calls   int    // number of calls under way
	said    uint64 // number of the node's last status
	counted int    // how many of our calls the node's last status includes
	full    bool   // the node has refused a call as busy since its last status
}

// Heard records that a node has sent its status. The number of calls in the status includes those
// of this caller that have begun there.
func (s *Scheduler) Heard(name string, said uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.heardLocked(name, said)
}

// heardLocked does what Heard does. It returns the calls of this caller on the node, or nil.
func (s *Scheduler) heardLocked(name string, said uint64) *own {
	o := s.own[name]
	switch {
	case o == nil || o.said == said:
		return o
	case o.calls == 0:
		delete(s.own, name)
		return nil
	}
	o.said, o.counted, o.full = said, o.calls, false
	return o
}

// Take takes a place on the better of two nodes that have one. It returns false if none has. The
// place counts as taken until [Place.End].
func (s *Scheduler) Take(nodes []Node) (p *Place, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, ok := s.betterLocked(nodes, hasPlace)
	if !ok {
		return nil, false
	}
	o := s.own[n.Name]
	if o == nil {
		o = &own{name: n.Name, said: n.Said}
		if s.own == nil {
			s.own = map[string]*own{}
		}
		s.own[n.Name] = o
	}
	o.calls++
	return &Place{Node: n.Name, scheduler: s, own: o}, true
}

// Better draws two nodes at random, and returns the name of the one with the lower cost. The node
// may have no place for a call. The list must not be empty.
func (s *Scheduler) Better(nodes []Node) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, _ := s.betterLocked(nodes, func(Node, *own) bool { return true })
	return n.Name
}

// Calls returns how many calls of this caller are under way on all nodes.
func (s *Scheduler) Calls() (all int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, o := range s.own {
		all += o.calls
	}
	return all
}

// betterLocked draws two nodes at random, and returns the one that costs less. It draws only nodes
// for which the given function returns true.
func (s *Scheduler) betterLocked(nodes []Node, may func(Node, *own) bool) (better Node, ok bool) {
	other, ok := s.drawLocked(nodes, may)
	if !ok {
		return Node{}, false
	}
	better, ok = s.drawLocked(nearest(nodes), may)
	if !ok || cost(other, s.own[other.Name]) < cost(better, s.own[better.Name]) {
		better = other
	}
	return better, true
}

// nearest returns the nodes that lack least.
func nearest(nodes []Node) []Node {
	least, most := nodes[0].Lacking, nodes[0].Lacking
	for _, n := range nodes {
		least, most = min(least, n.Lacking), max(most, n.Lacking)
	}
	if least == most {
		return nodes
	}
	return slices.DeleteFunc(slices.Clone(nodes), func(n Node) bool { return n.Lacking > least })
}

// draws is how often a node is drawn at random before all nodes are looked at. In a fleet that is
// not full, one of the drawn nodes most likely has a place.
const draws = 8

// drawLocked draws a node at random among those for which the given function returns true. The
// result ok is false if there is none.
func (s *Scheduler) drawLocked(nodes []Node, may func(Node, *own) bool) (drawn Node, ok bool) {
	is := func(n Node) bool { return may(n, s.heardLocked(n.Name, n.Said)) }
	for range min(draws, len(nodes)) {
		if n := nodes[rand.IntN(len(nodes))]; is(n) {
			return n, true
		}
	}
	nodes = slices.DeleteFunc(slices.Clone(nodes), func(n Node) bool { return !is(n) })
	if len(nodes) == 0 {
		return Node{}, false
	}
	return nodes[rand.IntN(len(nodes))], true
}

// hasPlace reports whether a node may take one more call. Each caller may have one call on each
// node, however busy that node is. Otherwise only a caller whose calls end there would get places,
// since it learns first that a place is free.
func hasPlace(n Node, o *own) bool {
	switch {
	case o == nil:
		return true
	case o.full:
		return false
	}
	return o.calls == 0 || o.now(n.Placed) < n.Slots
}

// cost returns the cost of a call on a node, by the formula above.
func cost(n Node, o *own) float64 {
	load := (float64(o.now(n.Calls)) + tabWeight*float64(n.Tabs)) / float64(max(1, n.Slots))
	return load + lackingWeight*n.Lacking + n.RoundTrip.Seconds()
}

// now corrects the number of calls that a node has reported. It subtracts this caller's calls that
// the report includes, and adds this caller's calls that are under way now.
func (o *own) now(calls int) int {
	if o == nil {
		return calls
	}
	return max(0, calls-o.counted) + o.calls
}

// A Place is a place on a node for one call.
type Place struct {
	Node string // "": this machine

	scheduler *Scheduler
	own       *own
	ended     bool
}

// Refused records that the node had no place for the call. The node gets no more calls until it
// sends its next status.
func (p *Place) Refused() {
	p.scheduler.mu.Lock()
	defer p.scheduler.mu.Unlock()
	p.own.full = true
}

// End gives the place back.
func (p *Place) End() {
	s := p.scheduler
	s.mu.Lock()
	defer s.mu.Unlock()
	if p.ended {
		return
	}
	p.ended = true
	p.own.calls--
	if p.own.calls == 0 && p.own.counted == 0 && !p.own.full {
		delete(s.own, p.own.name)
	}
}
