package server

import (
	"context"
	"io"
	"net/http"
	"sync"
	"time"

	"chela/internal/op"
)

// holds counts, for each session, the connections that hold it, see Server.hold.
type holds struct {
	mu sync.Mutex // guards the rest
	of map[string]*held
}

// held is a session that connections hold. If the count is 0, the session is being ended.
type held struct {
	count int
	ended chan struct{} // closed when the session has ended
}

// take adds a connection of the session. While the session is being ended, take waits, because the end
// closes all tabs of the session. The error is the cause of ctx.
func (h *holds) take(ctx context.Context, key string) error {
	for {
		ended := h.tryTake(key)
		if ended == nil {
			return nil
		}
		select {
		case <-ended:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// tryTake adds a connection of the session. If the session is being ended, tryTake adds none, and
// returns a channel that is closed after the end.
func (h *holds) tryTake(key string) (ended <-chan struct{}) {
	h.mu.Lock()
	defer h.mu.Unlock()
	one := h.of[key]
	switch {
	case one == nil:
		if h.of == nil {
			h.of = map[string]*held{}
		}
		h.of[key] = &held{1, make(chan struct{})}
	case one.count == 0:
		return one.ended
	default:
		one.count++
	}
	return nil
}

// leave removes a connection of the session. If it was the last one, leave ends the session by end.
func (h *holds) leave(key string, end func()) {
	h.mu.Lock()
	one := h.of[key]
	one.count--
	last := one.count == 0
	h.mu.Unlock()
	if last {
		defer h.forget(key)
		end()
	}
}

func (h *holds) forget(key string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	close(h.of[key].ended)
	delete(h.of, key)
}

// hold answers GET /sessions/hold. It begins the answer at once, sends one line when the session is
// held, and then nothing. When the client closes the connection, hold ends the session of the call and
// its tabs are closed. That also happens when the client's process is killed. If several connections
// hold a session, it ends with the last one. When the server shuts down, no session ends: at its next
// start, the server restores tabs that still belong to these sessions.
func (s *Server) hold(w http.ResponseWriter, r *http.Request) error {
	ctx, cancel := context.WithCancelCause(r.Context())
	defer cancel(nil)
	defer context.AfterFunc(s.ending, func() { cancel(errStopping) })()
	http.NewResponseController(w).SetReadDeadline(time.Time{}) // the request has been read, so its deadline is over
	key := op.Session(ctx)
	contentType(w.Header(), "application/x-ndjson")
	http.NewResponseController(w).Flush()
	if s.holds.take(ctx, key) != nil {
		return nil // the answer has begun: an error cannot be answered any more
	}
	io.WriteString(w, "{\"ok\":true}\n")
	http.NewResponseController(w).Flush()
	<-ctx.Done()
	s.holds.leave(key, func() { s.endSession(key) })
	return nil
}

// endSession ends a session that no connection holds any more, unless the server is shutting down. The
// key "" stands for no session.
func (s *Server) endSession(key string) {
	if key == "" || s.stopping.Load() || s.o.EndSession == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), op.EndSessionTime)
	defer cancel()
	if _, err := s.o.EndSession(ctx, key); err != nil {
		s.o.Log.Warn("a session could not be ended", "session", key, "error", err)
	}
}
