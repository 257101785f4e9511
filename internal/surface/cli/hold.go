package cli

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"sync"

	"chela/internal/op"
	"chela/internal/surface/client"
)

// A sessionHolder runs the calls of an agent's connection. It asks the server to hold the session, see
// [client.Client.HoldSession]: when this process ends, the server ends the session and closes its
// tabs. The server does not end a session that the user has named, with --session or CHELA_SESSION,
// as other programs may use it.
type sessionHolder struct {
	*remote
	ctx context.Context // context of the connection

	mu   sync.Mutex      // guards the rest
	lost <-chan struct{} // closed when the server no longer holds the session; nil: it never did
}

// Run runs an operation, and asks the server to hold the session, so that the tabs that the operation
// opens are closed in any case. It asks before the call and again after it, because the call may have
// started the server. A server that has ended and was started again holds no session, but may have
// restored its tabs.
//
// If no server runs, every operation starts one. On the command line, some operations such as status
// do not ([op.NeverStart]). But a model that asks for the status would think that a missing server is
// a failure.
func (h *sessionHolder) Run(ctx context.Context, o *op.Op, args op.Args) (json.RawMessage, error) {
	h.hold(ctx)
	raw, err := h.remote.Run(ctx, o, args)
	if o.NeverStart() && !h.afar && errors.Is(err, client.ErrNoServer) {
		if err = h.start(ctx); err == nil {
			raw, err = h.remote.Run(ctx, o, args)
		}
	}
	h.hold(ctx)
	return raw, err
}

// hold asks the server to hold the session of a call, unless it already does. A failure is not an
// error of the call. The next call tries again, and tabs that nobody holds are closed after a time,
// see TabCleanup.
func (h *sessionHolder) hold(ctx context.Context) {
	h.mu.Lock()
	defer h.mu.Unlock()
	select {
	case <-h.lost:
	default:
		if h.lost != nil {
			return
		}
	}
	key := op.Session(ctx)
	if op.Session(h.ctx) != "" {
		key = "" // the user has named the session: hold none, and only keep the server from ending
	}
	lost, err := h.client.HoldSession(op.WithSession(h.ctx, key))
	if err == nil {
		h.lost = lost
	} else if !errors.Is(err, client.ErrNoServer) {
		slog.Warn("the session is not held", "error", err)
	}
}

// end waits until the session is no longer held. It must be called after h.ctx has ended, because
// only then does the connection end that holds the session.
func (h *sessionHolder) end() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.lost != nil {
		<-h.lost
	}
}
