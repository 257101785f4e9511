package schedule

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// The node with the lower cost is chosen. A node without a place is not chosen, but a caller may
// have one call on each node.
func TestTake(t *testing.T) {
	for _, test := range []struct {
		name  string
		nodes []Node
		least float64 // share of the calls that n0 gets at least
	}{
		{"busy", []Node{{Calls: 0, Slots: 4}, {Calls: 3, Slots: 4}}, 0.65}, // 3 of 4, because both draws may be the busy one
		{"with tabs", []Node{{Tabs: 1, Slots: 4}, {Tabs: 9, Slots: 4}}, 0.65},
		{"smaller", []Node{{Calls: 2, Slots: 8}, {Calls: 2, Slots: 4}}, 0.65},
		{"lacking labels", []Node{{Slots: 4}, {Slots: 4, Lacking: 1}}, 0.99},
		{"lacking labels, but the other is busier by more than half", []Node{{Slots: 4, Lacking: 1}, {Calls: 3, Slots: 4}}, 0.4},
		{"far away", []Node{{Slots: 4}, {Slots: 4, RoundTrip: 300 * time.Millisecond}}, 0.65},
	} {
		for i := range test.nodes {
			test.nodes[i].Name, test.nodes[i].Said = fmt.Sprint("n", i), 1
		}
		var s Scheduler
		first := 0
		for range 1000 {
			p, ok := s.Take(test.nodes)
			if !ok {
				t.Fatalf("%s: there is no place", test.name)
			}
			if p.Node == "n0" {
				first++
			}
			p.End()
			p.End()
		}
		if share := float64(first) / 1000; share < test.least {
			t.Errorf("%s: the better one gets %.2f of the calls", test.name, share)
		}
		if s.Calls() != 0 || len(s.own) != 0 {
			t.Errorf("%s: %d calls on %d nodes are left", test.name, s.Calls(), len(s.own))
		}
	}
	if _, ok := new(Scheduler).Take(nil); ok {
		t.Error("there was a place on no node")
	}
}

// A caller counts a place as taken when it sends the call. From the node's next status on, the node
// counts the call.
func TestPlaces(t *testing.T) {
	var s Scheduler
	node := Node{Name: "a", Slots: 2, Said: 7}
	take := func(placed int, said uint64) *Place {
		node.Placed, node.Said = placed, said
		p, _ := s.Take([]Node{node})
		return p
	}
	first, second := take(0, 7), take(0, 7)
	if first == nil || second == nil || take(0, 7) != nil {
		t.Fatal("a node with two slots has not two places")
	}
	first.End()
	if first = take(0, 7); first == nil {
		t.Error("the place of a call that has ended is not free")
	}
	s.Heard("a", 8)
	if take(2, 8) != nil {
		t.Error("the calls that the node counts are not those of this caller")
	}
	first.End()
	second.End()
	if first = take(2, 8); first == nil || take(2, 8) == nil {
		t.Error("calls that have ended still count, as the node had them")
	}
	if take(2, 8) != nil {
		t.Error("there are three places")
	}
	if other := new(Scheduler); func() bool { _, ok := other.Take([]Node{{Name: "a", Placed: 9, Slots: 2}}); return !ok }() {
		t.Error("a caller cannot have its one call on a node that others use")
	}
	first.Refused()
	first.End()
	if take(0, 8) != nil {
		t.Error("a node that has refused a call gets one before it has said something")
	}
	if take(0, 9) == nil {
		t.Error("a node that has said something gets no call")
	}
}

// In a fleet of 1,000 nodes, 20 callers place 100,000 tabs, and hear of each node twice a second. No
// node has more than 1.2 times its share. One call in ten asks for a label, which half of the nodes
// have.
func TestSimulation(t *testing.T) {
	const (
		machines, tabs, callers = 1000, 100_000, 20
		perBeat                 = 500 // tabs that open between two beats
	)
	busy, said := make([]int, machines), uint64(0)
	heard := make([]Node, machines)
	schedulers := make([]Scheduler, callers)
	for i := range tabs {
		if i%perBeat == 0 {
			said++
			for j := range heard {
				heard[j] = Node{Name: fmt.Sprint(j), Calls: busy[j], Placed: busy[j], Slots: 200, Said: said}
			}
		}
		s, nodes := &schedulers[i%callers], heard
		if i%10 == 0 {
			nodes = heard[:machines/2]
		}
		place, ok := s.Take(nodes)
		if !ok {
			t.Fatalf("no place for tab %d", i)
		}
		var n int
		fmt.Sscan(place.Node, &n)
		busy[n]++
	}
	share := float64(slices.Max(busy)) / (tabs / machines)
	t.Logf("the busiest node has %.2f of its share, the idlest %.2f", share, float64(slices.Min(busy))/(tabs/machines))
	if share > 1.2 {
		t.Errorf("the busiest node has %.2f of its share", share)
	}
}

// BenchmarkTake measures a choice among 1,000 nodes. It should take less than 5 ms.
func BenchmarkTake(b *testing.B) {
	nodes := make([]Node, 1000)
	for j := range nodes {
		nodes[j] = Node{Name: fmt.Sprint(j), Calls: j % 50, Placed: j % 50, Slots: 200, Said: 1}
	}
	var s Scheduler
	for b.Loop() {
		place, ok := s.Take(nodes)
		if !ok {
			b.Fatal("no place")
		}
		place.End()
	}
}
