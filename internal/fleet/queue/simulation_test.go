package queue

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"chela/internal/fleet/schedule"
)

// Sessions with very different numbers of calls share 20 nodes with the real scheduler. While there
// are too few places, all nodes are equally busy. A session with few calls waits for one round, and
// not for the calls of others.
func TestSimulation(t *testing.T) {
	const machines, slots = 20, 4
	synctest.Test(t, func(t *testing.T) {
		var q Queue
		var s schedule.Scheduler
		var mu sync.Mutex
		busy := make([]int, machines)
		nodes := make([]schedule.Node, machines)
		for i := range nodes {
			nodes[i] = schedule.Node{Name: fmt.Sprint(i), Slots: slots, Said: 1}
		}
		longest := map[string]time.Duration{}
		var calls sync.WaitGroup
		call := func(session string, took time.Duration) {
			began := time.Now()
			var place *schedule.Place
			err := q.Wait(t.Context(), Call{Session: session, Take: func() (ok bool) { place, ok = s.Take(nodes); return ok }})
			if err != nil {
				t.Error(err)
				return
			}
			var i int
			fmt.Sscan(place.Node, &i)
			mu.Lock()
			longest[session] = max(longest[session], time.Since(began))
			busy[i]++
			mu.Unlock()
			time.Sleep(took)
			mu.Lock()
			busy[i]--
			mu.Unlock()
			place.End()
			q.Wake()
		}
		begin := func(session string, n int) {
			for range n {
				took := time.Duration(500+rand.IntN(1000)) * time.Millisecond
				calls.Go(func() { call(session, took) })
			}
		}
		begin("many", 1000)
		synctest.Wait()
		for i := range 10 {
			begin(fmt.Sprint("few", i), 5)
		}
		for q.Waiting() > 0 {
			time.Sleep(50 * time.Millisecond)
			synctest.Wait()
			mu.Lock()
			if most, least := slices.Max(busy), slices.Min(busy); q.Waiting() > 0 && most > least {
				t.Errorf("one node has %d calls, and another %d", most, least)
			}
			mu.Unlock()
		}
		calls.Wait()
		for session, waited := range longest {
			if session != "many" && waited > 2*time.Second {
				t.Errorf("session %s has waited for %s", session, waited)
			}
		}
		t.Logf("the session with many calls has waited for %s", longest["many"])
		if s.Calls() != 0 || q.Waiting() != 0 {
			t.Errorf("%d calls are left, %d wait", s.Calls(), q.Waiting())
		}
	})
}
