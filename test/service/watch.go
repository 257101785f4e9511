package service

import (
	"flag"
	"testing"
	"time"
)

// Slack is how much later than its deadline a call may be answered.
const Slack = 250 * time.Millisecond

var strict = flag.Bool("strict", false, "hold answers to their deadlines as they are promised, however busy the machine")

// Strict reports whether nothing else runs, so that pages are painted when they should be.
func Strict() bool { return *strict }

// A Watch measures how long a call takes. Unless the tests are strict, it leaves
// out the time in which the machine was too busy to run what was due: a probe
// beside the call sleeps again and again, and notes how much longer each sleep
// took than it should.
type Watch struct {
	began time.Time
	stop  chan struct{}
	lag   chan time.Duration
}

// StartWatch begins to measure.
func StartWatch() *Watch {
	w := &Watch{time.Now(), make(chan struct{}), make(chan time.Duration, 1)}
	go w.probe()
	return w
}

const (
	tick = 5 * time.Millisecond
	// An idle machine wakes a sleeper later than it should, too, but by less.
	idle = 2 * time.Millisecond
)

func (w *Watch) probe() {
	var lag time.Duration
	ticker := time.NewTimer(tick)
	defer ticker.Stop()
	for {
		due := time.Now().Add(tick)
		ticker.Reset(tick)
		select {
		case <-ticker.C:
		case <-w.stop:
			w.lag <- lag
			return
		}
		if late := time.Since(due); late > idle {
			lag += late
		}
	}
}

// Stop returns how long it took.
func (w *Watch) Stop() time.Duration {
	took := time.Since(w.began)
	close(w.stop)
	if lag := <-w.lag; !*strict {
		took -= lag
	}
	return took
}

// AtOnce reports an answer that something was waited for: what holds up the call, if the
// program is wrong, lasts for ten seconds and more. An answer that waits for nothing takes some
// milliseconds, but on a busy machine it may take longer than [Slack].
func (a Answer) AtOnce(t testing.TB) {
	t.Helper()
	if a.Took > 5*time.Second {
		t.Errorf("answered after %v, not at once: %s", a.Took, a.Raw)
	}
}

// Within reports an answer that came later than a deadline allows.
func (a Answer) Within(t testing.TB, deadline time.Duration) {
	t.Helper()
	if a.Took > deadline+Slack {
		t.Errorf("answered after %v, which is beyond %v: %s", a.Took, deadline+Slack, a.Raw)
	}
}
