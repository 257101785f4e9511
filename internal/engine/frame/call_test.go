package frame

import (
	"errors"
	"testing"
	"time"

	"github.com/chromedp/cdproto/runtime"
	"github.com/go-json-experiment/json/jsontext"
)

// A call that reached the page too late is an error, and so is an answer that is not JSON. Only the
// member value of the answer is the result of the function.
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
			got, err := readAnswer[found](t.Context(), res, newClock(time.Now()), time.Now())
			if got != s.want || (err == nil) != (s.fails == nil) || errors.Is(s.fails, errLate) && !errors.Is(err, errLate) {
				t.Errorf("got %v, %v, want %v, %v", got, err, s.want, s.fails)
			}
		})
	}
}
