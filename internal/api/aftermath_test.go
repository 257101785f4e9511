package api

import (
	"context"
	"testing"
	"time"
)

// The time that an act may take does not hold what comes after it.
func TestDeadlineOfAnAct(t *testing.T) {
	ms := func(n int) *int { return &n }
	for _, s := range []struct {
		name string
		act  acting
		want time.Duration // before the deadline of the call
	}{
		{"alone", acting{}, 0},
		{"with none", acting{following: following{Snapshot: "none"}}, 0},
		{"with a snapshot", acting{following: following{Snapshot: "delta"}}, time.Second},
		{"with a time to settle", acting{following: following{SettleMs: ms(300)}}, 300 * time.Millisecond},
		{"with both", acting{following: following{Snapshot: "delta", SettleMs: ms(0)}}, 0},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		end, _ := ctx.Deadline()
		if got := end.Sub(s.act.deadline(ctx)); got != s.want {
			t.Errorf("%s: %v before the end of the call, want %v", s.name, got, s.want)
		}
		cancel()
	}
}
