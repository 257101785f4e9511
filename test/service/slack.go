package service

import (
	"flag"
	"testing"
	"time"
)

var strict = flag.Bool("strict", false, "hold answers to their deadlines as they are promised; nothing else may run meanwhile")

// Strict reports whether nothing else runs, so that pages are painted when they should be.
func Strict() bool { return *strict }

// Slack is how much later than its deadline a call may be answered. Beside other tests a machine
// may be too busy to answer in time. Then the limit only finds calls that hang.
func Slack() time.Duration {
	if *strict {
		return 250 * time.Millisecond
	}
	return 5 * time.Second
}

// AtOnce reports an answer that something was waited for: what holds up the call, if the
// program is wrong, lasts for ten seconds and more.
func (a Answer) AtOnce(t testing.TB) {
	t.Helper()
	if a.Took > 5*time.Second {
		t.Errorf("answered after %v, not at once: %s", a.Took, a.Raw)
	}
}

// Within reports an answer that came later than a deadline allows.
func (a Answer) Within(t testing.TB, deadline time.Duration) {
	t.Helper()
	if a.Took > deadline+Slack() {
		t.Errorf("answered after %v, which is beyond %v: %s", a.Took, deadline+Slack(), a.Raw)
	}
}
