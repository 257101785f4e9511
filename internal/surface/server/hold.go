package server

import (
	"context"
	"io"
	"net/http"
	"sync"
	"time"

	"chela/internal/op"
)

// holds counts for each session the connections that keep it from ending, see Server.hold.
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

// leave reports whether no other connection holds the session.
func (h *holds) leave(key string) (last bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.count[key]--; h.count[key] > 0 {
		return false
	}
	delete(h.count, key)
	return true
}

// endSessionTime limits how long it may take to end a session after its caller has gone.
const endSessionTime = 30 * time.Second

// hold answers GET /sessions/hold. It sends one line at once, and then nothing until the connection
// closes, which ends the session of the call. A process that is killed also closes its connections,
// so its tabs do not stay open. If several connections hold a session, the last one ends it. At the
// end of the server no session ends: the tabs that it restores at its next start still belong to
// them.
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

// endSession ends a session whose caller has gone, but not when the server ends.
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
