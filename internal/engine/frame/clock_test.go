package frame

import (
	"testing"
	"time"
)

// A Clock never shows more than the document's own clock, and only a little less.
func TestClock(t *testing.T) {
	began := time.Now()
	at := func(s float64) time.Time { return began.Add(time.Duration(s * float64(time.Second))) }
	type reading struct{ arrival, now float64 } // both in seconds
	for _, s := range []struct {
		name     string
		readings []reading
		known    bool
		want     float64 // what the clock of the document shows 100 s after began
	}{
		{"no answer yet", nil, false, 100_000},
		{"an old document", []reading{{0, 3600}}, true, 3_700_000},
		{"an answer that took long", []reading{{1, 50.9}, {2, 50}}, true, 149_900},
		{"a quick answer after a slow one", []reading{{2, 50}, {3, 52.9}}, true, 149_900},
		{"an old reading is replaced", []reading{{1, 50.9}, {80, 100}}, true, 120_000},
	} {
		t.Run(s.name, func(t *testing.T) {
			c := newClock(began)
			for _, r := range s.readings {
				c.Read(at(r.arrival), r.now*1000)
			}
			if got := c.At(at(100)); c.known() != s.known || got < s.want-1e-3 || got > s.want+1e-3 {
				t.Errorf("shows %v, known %v, want %v, %v", got, c.known(), s.want, s.known)
			}
		})
	}
}
