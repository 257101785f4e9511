package extension

import (
	"log/slog"
	"sync"
	"time"
)

const (
	logTime   = time.Minute // a reason is logged once in this time
	maxOrigin = 100         // how many bytes of an Origin header are logged at most
)

// refused logs why connections were refused. A page that looks for the port, or an extension whose
// key was revoked, may try without end. So each reason is logged at most once a minute, with the
// number of refusals since the last time. The reasons are constants of this package, so the map
// stays small.
type refused struct {
	mu   sync.Mutex // guards the rest
	last map[string]refusedBefore
}

type refusedBefore struct {
	logged time.Time
	since  int // number of refusals for this reason since it was logged
}

func (r *refused) log(reason, origin string, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.last == nil {
		r.last = map[string]refusedBefore{}
	}
	before := r.last[reason]
	if now.Sub(before.logged) < logTime {
		before.since++
		r.last[reason] = before
		return
	}
	r.last[reason] = refusedBefore{logged: now}
	slog.Warn("the relay refused a connection", "reason", reason, "origin", origin[:min(len(origin), maxOrigin)], "before", before.since)
}
