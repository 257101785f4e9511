package profile

import (
	"errors"
	"fmt"
	"time"

	"chela/internal/engine/chrome"
)

// maxFailures is how many starts in a row may fail before the next ones have to wait.
const maxFailures = 3

// failures counts the failed starts in a row. It keeps a browser that cannot start from overloading
// the machine. If somebody else starts the browser, calls have to wait even after the first failure
// to connect, but not as long. Another attempt is useless until the browser is started.
type failures struct {
	count int
	last  error
	until time.Time // when the next start may be tried
	setup Setup     // how the last start was to be done; with other settings, the next start need not wait
}

// A RepeatedError says that the browser has failed to start several times in a row, and is not
// tried again before Wait is over.
type RepeatedError struct {
	Count int
	Last  error // how the last start failed: a [*StartError], or the end of its context
	Wait  time.Duration
}

func (e *RepeatedError) Error() string {
	return fmt.Sprintf("%d starts in a row failed; the last: %v", e.Count, e.Last)
}

// note records the result of a start with the given setup. It does not count a start that was
// refused before a process was started, since that cost nothing. If another machine has a portable
// profile, nothing is wrong with the browser of this machine, so LastFailure does not return that
// error.
func (f *failures) note(s Setup, err error, now time.Time) {
	if err == nil || s.changedFrom(f.setup) != nil {
		*f = failures{}
	}
	if err == nil {
		return
	}
	f.setup = s
	if f.last = err; isElsewhere(err) {
		f.last = nil
	}
	if costNothing(err) {
		return
	}
	f.count++
	f.until = now.Add(backOff(f.count))
	if isReach(err) {
		f.until = now.Add(backOff(f.count - 1))
	}
}

func isReach(err error) bool {
	_, ok := errors.AsType[*ReachError](err)
	return ok
}

func isElsewhere(err error) bool {
	_, ok := errors.AsType[*ElsewhereError](err)
	return ok
}

func costNothing(err error) bool {
	_, noBrowser := errors.AsType[*chrome.NotFoundError](err)
	_, taken := errors.AsType[*PortError](err)
	_, removed := errors.AsType[*UnknownError](err)
	_, notTaken := errors.AsType[*TakeError](err)
	_, notKept := errors.AsType[*NotKeptError](err)
	reach, _ := errors.AsType[*ReachError](err)
	return noBrowser || taken || removed || notTaken || notKept || reach != nil && reach.notActive()
}

// backOff returns how long to wait before the next start after count failures in a row. That is 1 s
// after the first failure, twice as long after each further one, and at most 30 s.
func backOff(count int) time.Duration {
	return min(30*time.Second, 500*time.Millisecond<<min(count, 8))
}

// mayTry returns a [*RepeatedError] if it is too soon for the next start with the given setup.
func (f *failures) mayTry(s Setup, now time.Time) error {
	wait := f.until.Sub(now)
	if f.count < maxFailures && !isReach(f.last) || wait < 0 || s.changedFrom(f.setup) != nil {
		return nil
	}
	return &RepeatedError{Count: f.count, Last: f.last, Wait: wait}
}

// LastFailure returns why the last start of the browser failed; nil if it succeeded, or there was
// none.
func (p *Profile) LastFailure() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.failures.last
}
