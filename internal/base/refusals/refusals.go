// Package refusals logs refused connections and requests, each reason at most once a minute. A page that
// looks for a port, or a program whose key was revoked, may try without end.
package refusals

import (
	"log/slog"
	"sync"
	"time"
)

// Every is the time in which a reason is logged once.
const Every = time.Minute

// maxFrom limits how many bytes of the sender are logged.
const maxFrom = 100

// A Log logs refusals, with the number of those for the same reason that it has left out since the last
// time. Reasons must be constants, so that the map stays small.
type Log struct {
	Text string // text of the log entries

	mu   sync.Mutex // guards the rest
	last map[string]before
}

type before struct {
	logged time.Time
	since  int // number of refusals for this reason since it was logged
}

// Refused logs that somebody was refused. The parameter from names the sender, such as its origin.
func (l *Log) Refused(reason, from string, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.last == nil {
		l.last = map[string]before{}
	}
	was := l.last[reason]
	if now.Sub(was.logged) < Every {
		was.since++
		l.last[reason] = was
		return
	}
	l.last[reason] = before{logged: now}
	slog.Warn(l.Text, "reason", reason, "from", from[:min(len(from), maxFrom)], "before", was.since)
}
