package api

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"chela/internal/op"
)

// A call ends at its deadline, also when what computes its answer does not.
func TestInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		if got, err := inTime(t.Context(), func() int { return 7 }); got != 7 || err != nil {
			t.Errorf("got %d, %v", got, err)
		}
		if _, err := inTime(t.Context(), func() int { panic("broken") }); err == nil || op.AsError(explain(err)).Code != op.Internal {
			t.Errorf("work that panics: %v", err)
		}
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Second, op.ErrDeadline)
		defer cancel()
		began, end := time.Now(), make(chan struct{})
		_, err := inTime(ctx, func() int { <-end; return 0 })
		if op.AsError(explain(err)).Code != op.Deadline || time.Since(began) != time.Second {
			t.Errorf("work without end: %v after %v", err, time.Since(began))
		}
		close(end)
		gone, leave := context.WithCancelCause(t.Context())
		leave(context.Canceled)
		if _, err := inTime(gone, func() int { <-gone.Done(); return 0 }); err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("a caller that has gone: %v", err)
		}
	})
}
