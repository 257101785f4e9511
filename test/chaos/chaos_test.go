package chaos

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"chela/test/long"
	"chela/test/service"
)

// While workers use their tabs, renderers and browsers are killed.
func TestChaos(t *testing.T) {
	long.Test(t)
	s, pages := service.Own(t, ""), newSite(t)
	const workers, between = 6, 12 // between is the number of calls between two kills
	var calls atomic.Int64
	due, over := make(chan struct{}), make(chan struct{})
	all := make([]*worker, workers)
	for i := range all {
		all[i] = &worker{T: t, service: s, site: pages, rand: random(i), page: fmt.Sprintf("p%d", i), honest: deadly}
		all[i].open()
	}
	var running sync.WaitGroup
	for _, w := range all {
		running.Go(func() {
			for {
				select {
				case <-over:
					return
				default:
					w.step()
				}
				if calls.Add(1)%between == 0 {
					select {
					case due <- struct{}{}:
					case <-over:
					}
				}
			}
		})
	}
	killer := random(-1)
	browsers := 0
	for range *kills {
		<-due
		browser := int(number(s.OK(t, "GET /", nil).Get("pid")))
		victims := service.Processes(browser, "--type=renderer")
		if killer.IntN(3) == 0 || len(victims) == 0 {
			victims = []int{browser}
			browsers++
		}
		if victim := victims[killer.IntN(len(victims))]; victim > 0 {
			service.Kill(victim)
		}
	}
	close(over)
	running.Wait()
	done, failed := 0, 0
	for _, w := range all {
		w.click() // each tab still works
		done, failed = done+w.done, failed+w.failed
	}
	t.Logf("seed %d: %d kills, %d of them browsers; %d calls, %d of them failed", *seed, *kills, browsers, done, failed)
}

// number is a JSON number, 0 if there is none.
func number(v any) float64 {
	n, _ := v.(float64)
	return n
}
