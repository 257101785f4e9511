package frame

import (
	"sync"
	"time"
)

// A Clock relates our time to a document's, which is what performance.now() answers there:
// milliseconds since the document was navigated to. A page function is given its deadline in the
// document's time, because
//
//   - wall clocks differ between machines, and the browser may be on another;
//   - a wall clock can be set forward during a call, and the page would then refuse it too early;
//     ours and performance.now() are monotonic;
//   - a duration would begin to count only when a busy page takes the call.
//
// Each answer of a page function brings the document's time, so reading the clock costs no message.
// That is taken for the document's time on arrival, although the answer was made before. So a
// converted deadline is never late. It is early by the time that the answer was under way. At worst
// the page refuses a call that was in time, and it is sent again.
type Clock struct {
	mu    sync.Mutex // guards the rest
	start time.Time  // our time at which the document's clock showed 0, or a little later
	read  time.Time  // when the answer arrived from which start was computed; zero if none has
}

// clockAge is how long a reading of the clock is kept if later answers take longer and would give
// earlier deadlines. Then the later one is used. Meanwhile the clocks of two machines drift apart
// by some milliseconds, and a machine that was suspended is behind.
const clockAge = time.Minute

// newClock returns the clock of a document that exists now. Without an answer, it assumes that the
// document has just begun.
func newClock(now time.Time) *Clock { return &Clock{start: now} }

// Read sets the clock by the document's time, in milliseconds, in an answer that arrived then.
func (c *Clock) Read(arrival time.Time, ms float64) {
	start := arrival.Add(-time.Duration(ms * float64(time.Millisecond)))
	c.mu.Lock()
	defer c.mu.Unlock()
	if start.Before(c.start) || arrival.Sub(c.read) > clockAge {
		c.start, c.read = start, arrival
	}
}

// known reports whether an answer has come. Before, the document's time may be far ahead of what At
// returns.
func (c *Clock) known() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !c.read.IsZero()
}

// At returns what the document's clock shows at t, in milliseconds, or a little less.
func (c *Clock) At(t time.Time) float64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return float64(t.Sub(c.start)) / float64(time.Millisecond)
}
