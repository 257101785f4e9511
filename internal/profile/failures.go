package profile

import (
	"time"

	"chela/internal/op"
)

// After this many failed starts in a row the next ones have to wait.
const patience = 3

// failures are the starts in a row that failed, so that a browser that cannot
// start does not take the machine down with it.
type failures struct {
	count int
	last  *op.Error
	until time.Time // none is tried before
}

// note notes how a start went. One that found no browser has cost nothing.
func (f *failures) note(err error) {
	if err == nil {
		*f = failures{}
		return
	}
	if f.last = op.AsError(err); f.last.Code == op.NoBrowser {
		return
	}
	f.count++
	f.until = time.Now().Add(min(30*time.Second, 500*time.Millisecond<<min(f.count, 8)))
}

// mayTry refuses a start that comes too soon.
func (f *failures) mayTry() error {
	if f.count < patience || time.Now().After(f.until) {
		return nil
	}
	e := *f.last
	return op.Errorf(e.Code, "the browser failed to start %d times in a row; last: %s", f.count, e.Message).
		Hinted("%s; the next try is possible in %s", e.Hint, time.Until(f.until).Round(time.Second))
}
