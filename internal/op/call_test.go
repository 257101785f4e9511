package op

import (
	"context"
	"encoding/json"
	"errors"
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
		{`{"timeoutMs":"wrong"}`, more, more},
		{`{"timeoutMs":3000}`, "look", "look"},
		{`{"timeoutMs":3000}`, "", ""},
	} {
		var args Args
		if err := json.Unmarshal([]byte(test.args), &args); err != nil {
			t.Fatal(err)
		}
		cause := &Error{Code: Deadline, Hint: test.hint, Sent: true}
		err := o.LimitNamed(args, cause)
		if e := AsError(err); e.Hint != test.want || e.Code != Deadline || !e.Sent || !errors.Is(err, cause) {
			t.Errorf("%s: got %+v, want the hint %q", test.args, e, test.want)
		}
	}
}
