package setting

import (
	"slices"
	"sync"
	"time"
)

// delayedRequests are paused requests that wait for the delay of their route. A nil
// *delayedRequests has none.
type delayedRequests struct {
	mu   sync.Mutex // guards the rest
	list map[*PausedRequest]delay
}

type delay struct {
	route *Route
	timer *time.Timer
}

// carryOut carries out a decision about a request, after the delay of its route.
func (l *delayedRequests) carryOut(d decision, r *PausedRequest) {
	if d.route == nil || d.route.Delay == 0 {
		d.carryOut(r)
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.list == nil {
		l.list = map[*PausedRequest]delay{}
	}
	l.list[r] = delay{d.route, time.AfterFunc(d.route.Delay, func() {
		if l.remove(r) {
			d.carryOut(r)
		}
	})}
}

// count returns how many requests wait.
func (l *delayedRequests) count() int {
	if l == nil {
		return 0
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.list)
}

// remove removes a request from the list, and reports whether it was there.
func (l *delayedRequests) remove(r *PausedRequest) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, waits := l.list[r]
	delete(l.list, r)
	return waits
}

// cut removes the requests whose route was removed from the settings. It returns them, so that the
// caller can decide again what happens to them. The parameter routes has the routes that remain.
// Routes that are spent are not in it, but the last requests that used them go on waiting.
func (l *delayedRequests) cut(routes []*Route) (freed []*PausedRequest) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for r, d := range l.list {
		if !d.route.Spent() && !slices.Contains(routes, d.route) {
			d.timer.Stop()
			delete(l.list, r)
			freed = append(freed, r)
		}
	}
	return freed
}

// stop forgets all requests. Chromium has dropped them with their page.
func (l *delayedRequests) stop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, d := range l.list {
		d.timer.Stop()
	}
	l.list = nil
}
