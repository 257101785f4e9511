package service

import (
	"flag"
	"testing"
	"time"
)

var strict = flag.Bool("strict", false, "hold answers to their deadlines as they are promised; nothing else may run meanwhile")

// Strict reports whether the flag -strict promises that nothing else runs on the machine, so that
// pages are painted in time.
func Strict() bool { return *strict }

// Slack is how much later than its deadline a call may be answered. Beside other tests a machine
// may be too busy to answer in time. Then the limit only finds calls that hang.
func Slack() time.Duration {
	if *strict {
		return 250 * time.Millisecond
	}
	return 5 * time.Second
}

// AtOnce reports an error if the answer took so long that the call must have waited for something.
// Such a wait, which is a bug, lasts for ten seconds and more.
func (a Answer) AtOnce(t testing.TB) {
	t.Helper()
	if a.Took > 5*time.Second {
		t.Errorf("answered after %v, not at once: %s", a.Took, a.Raw)
	}
}

// Within reports an error if the answer came later than a deadline allows.
func (a Answer) Within(t testing.TB, deadline time.Duration) {
	t.Helper()
	if a.Took > deadline+Slack() {
		t.Errorf("answered after %v, which is beyond %v: %s", a.Took, deadline+Slack(), a.Raw)
	}
}
