package profile

import (
	"errors"
	"testing"
	"time"

	"chela/internal/engine/chrome"
)

// Starts that fail make the next ones wait, longer after each failure. A start that succeeds ends
// that.
func TestFailures(t *testing.T) {
	now := time.Unix(1000, 0)
	failed, none := error(&StartError{"work", errors.New("it died")}), error(&chrome.NotFoundError{})
	elsewhere := error(&TakeError{"work", &ElsewhereError{"work", "pc"}})
	for _, s := range []struct {
		name   string
		starts []error
		after  time.Duration // how long ago the last start was
		wait   time.Duration // 0: the next start may be tried
	}{
		{"none yet", nil, 0, 0},
		{"two failed", []error{failed, failed}, 0, 0},
		{"three failed", []error{failed, failed, failed}, 0, 4 * time.Second},
		{"three failed a while ago", []error{failed, failed, failed}, 3 * time.Second, time.Second},
		{"three failed long ago", []error{failed, failed, failed}, 5 * time.Second, 0},
		{"four failed", []error{failed, failed, failed, failed}, 0, 8 * time.Second},
		{"many failed", []error{failed, failed, failed, failed, failed, failed, failed, failed, failed, failed}, 0, 30 * time.Second},
		{"one succeeded after three", []error{failed, failed, failed, nil}, 0, 0},
		{"one succeeded between", []error{failed, failed, nil, failed, failed}, 0, 0},
		{"there is no browser", []error{none, none, none, none}, 0, 0},
		{"there is none any more", []error{failed, failed, failed, none}, 0, 4 * time.Second},
		{"another machine has the profile", []error{elsewhere, elsewhere, elsewhere, elsewhere}, 0, 0},
	} {
		var f failures
		for _, err := range s.starts {
			f.note(Setup{}, err, now)
		}
		err := f.mayTry(Setup{}, now.Add(s.after))
		repeated, ok := errors.AsType[*RepeatedError](err)
		switch {
		case ok && (repeated.Wait != s.wait || repeated.Count != f.count || repeated.Last != s.starts[len(s.starts)-1]):
			t.Errorf("%s: %+v, want to wait %v", s.name, repeated, s.wait)
		case !ok && (err != nil || s.wait != 0):
			t.Errorf("%s: %v, want to wait %v", s.name, err, s.wait)
		}
	}
}

// After a correction of the settings, the next start need not wait.
func TestCorrectedSettings(t *testing.T) {
	now := time.Unix(1000, 0)
	wrong, right := Setup{Executable: "/wrong"}, Setup{Executable: "/right"}
	var f failures
	for range maxFailures {
		f.note(wrong, &StartError{"work", errors.New("it died")}, now)
	}
	if err := f.mayTry(right, now); err != nil {
		t.Errorf("corrected: %v", err)
	}
	if err := f.mayTry(wrong, now); err == nil {
		t.Error("with the wrong settings again, there is no wait")
	}
	f.note(right, &StartError{"work", errors.New("it died as well")}, now)
	if err := f.mayTry(right, now); err != nil || f.count != 1 {
		t.Errorf("after the first failure with other settings: %v, %d failures", err, f.count)
	}
}

// If another machine has a portable profile, that does not count as a failed start, even after a
// failed attempt to take it.
func TestElsewhereIsNoFailure(t *testing.T) {
	var f failures
	for _, err := range []error{&TakeError{"work", errors.New("no key")}, &TakeError{"work", &ElsewhereError{"work", "pc"}}} {
		f.note(Setup{}, err, time.Unix(1000, 0))
	}
	if f.last != nil {
		t.Errorf("the last start failed: %v", f.last)
	}
}
