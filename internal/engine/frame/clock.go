package frame

import (
	"sync"
	"time"
)

// A Clock converts our time to the time of a document, which performance.now() returns there:
// milliseconds since the document was navigated to. A page function gets its deadline in the
// document's time, because
//
//   - wall clocks differ between machines, and the browser may be on another;
//   - a wall clock can be set forward during a call, and the page would then refuse the call too
//     early. Our clock and performance.now() are monotonic;
//   - a duration would begin to count only when a busy page handles the call.
//
// Each answer of a page function brings the document's time, so reading the clock costs no message.
// The document's time in an answer counts as the document's time at the arrival of the answer,
// although it was read earlier. So a converted deadline is never too late. It is too early by the
// time that the answer was under way. At worst the page refuses a call that was in time, and the
// call is sent again.
type Clock struct {
	mu    sync.Mutex // guards the rest
	start time.Time  // our time when the document's clock showed 0, or a little later
	read  time.Time  // arrival of the answer from which start was computed; zero before the first answer
}

// clockAge is how long Clock.start is kept if every later answer was longer under way. Such answers
// would give earlier deadlines. After clockAge, the next answer sets Clock.start in any case. By
// then, the clocks of two machines may have drifted apart by some milliseconds. A clock also stops
// while its machine is suspended.
const clockAge = time.Minute

// newClock returns the clock of a document that exists now. Until an answer comes, it assumes that
// the document has just begun.
func newClock(now time.Time) *Clock { return &Clock{start: now} }

// Read sets the clock. The parameter ms is the document's time in an answer, and arrival is when
// the answer came.
func (c *Clock) Read(arrival time.Time, ms float64) {
	start := arrival.Add(-time.Duration(ms * float64(time.Millisecond)))
	c.mu.Lock()
	defer c.mu.Unlock()
	if start.Before(c.start) || arrival.Sub(c.read) > clockAge {
		c.start, c.read = start, arrival
	}
}

// known reports whether an answer has brought the document's time. Before that, the document's time
// may be far ahead of what At returns.
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
