package chaos

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"chela/test/long"
	"chela/test/service"
)

// Agents that share a server, each in a session of its own, use several browsers at once.
// They name their tab in one of two calls. Every call succeeds, and reaches the tab of its
// agent; each browser has the cookies and the storage of its own agents, and no others.
func TestAgents(t *testing.T) {
	long.Test(t)
	s, pages := service.Own(t, ""), newSite(t)
	workers := make([]*worker, *agents)
	for i := range workers {
		workers[i] = &worker{
			T: t, service: s.In(fmt.Sprintf("agent-%d", i)), alone: true, site: pages, rand: random(i), page: fmt.Sprintf("c%d", i),
			profile: fmt.Sprintf("p%d", i%*profiles),
		}
	}
	for i := range *profiles {
		s.OK(t, "POST /profiles/create", args{"name": fmt.Sprintf("p%d", i)})
	}
	var all sync.WaitGroup
	for _, w := range workers {
		all.Go(func() {
			w.open()
			w.leaveMark()
			for w.done < *agentOps && !t.Failed() {
				w.step()
			}
		})
	}
	all.Wait()
	calls := 0
	for _, w := range workers {
		calls += w.done
		var same []string
		for _, other := range workers {
			if other.profile == w.profile {
				same = append(same, other.page)
			}
		}
		w.compareMarks(same)
		if list, ok := w.call("GET /tabs", args{}); ok && list.Count("tabs") != len(same) {
			t.Errorf("%s has %d tabs, want %d: %s", w.profile, list.Count("tabs"), len(same), list.Raw)
		}
	}
	t.Logf("seed %d: %d calls of %d agents in %d browsers", *seed, calls, *agents, *profiles)
}

// leaveMark stores the name of the worker's page in the browser, as a cookie and in localStorage.
func (w *worker) leaveMark() {
	w.call("POST /act", args{"kind": "evaluate", "fn": fmt.Sprintf("void (document.cookie = '%s=1; path=/', localStorage.%[1]s = 1)", w.page)})
}

// compareMarks checks that these workers have left their marks in the browser, and no others.
func (w *worker) compareMarks(pages []string) {
	w.Helper()
	const script = "[document.cookie.split('; ').map(c => c.split('=')[0]).sort().join(' '), Object.keys(localStorage).sort().join(' ')].join('|')"
	a, ok := w.call("POST /act", args{"kind": "evaluate", "fn": script})
	slices.Sort(pages)
	if want := strings.Join(pages, " "); ok && a.Text("result") != want+"|"+want {
		w.Errorf("%s remembers %s, want %s", w.profile, a.Text("result"), want)
	}
}
