package page

import (
	"context"
	"errors"
	"testing"
	"time"
)

func TestInTime(t *testing.T) {
	why := errors.New("the caller left")
	left, leave := context.WithCancelCause(t.Context())
	leave(why)
	passed, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Hour))
	defer cancel()
	open, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	for _, s := range []struct {
		name string
		ctx  context.Context
		want error
	}{
		{"no deadline", t.Context(), nil},
		{"before the deadline", open, nil},
		{"after the deadline", passed, context.DeadlineExceeded},
		{"left", left, why},
		{"the timer is late", timerless{open, time.Now().Add(-time.Second)}, context.DeadlineExceeded},
	} {
		if got := checkTime(s.ctx); !errors.Is(got, s.want) || (got == nil) != (s.want == nil) {
			t.Errorf("%s: got %v, want %v", s.name, got, s.want)
		}
	}
}

// timerless is a context whose deadline may pass before it ends.
type timerless struct {
	context.Context
	deadline time.Time
}

func (c timerless) Deadline() (time.Time, bool) { return c.deadline, true }
