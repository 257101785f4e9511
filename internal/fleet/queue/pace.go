package queue

import "time"

// A pace is how fast places become free while calls wait for them.
type pace struct {
	last time.Time     // when the last place came free, or calls began to wait
	mean time.Duration // mean time between two free places; 0 until one came free
}

// share is the weight of the latest time in the mean. So about the last ten times count.
const share = 0.2

// begin is called when a call begins to wait in an empty queue. The time before does not count, as no
// call waited for a place.
func (p *pace) begin(now time.Time) { p.last = now }

// came notes that a place has come free, and that a waiting call has taken it.
func (p *pace) came(now time.Time) {
	took := now.Sub(p.last)
	if p.mean == 0 {
		p.mean = took
	}
	p.mean += time.Duration(share * float64(took-p.mean))
	p.last = now
}

// now returns the average time between two places that come free. If the last one came longer ago
// than that, it returns the time since then.
func (p *pace) now(now time.Time) time.Duration { return max(p.mean, now.Sub(p.last)) }
