// Package schedule chooses the machine for a call that may run on any. It knows no line and no
// clock: the simulation of its test uses it as callers do.
//
// A caller hears twice a second how busy each node is. If it always took the idlest, all callers
// would send their calls to the same node until they hear more. So it takes the better of two that
// are drawn at random, and counts what it has sent itself since.
package schedule

import (
	"math/rand/v2"
	"sync"
)

// A Node is a machine that may be chosen.
type Node struct {
	Name  string
	Busy  int    // calls that it has, as it said last
	Slots int    // how many it can do at once
	Said  uint64 // number of what it said last, which grows
}

// A Scheduler chooses for one caller. Its zero value is ready.
type Scheduler struct {
	mu   sync.Mutex // guards the rest
	sent map[string]*sent
}

// sent counts the calls of this caller to a node, for its load.
type sent struct {
	said  uint64 // number of what the node said last when new began to count
	new   int    // begun since
	total int    // under way
}

// Order returns nodes in the order in which they should be asked, at most as many as most. Each of
// them is the less busy of two that are drawn at random from those that are left.
func (s *Scheduler) Order(nodes []Node, most int) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	left := append([]Node(nil), nodes...)
	var order []string
	for len(left) > 0 && len(order) < most {
		i := rand.IntN(len(left))
		if j := rand.IntN(len(left)); s.loadLocked(left[j]) < s.loadLocked(left[i]) {
			i = j
		}
		order = append(order, left[i].Name)
		left[i] = left[len(left)-1]
		left = left[:len(left)-1]
	}
	return order
}

// loadLocked is how busy a node is, from 0; 1 means that all its slots are used.
func (s *Scheduler) loadLocked(n Node) float64 {
	busy := n.Busy
	if own := s.sent[n.Name]; own != nil {
		if own.said == n.Said {
			busy += own.new
		}
		busy = max(busy, own.total)
	}
	return float64(busy) / float64(max(1, n.Slots))
}

// Begin counts a call to a node until end is called. Said is the number of what the node said last.
func (s *Scheduler) Begin(name string, said uint64) (end func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.sent == nil {
		s.sent = map[string]*sent{}
	}
	own := s.sent[name]
	if own == nil {
		own = new(sent)
		s.sent[name] = own
	}
	if own.said != said {
		own.said, own.new = said, 0
	}
	own.new++
	own.total++
	return sync.OnceFunc(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		own.total--
		if own.said == said {
			own.new--
		}
		if own.total == 0 {
			delete(s.sent, name)
		}
	})
}
