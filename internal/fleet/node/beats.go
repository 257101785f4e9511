package node

import (
	"sync"
	"time"
)

// beatTime is the time from one beat (message with the status) of a node to the next.
const beatTime = 500 * time.Millisecond

// staleTime limits how old a call may be when it arrives. A caller that hears nothing of the node
// for this time gives up. Without this limit, a node that was suspended or cut off would later run
// calls whose callers have given up.
const staleTime = 2 * time.Second

// beats records when the last beats (status messages) were sent. A call has the number of the last
// beat that its caller received. The call is younger than that beat, so the node can judge its age
// by its own clock. A time in the call would not help, as the clocks of two machines differ.
type beats struct {
	mu    sync.Mutex // guards the rest
	last  uint64
	times [256]time.Time // when the last beats were sent; the index is a beat's number modulo 256
}

// next returns the number of a beat that is sent now.
func (b *beats) next(now time.Time) uint64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.last++
	b.times[b.last%uint64(len(b.times))] = now
	return b.last
}

// isStale reports whether a call is too old. The parameter after is the time from the arrival of the
// beat at the caller until the caller sent the call. If the time of the beat is no longer recorded,
// the call counts as too old.
func (b *beats) isStale(beat uint64, after time.Duration, now time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if beat == 0 || beat > b.last || b.last-beat >= uint64(len(b.times)) {
		return true
	}
	sent := b.times[beat%uint64(len(b.times))]
	// Go's monotonic clock stands still while the machine sleeps. Only the wall clock counts that time.
	age := max(now.Sub(sent), now.Round(0).Sub(sent.Round(0)))
	return age > after+staleTime
}
