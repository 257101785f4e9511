package schedule

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// What is idle is chosen before what is busy, and every node comes once.
func TestOrder(t *testing.T) {
	var s Scheduler
	nodes := []Node{{Name: "busy", Busy: 9, Slots: 2}, {Name: "idle", Slots: 2}}
	first := map[string]int{}
	for range 1000 {
		order := s.Order(nodes, 5)
		if len(order) != 2 || order[0] == order[1] {
			t.Fatalf("the order is %v", order)
		}
		first[order[0]]++
	}
	if first["idle"] < 650 || first["busy"] == 0 { // 3 of 4, as both draws may be the busy one
		t.Errorf("first were %v", first)
	}
	if order := s.Order(nil, 5); order != nil {
		t.Errorf("without nodes the order is %v", order)
	}
}

// A call counts from when it is sent, until the node says that it has it.
func TestBegin(t *testing.T) {
	var s Scheduler
	load := func(busy int, said uint64) float64 {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.loadLocked(Node{Name: "a", Busy: busy, Slots: 2, Said: said})
	}
	end := s.Begin("a", 7)
	if got := load(2, 7); got != 1.5 {
		t.Errorf("before the node has said it, the load is %v", got)
	}
	if got := load(3, 8); got != 1.5 {
		t.Errorf("after it, the load is %v", got)
	}
	end()
	end()
	if got := load(2, 8); got != 1 || len(s.sent) != 0 {
		t.Errorf("after the end the load is %v", got)
	}
}

// In a fleet of 1,000 nodes, 20 callers place 100,000 tabs, and hear of each node twice a second. A
// choice takes at most 5 ms at the 99th percentile. No node has more than 1.2 times its share.
func TestSimulation(t *testing.T) {
	const (
		machines, tabs, callers = 1000, 100_000, 20
		perBeat                 = 500 // tabs that open between two beats
	)
	busy, said := make([]int, machines), uint64(0)
	heard := make([]Node, machines)
	schedulers := make([]Scheduler, callers)
	var took []time.Duration
	for i := range tabs {
		if i%perBeat == 0 {
			said++
			for j := range heard {
				heard[j] = Node{Name: fmt.Sprint(j), Busy: busy[j], Slots: 100, Said: said}
			}
		}
		s := &schedulers[i%callers]
		began := time.Now()
		name := s.Order(heard, 1)[0]
		s.Begin(name, said)
		took = append(took, time.Since(began))
		var n int
		fmt.Sscan(name, &n)
		busy[n]++
	}
	slices.Sort(took)
	p99 := took[len(took)*99/100]
	share := float64(slices.Max(busy)) / (tabs / machines)
	t.Logf("a choice took %s at the 99th percentile; the busiest node has %.2f of its share, the idlest %.2f", p99, share, float64(slices.Min(busy))/(tabs/machines))
	if p99 > 5*time.Millisecond {
		t.Errorf("a choice took %s at the 99th percentile", p99)
	}
	if share > 1.2 {
		t.Errorf("the busiest node has %.2f of its share", share)
	}
}
