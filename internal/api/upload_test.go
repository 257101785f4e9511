package api

import (
	"math"
	"testing"
	"time"
)

// An answer to a dialog or file chooser waits for two minutes at most, whatever time the caller
// asks for.
func TestArmedFor(t *testing.T) {
	for _, s := range []struct {
		timeoutMs int
		want      time.Duration
	}{
		{0, 120 * time.Second},
		{500, 500 * time.Millisecond},
		{120_000, 120 * time.Second},
		{600_000, 120 * time.Second},
		{math.MaxInt, 120 * time.Second},
	} {
		if got := armedFor(s.timeoutMs); got != s.want {
			t.Errorf("armed for %v by %d ms, want %v", got, s.timeoutMs, s.want)
		}
	}
}
