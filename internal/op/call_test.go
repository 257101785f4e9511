package op

import (
	"context"
	"encoding/json"
	"testing"
	"time"
)

// An error that asks for more time names the limit if the caller gave all the time that there is. It
// stays what it was.
func TestLimitNamed(t *testing.T) {
	run := func(context.Context, any, Timeout) (Object, error) { return nil, nil }
	o := Define("GET /x", "x", "X.", run, Limit(time.Millisecond, time.Millisecond, 2*time.Millisecond))
	const more, limited = "give it more time with timeoutMs", "; here timeoutMs is at most 2"
	for _, test := range []struct{ args, hint, want string }{
		{`{}`, more, more},
		{`{"timeoutMs":1}`, more, more},
		{`{"timeoutMs":2}`, more, more + limited},
		{`{"timeoutMs":3000}`, more, more + limited},
		{`{"timeoutMs":"3000"}`, more, more + limited},
		{`{"timeoutMs":3e3}`, more, more + limited},
		{`{"timeoutMs":"wrong"}`, more, more},
		{`{"timeoutMs":3000}`, "look", "look"},
		{`{"timeoutMs":3000}`, "", ""},
	} {
		var args Args
		if err := json.Unmarshal([]byte(test.args), &args); err != nil {
			t.Fatal(err)
		}
		given := Error{Code: Deadline, Hint: test.hint, Sent: true}
		e := AsError(o.LimitNamed(args, &given))
		if e.Hint != test.want || e.Code != Deadline || !e.Sent || given.Hint != test.hint {
			t.Errorf("%s: got %+v, want the hint %q", test.args, e, test.want)
		}
	}
	type open struct {
		TimeoutMs int `json:"timeoutMs" doc:"how long a question is open"`
	}
	other := Define("GET /y", "y", "Y.", func(context.Context, any, open) (Object, error) { return nil, nil }, Limit(time.Millisecond, time.Millisecond, 2*time.Millisecond))
	if e := AsError(other.LimitNamed(Args{"timeoutMs": json.RawMessage("3000")}, &Error{Hint: more})); e.Hint != more {
		t.Errorf("a timeoutMs that is not the deadline: got %q", e.Hint)
	}
}
