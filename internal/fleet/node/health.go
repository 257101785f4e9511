package node

import (
	"context"
	"log/slog"
	"time"

	"chela/internal/op"
)

// healthTime is how often it is checked whether a browser can start.
const healthTime = 10 * time.Second

// checkHealth checks it again and again, and at once after a call that says otherwise. A node that
// is not healthy gets no calls that a scheduler places, which could show that it is well again. So
// it tries by itself to start the browser.
func (n *Node) checkHealth(ctx context.Context) {
	for {
		err := n.o.Health(ctx)
		n.mu.Lock()
		changed := (err == nil) != (n.sick == nil)
		n.sick = err
		n.mu.Unlock()
		if changed && ctx.Err() == nil {
			slog.Info("the health of the node has changed", "healthy", err == nil, "reason", err)
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

// noteHealth has the health checked if the answer to a call shows that it may have changed. Either a
// browser did not start, or the call succeeded while the node was not healthy.
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
	default: // it is to be checked already
	}
}
