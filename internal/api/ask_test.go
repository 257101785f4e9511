package api

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"chela/internal/op"
)

// A call waits for an answer until shortly before its own deadline. The agent tool waits for less
// than a minute, because its clients give up after a minute.
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

// The timeout of a question is a number of milliseconds. On the command line it may also be a
// duration such as 5m.
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
