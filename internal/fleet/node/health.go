package node

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"chela/internal/op"
)

// healthTime is the time between two checks whether a browser can start.
const healthTime = 10 * time.Second

// checkHealth checks every healthTime, and when noteHealth asks for it, whether a browser can
// start. Schedulers place no calls on a node that is not healthy. So no call would show that
// browsers can start again: the node itself tries to start one.
func (n *Node) checkHealth(ctx context.Context) {
	for {
		err, portable := n.o.Health(ctx), n.portableNow()
		n.mu.Lock()
		changed, others := (err == nil) != (n.sick == nil), !slices.Equal(portable, n.portable)
		n.sick, n.portable = err, portable
		n.mu.Unlock()
		if changed && ctx.Err() == nil {
			slog.Info("the health of the node has changed", "healthy", err == nil, "reason", err)
		}
		if (changed || others) && ctx.Err() == nil {
			n.Say()
		}
		select {
		case <-ctx.Done():
			return
		case <-n.check:
		case <-time.After(healthTime):
			if err != nil {
				n.o.Retry(ctx)
			}
		}
	}
}

// noteHealth makes checkHealth check at once if the answer to a call shows that the health may have
// changed. Either a browser did not start, or the call succeeded while the node was not healthy.
func (n *Node) noteHealth(e *op.Error) {
	failed := e != nil && (e.Code == op.BrowserFailed || e.Code == op.NoBrowser)
	n.mu.Lock()
	sick := n.sick != nil
	n.mu.Unlock()
	if failed == sick {
		return
	}
	select {
	case n.check <- struct{}{}:
	default: // a check is already due
	}
}
