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

	mu    sync.Mutex      // guards the rest; not held while the server is asked
	asked <-chan struct{} // closed when the request under way has been answered; nil: none is under way
	lost  <-chan struct{} // closed when the server no longer holds the session; nil: it never did
}

// Run runs an operation, and asks the server to hold the session, so that the tabs that the operation
// opens are closed in any case. It asks before the call and again after it, because the call may have
// started the server. A server that has ended and was started again holds no session, but may have
// restored its tabs. If the call failed, the second answer is not waited for: a server that hangs would
// delay the error.
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
	if err != nil {
		h.ask(ctx)
		return nil, err
	}
	h.hold(ctx)
	return raw, nil
}

// hold asks the server to hold the session of a call, unless it already does, and waits for the
// answer or the end of ctx. Calls at the same time wait for the same answer. A failure is not an
// error of the call. The next call tries again, and tabs that nobody holds are closed after a time,
// see TabCleanup.
func (h *sessionHolder) hold(ctx context.Context) {
	select {
	case <-h.ask(ctx):
	case <-ctx.Done():
	}
}

// ask begins to ask the server to hold the session of a call, unless it already does or is being
// asked. The channel is closed when there is an answer. The request goes on after the call has ended.
func (h *sessionHolder) ask(call context.Context) (answered <-chan struct{}) {
	key := op.Session(call)
	if op.Session(h.ctx) != "" {
		key = "" // the user has named the session: hold none, and only keep the server from ending
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.asked != nil {
		return h.asked
	}
	done := make(chan struct{})
	if h.isHeldLocked() {
		close(done)
		return done
	}
	h.asked = done
	go func() {
		defer close(done)
		lost, err := h.client.HoldSession(op.WithSession(h.ctx, key))
		if err != nil && h.ctx.Err() == nil && !errors.Is(err, client.ErrNoServer) {
			slog.Warn("the session is not held", "error", err)
		}
		h.mu.Lock()
		defer h.mu.Unlock()
		h.asked = nil
		if err == nil {
			h.lost = lost
		}
	}()
	return done
}

// isHeldLocked reports whether the server holds the session.
func (h *sessionHolder) isHeldLocked() bool {
	select {
	case <-h.lost:
		return false
	default:
		return h.lost != nil
	}
}

// end waits until the session is no longer held. It must be called after h.ctx has ended, because
// only then does the connection end that holds the session.
func (h *sessionHolder) end() {
	h.mu.Lock()
	asked := h.asked
	h.mu.Unlock()
	if asked != nil {
		<-asked
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.lost != nil {
		<-h.lost
	}
}
