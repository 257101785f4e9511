package chaos

import (
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"

	"chela/test/long"
	"chela/test/service"
)

// Many clients share many tabs: each call reaches the tab that it names.
func TestCrowd(t *testing.T) {
	long.Test(t)
	const clients = 32
	s, pages := service.Own(t, ""), newSite(t)
	workers := make(chan *worker, *tabs)
	var all sync.WaitGroup
	opening := make(chan int)
	for range 8 {
		all.Go(func() {
			for i := range opening {
				w := &worker{T: t, service: s, site: pages, rand: random(i), page: fmt.Sprintf("c%d", i), honest: peaceful}
				w.open()
				workers <- w
			}
		})
	}
	for i := range *tabs {
		opening <- i
	}
	close(opening)
	all.Wait()
	var begun atomic.Int64
	for range clients {
		all.Go(func() {
			for begun.Add(1) <= 10*int64(*tabs) {
				w := <-workers
				w.step()
				workers <- w
			}
		})
	}
	all.Wait()
	if a := s.OK(t, "GET /tabs", nil); a.Status != http.StatusOK || a.Count("tabs") < *tabs {
		t.Errorf("%d tabs are there", a.Count("tabs"))
	}
}
