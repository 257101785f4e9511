package node

import (
	"sync"
	"time"
)

// beatTime is how often a node says how it is.
const beatTime = 500 * time.Millisecond

// staleTime is how old a call may be. Its caller gives up after this time without a sign of the
// node. A node that was stopped, or cut off, would do calls later for which nobody waits any more.
const staleTime = 2 * time.Second

// beats know when the last beats were sent. A call names the last one that its caller had. So the
// node knows by its own clock how old the call is at least, as the clocks of two machines differ.
type beats struct {
	mu    sync.Mutex // guards the rest
	last  uint64
	times [256]time.Time // of the last beats, by their numbers
}

// next is the number of a beat that is sent now.
func (b *beats) next(now time.Time) uint64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.last++
	b.times[b.last%uint64(len(b.times))] = now
	return b.last
}

// isStale reports whether a call that was sent some time after a beat is too old. A beat that is
// not known is.
func (b *beats) isStale(beat uint64, after time.Duration, now time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if beat == 0 || beat > b.last || b.last-beat >= uint64(len(b.times)) {
		return true
	}
	return now.Sub(b.times[beat%uint64(len(b.times))]) > after+staleTime
}
