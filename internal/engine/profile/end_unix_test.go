//go:build unix

package profile

import (
	"context"
	"syscall"
	"testing"
	"time"
)

// Reading the last state of a browser that does not answer leaves time for its end.
func TestReadingBeforeTheEnd(t *testing.T) {
	ctx, p, b, h := startPortable(t, true)
	close(h.free)
	pid := b.Describe().PID
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	defer syscall.Kill(pid, syscall.SIGCONT)
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	p.carrier.prepareEnd(ctx, b, Stopping{})
	if end, _ := ctx.Deadline(); time.Until(end) < 500*time.Millisecond {
		t.Errorf("%s are left to end the browser", time.Until(end))
	}
}
