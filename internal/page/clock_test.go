package page

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/chromedp/cdproto/runtime"
	"github.com/go-json-experiment/json/jsontext"
)

// A page function that came too late is an error, and so is an answer that is
// none. Only what the function answered counts as its answer.
func TestAnswersOfPageFunctions(t *testing.T) {
	type found struct{ X, Y float64 }
	for _, s := range []struct {
		name, value string
		threw       string
		want        found
		fails       error
	}{
		{name: "an answer", value: `{"now": 5, "value": {"x": 1, "y": 2}}`, want: found{1, 2}},
		{name: "nothing", value: `{"now": 5}`},
		{name: "too late", value: `{"now": 5, "late": true}`, fails: errLate},
		{name: "an exception", threw: "TypeError: no", fails: errors.New("TypeError: no")},
		{name: "no answer", value: ``, fails: errors.New("EOF")},
	} {
		t.Run(s.name, func(t *testing.T) {
			res := runtime.CallFunctionOnResult{Result: &runtime.RemoteObject{Value: jsontext.Value(s.value)}}
			if s.threw != "" {
				res.ExceptionDetails = &runtime.ExceptionDetails{Exception: &runtime.RemoteObject{Description: s.threw}}
			}
			got, err := answered[found](res, newClock(time.Now()), time.Now())
			if got != s.want || (err == nil) != (s.fails == nil) || errors.Is(s.fails, errLate) && !errors.Is(err, errLate) {
				t.Errorf("got %v, %v, want %v, %v", got, err, s.want, s.fails)
			}
		})
	}
}

// A document's clock never shows more than it does there, and nearly as much.
func TestClock(t *testing.T) {
	began := time.Now()
	at := func(s float64) time.Time { return began.Add(time.Duration(s * float64(time.Second))) }
	type reading struct{ arrival, now float64 } // in seconds
	for _, s := range []struct {
		name     string
		readings []reading
		known    bool
		want     float64 // what the document shows 100 s after began
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
				c.readAt(at(r.arrival), r.now*1000)
			}
			if got := c.at(at(100)); c.known() != s.known || got < s.want-1e-3 || got > s.want+1e-3 {
				t.Errorf("shows %v, known %v, want %v, %v", got, c.known(), s.want, s.known)
			}
		})
	}
}

func TestInTime(t *testing.T) {
	why := errors.New("the caller left")
	left, leave := context.WithCancelCause(t.Context())
	leave(why)
	passed, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Hour))
	defer cancel()
	open, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	for _, s := range []struct {
		name string
		ctx  context.Context
		want error
	}{
		{"no deadline", t.Context(), nil},
		{"before the deadline", open, nil},
		{"after the deadline", passed, context.DeadlineExceeded},
		{"left", left, why},
		{"the timer is late", timerless{open, time.Now().Add(-time.Second)}, context.DeadlineExceeded},
	} {
		if got := inTime(s.ctx); !errors.Is(got, s.want) || (got == nil) != (s.want == nil) {
			t.Errorf("%s: got %v, want %v", s.name, got, s.want)
		}
	}
}

// timerless is a context whose deadline may pass before it ends.
type timerless struct {
	context.Context
	deadline time.Time
}

func (c timerless) Deadline() (time.Time, bool) { return c.deadline, true }
