package api

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"chela/internal/op"
)

// A call waits for less than its own deadline. The agent tool waits for less than a minute, after
// which its clients give up.
func TestAskUntil(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, s := range []struct {
			surface  op.Surface
			deadline time.Duration
			want     time.Duration
		}{
			{"", 0, 120 * time.Second},
			{op.AgentTool, 0, 50 * time.Second},
			{op.AgentTool, 120 * time.Second, 50 * time.Second},
			{"", 5 * time.Second, 5*time.Second - askSlack/2},
		} {
			ctx, cancel := op.WithSurface(t.Context(), s.surface), func() {}
			if s.deadline > 0 {
				ctx, cancel = context.WithTimeout(ctx, s.deadline)
			}
			if got := time.Until(askUntil(ctx)); got != s.want {
				t.Errorf("%q with %s: got %s, want %s", s.surface, s.deadline, got, s.want)
			}
			cancel()
		}
	})
}

// The time of a question is given in milliseconds; on the command line also as a length of time.
func TestAskTimeout(t *testing.T) {
	for _, s := range []struct {
		text string
		want askTimeout
	}{
		{"1000", 1000}, {"10m", 600_000}, {"24h", 86_400_000}, {"soon", 0}, {"", 0},
	} {
		var got askTimeout
		if err := got.UnmarshalText([]byte(s.text)); (err == nil) != (s.want > 0) || err == nil && got != s.want {
			t.Errorf("%s: got %d, %v", s.text, got, err)
		}
	}
}
