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
	mu    sync.Mutex // guards the rest
	count map[string]int
}

func (h *holds) take(key string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.count == nil {
		h.count = map[string]int{}
	}
	h.count[key]++
}

// leave removes a connection of the session, and reports whether no other connection holds it.
func (h *holds) leave(key string) (last bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.count[key]--; h.count[key] > 0 {
		return false
	}
	delete(h.count, key)
	return true
}

// endSessionTime limits how long ending a session may take after its last connection has closed.
const endSessionTime = 30 * time.Second

// hold answers GET /sessions/hold. It sends one line at once, and then nothing. When the client closes
// the connection, hold ends the session of the call and its tabs are closed. That also happens when
// the client's process is killed. If several connections hold a session, it ends with the last one.
// When the server shuts down, no session ends: at its next start, the server restores tabs that still
// belong to these sessions.
func (s *Server) hold(w http.ResponseWriter, r *http.Request) error {
	contentType(w.Header(), "application/x-ndjson")
	key := op.Session(r.Context())
	s.holds.take(key)
	http.NewResponseController(w).SetReadDeadline(time.Time{}) // the request has been read, so its deadline is over
	io.WriteString(w, "{\"ok\":true}\n")
	http.NewResponseController(w).Flush()
	select {
	case <-r.Context().Done():
	case <-s.ending.Done():
	}
	if s.holds.leave(key) && key != "" {
		s.endSession(key)
	}
	return nil // the answer has begun: an error cannot be answered any more
}

// endSession ends a session that no connection holds any more, unless the server is shutting down.
func (s *Server) endSession(key string) {
	if s.stopping.Load() || s.o.EndSession == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), endSessionTime)
	defer cancel()
	if _, err := s.o.EndSession(ctx, key); err != nil {
		s.o.Log.Warn("a session could not be ended", "session", key, "error", err)
	}
}
