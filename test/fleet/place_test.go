package fleet

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"chela/internal/base/config"
	"chela/internal/fleet/natsline"
	"chela/internal/fleet/roster"
	"chela/internal/fleet/wire"
	"chela/test/pages"
	"chela/test/service"
)

// A watcher sees what the nodes report about themselves.
type watcher struct {
	mu     sync.Mutex
	loads  map[string]wire.Load // by names of nodes
	onBeat func(map[string]wire.Load)
}

func (b *broker) watch(t *testing.T) *watcher {
	line, err := natsline.Dial(config.Fleet{URL: b.url(), Tenant: "default"}, "test")
	if err != nil {
		t.Fatal(err)
	}
	known, err := roster.New(line, "default")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		known.Close()
		line.Close()
	})
	w := &watcher{loads: map[string]wire.Load{}}
	known.Watch(func(n roster.Node) {
		w.mu.Lock()
		defer w.mu.Unlock()
		if n.Load != nil {
			w.loads[n.Name] = *n.Load
		}
		if w.onBeat != nil {
			w.onBeat(w.loads)
		}
	})
	return w
}

func (w *watcher) load(name string) wire.Load {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.loads[name]
}

// 1,000 pages are rendered on four nodes, by more agents than there are places. The busiest node
// has at most 1.3 times as many calls in progress as the idlest, as the mean of what the nodes
// report.
func TestSpread(t *testing.T) {
	const renders, agents = 1000, 50
	b := newBroker(t)
	names := []string{"n1", "n2", "n3", "n4"}
	for _, name := range names {
		b.newNode(t, name, "")
	}
	here := b.newCaller(t, "")
	page := site.URL + pages.HTML("<title>Spread</title><p>Words")
	for range 2 * len(names) { // so that the browsers of the nodes start
		here.OK(t, "POST /render?target=node", service.Args{"url": page, "mode": "extract", "wait_seconds": 0})
	}
	w := b.watch(t)
	calls, samples := map[string]int{}, 0
	service.Eventually(t, "the nodes are known", func() bool { return w.load("n1").Slots > 0 && w.load("n4").Slots > 0 })
	work := make(chan int)
	var working sync.WaitGroup
	for i := range agents {
		agent := here.In(fmt.Sprint("agent", i))
		working.Go(func() {
			for range work {
				agent.OK(t, "POST /render?target=node", service.Args{"url": page, "mode": "extract", "wait_seconds": 0})
			}
		})
	}
	began := time.Now()
	for i := range renders {
		work <- i
		if i == 2*agents { // by now all places are taken, and calls wait
			w.mu.Lock()
			w.onBeat = func(loads map[string]wire.Load) {
				samples++
				for name, l := range loads {
					calls[name] += l.Placed
				}
			}
			w.mu.Unlock()
		}
	}
	w.mu.Lock()
	w.onBeat = nil
	w.mu.Unlock()
	close(work)
	working.Wait()
	most, least := slices.Max(slices.Collect(maps.Values(calls))), slices.Min(slices.Collect(maps.Values(calls)))
	t.Logf("%d renders took %s; in %d samples the nodes had %v calls in progress: the busiest %.2f times as many as the idlest", renders, time.Since(began), samples, calls, float64(most)/float64(least))
	if len(calls) != len(names) || float64(most) > 1.3*float64(least) {
		t.Errorf("calls in progress: %v", calls)
	}
}

// 1,000 calls that are cancelled while they wait for a place leave no session, call or place behind.
func TestCancelledWaits(t *testing.T) {
	b := newBroker(t)
	mac := b.newNode(t, "mac", "")
	here := b.newCaller(t, "")
	w := b.watch(t)
	service.Eventually(t, "the node is known", func() bool { return w.load("mac").Slots > 0 })
	slots := w.load("mac").Slots
	ctx, cancel := context.WithCancel(t.Context())
	var waiting sync.WaitGroup
	read := func(ctx context.Context, session string) (service.Answer, error) {
		return here.In(session).Try(ctx, "POST /read?target=node", service.Args{"url": site.URL + "/never"})
	}
	for i := range slots {
		waiting.Go(func() { read(ctx, fmt.Sprint("first", i)) })
	}
	service.Eventually(t, "all places are taken", func() bool { return w.load("mac").Placed == slots })
	for i := range 1000 {
		waiting.Go(func() { read(ctx, fmt.Sprint("late", i%100)) })
	}
	time.Sleep(time.Second) // by now the calls wait at the caller
	if placed := w.load("mac").Placed; placed != slots {
		t.Errorf("the node has %d calls, and %d places", placed, slots)
	}
	cancel()
	waiting.Wait()
	service.Eventually(t, "the node has no calls", func() bool { return w.load("mac").Placed == 0 && w.load("mac").Calls == 0 })
	for _, s := range []*service.Service{here.Service, mac.Service} {
		if a := s.OK(t, "GET /sessions", nil); a.Count("sessions") != 0 {
			t.Errorf("there are sessions: %s", a.Raw)
		}
	}
	for range 2 * slots {
		here.OK(t, "POST /read?target=node", service.Args{"url": site.URL + pages.HTML("<p>Free")})
	}
}
