package api

import (
	"encoding/json"
	"strings"
	"testing"
)

// A result that is larger than the bound is cut. It says how much is missing, and is still valid
// JSON.
func TestBounded(t *testing.T) {
	long := func(n int) string { return strings.Repeat("ä", n) }
	list, _ := json.Marshal(strings.Split(strings.Repeat("x", maxResult), ""))
	for _, s := range []struct {
		name, result, end string
		truncated         bool
	}{
		{"short", `{"a":1}`, `{"a":1}`, false},
		{"nothing", ``, ``, false},
		{"text at the bound, longer in bytes", `"` + long(maxResult) + `"`, long(5) + `"`, false},
		{"text", `"` + long(maxResult+7) + `"`, long(5) + `… (7 more characters)"`, true},
		{"a list", string(list), ` more characters)"`, true},
	} {
		t.Run(s.name, func(t *testing.T) {
			got := bounded(json.RawMessage(s.result), maxResult)
			if got.Truncated != s.truncated || !strings.HasSuffix(string(got.Result), s.end) {
				t.Errorf("truncated %v, ends with %q", got.Truncated, got.Result[max(0, len(got.Result)-80):])
			}
			if s.result != "" && !json.Valid(got.Result) {
				t.Error("it is no JSON")
			}
			if len(got.Result) > 2*maxResult+100 {
				t.Errorf("it has %d bytes", len(got.Result))
			}
		})
	}
}
