package proxy

import (
	"errors"
	"testing"
)

// Many targets make the proxy forget the oldest outcomes, and never the latest ones.
func TestLatestOutcomesAreKept(t *testing.T) {
	var o outcomes
	failed := errors.New("failed")
	at := func(i int) target { return target{port: uint16(i)} }
	for i := range 5 * maxOutcomes {
		o.note(at(i), outcome{err: failed})
		if oldest := max(0, i-maxOutcomes+1); o.lastLocked(at(oldest)).err == nil {
			t.Fatalf("after %d targets, that of %d is forgotten", i+1, oldest)
		}
		if kept := len(o.of) + len(o.before); kept > 2*maxOutcomes {
			t.Fatalf("%d are kept", kept)
		}
	}
	o.noteJudged(at(5*maxOutcomes-1-maxOutcomes/2), nil)
	if o.lastLocked(at(5*maxOutcomes-1-maxOutcomes/2)).err != nil {
		t.Error("a refusal is remembered, although the host is allowed now")
	}
}
