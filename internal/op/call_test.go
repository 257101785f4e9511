package op

import (
	"context"
	"encoding/json"
	"testing"
	"time"
)

// The hint to give more time names the limit if the caller gave all the time that there is, whether
// the operation reports the deadline itself or its context has ended.
func TestLimitOfDeadlineIsNamed(t *testing.T) {
	const more, limited = "give it more time with timeoutMs", "; here timeoutMs is at most 2"
	for _, test := range []struct {
		given string
		fails error
		want  string
	}{
		{`{}`, ErrDeadline, more},
		{`{"timeoutMs":1}`, ErrDeadline, more},
		{`{"timeoutMs":2}`, ErrDeadline, more + limited},
		{`{"timeoutMs":3000}`, ErrDeadline, more + limited},
		{`{"timeoutMs":3000}`, Errorf(NotMet, "x").Hinted("wait longer with timeoutMs"), "wait longer with timeoutMs" + limited},
		{`{"timeoutMs":3000}`, Errorf(NotMet, "x").Hinted("look"), "look"},
		{`{"timeoutMs":3000}`, Errorf(NotMet, "x"), ""},
	} {
		run := func(ctx context.Context, _ any, _ Timeout) (Object, error) { return nil, test.fails }
		o := Define("GET /x", "x", "X.", run, Limit(time.Millisecond, time.Millisecond, 2*time.Millisecond))
		var args Args
		if err := json.Unmarshal([]byte(test.given), &args); err != nil {
			t.Fatal(err)
		}
		_, err := o.Run(t.Context(), 0, args)
		if e := FailureOf(t.Context(), err); e.Hint != test.want || e.Code == Internal {
			t.Errorf("%s, %v: hint %q (%s), want %q", test.given, test.fails, e.Hint, e.Code, test.want)
		}
	}
}
