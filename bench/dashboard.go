package main

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/runtime"

	"chela/internal/engine/cdp"
)

const (
	dashboardAgents = 8
	tabsOfAgent     = 2
	thinkTime       = 200 * time.Millisecond // average time between two calls of an agent
	workTime        = 3 * time.Second        // how long one measurement lasts
)

// dashboard compares the calls of working agents with the same calls while the dashboard is open. A
// second browser, which chela does not drive, shows the dashboard on the same machine. So the times
// also include the load of that browser as it shows the pictures.
func (b *bench) dashboard(ctx context.Context) error {
	server, err := startServer(ctx, b.bin, "")
	if err != nil {
		return err
	}
	defer server.stop()
	var agents []*agent
	for i := range dashboardAgents {
		a := &agent{server: server.in(fmt.Sprint("agent-", i))}
		if err := a.open(ctx, b.site+"/form"); err != nil {
			return err
		}
		agents = append(agents, a)
	}
	person := &subject{clock: func(ctx context.Context) (time.Duration, error) {
		if err := b.raw.openDashboard(ctx, server); err != nil {
			return 0, err
		}
		return work(ctx, agents)
	}, name: fmt.Sprintf("calls of %d agents, the dashboard open", len(agents))}
	nobody := &subject{clock: func(ctx context.Context) (time.Duration, error) {
		if err := b.raw.navigate(ctx, "about:blank"); err != nil {
			return 0, err
		}
		return work(ctx, agents)
	}, name: "the same, closed"}
	return b.compareFor(ctx, 10*b.limit, nobody, person)
}

// in returns a copy of s whose calls are made in the given session.
func (s *server) in(session string) *server {
	other := *s
	other.session = session
	return &other
}

// An agent clicks and reads in each of its tabs in turn.
type agent struct {
	server *server
	tabs   []string
	button string // ref of the button, which is the same in each tab
}

func (a *agent) open(ctx context.Context, url string) error {
	for range tabsOfAgent {
		var opened struct{ TabID string }
		if err := a.server.call(ctx, "POST", "/tabs/open", object{"url": url}, &opened); err != nil {
			return err
		}
		page, err := a.server.snapshot(ctx, "format=ai&targetId="+opened.TabID)
		if err != nil {
			return err
		}
		a.tabs, a.button = append(a.tabs, opened.TabID), page.ref("button", "Count")
	}
	return nil
}

// work lets the agents click and read for workTime, and returns the median time of their calls.
func work(ctx context.Context, agents []*agent) (time.Duration, error) {
	working, cancel := context.WithTimeoutCause(ctx, workTime, nil)
	defer cancel()
	var group sync.WaitGroup
	var mu sync.Mutex // guards times and failed
	var times []time.Duration
	var failed error
	for _, a := range agents {
		group.Go(func() {
			took, err := a.work(ctx, working.Done())
			mu.Lock()
			defer mu.Unlock()
			times = append(times, took...)
			if err != nil {
				failed = err
			}
		})
	}
	group.Wait()
	if failed != nil {
		return 0, failed
	}
	slices.Sort(times)
	return times[len(times)/2], nil
}

func (a *agent) work(ctx context.Context, over <-chan struct{}) (times []time.Duration, err error) {
	for i := 0; ; i++ {
		tab, begin := a.tabs[i/2%len(a.tabs)], time.Now()
		if i%2 == 0 {
			err = a.server.act(ctx, "click", object{"ref": a.button, "targetId": tab})
		} else {
			_, err = a.server.snapshot(ctx, "targetId="+tab)
		}
		times = append(times, time.Since(begin))
		if err != nil {
			return nil, err
		}
		select {
		case <-over:
			return times, nil
		case <-time.After(rand.N(2 * thinkTime)):
		}
	}
}

// openDashboard opens the dashboard of a server, and waits until all cards in view show a picture.
func (t *rawTab) openDashboard(ctx context.Context, s *server) error {
	command := exec.CommandContext(ctx, s.cmd.Path, "dashboard", "--print")
	command.Env = s.environment()
	link, err := command.Output()
	if err != nil {
		return fmt.Errorf("chela dashboard: %w", err)
	}
	address, _, _ := strings.Cut(string(bytes.TrimSpace(link)), "\n")
	for _, url := range []string{"about:blank", address} { // from an open dashboard, the link would only change the fragment and load nothing
		if err := t.navigate(ctx, url); err != nil {
			return err
		}
	}
	_, err = cdp.Call(ctx, t.session, runtime.Evaluate, runtime.EvaluateParams{AwaitPromise: new(true), Expression: `new Promise(shown => {
		const seen = img => img.naturalWidth > 0 || img.getBoundingClientRect().top > innerHeight
		const look = () => {
			const all = [...document.querySelectorAll(".card img")]
			all.length > 0 && all.every(seen) ? shown() : requestAnimationFrame(look)
		}
		look()
	})`})
	return err
}
