package op

import (
	"reflect"
	"testing"
)

func TestTyped(t *testing.T) {
	type request struct {
		Timeout
		Depth  *int             `json:"depth,omitempty" min:"0" unknown:"Invalid --depth: must be an integer >= 0" doc:"levels"`
		X      float64          `json:"x,omitempty" unknown:"Invalid x: must be a finite number" doc:"left"`
		Rate   int              `json:"rate,omitempty" min:"1" max:"9" wrong:"rate must be from 1 to 9" doc:"rate"`
		Type   string           `json:"type,omitempty" enum:"png,jpeg" unknown:"no type {}" doc:"type"`
		Button string           `json:"button,omitempty" enum:"left" doc:"button"`
		Fields []map[string]any `json:"fields,omitempty" unknown:"fields must be an array" doc:"fields"`
	}
	o := &Op{params: &params{of: reflect.TypeFor[request]()}}
	for _, test := range []struct{ param, text, want, err string }{
		{"timeoutMs", "5", "5", ""},
		{"timeoutMs", "0", "", "--timeout-ms must be a positive integer."},
		{"timeoutMs", "x", "", "--timeout-ms must be a positive integer."},
		{"depth", "0", "0", ""},
		{"depth", "-1", "", "Invalid --depth: must be an integer >= 0"},
		{"depth", "x", "", "Invalid --depth: must be an integer >= 0"},
		{"x", "-5", "-5", ""},
		{"x", "a", "", "Invalid x: must be a finite number"},
		{"x", "NaN", "", "Invalid x: must be a finite number"},
		{"x", "-Inf", "", "Invalid x: must be a finite number"},
		{"rate", "10", "", "rate must be from 1 to 9"},
		{"type", "webp", "", "no type webp"},
		{"button", "up", `"up"`, ""}, // the operation refuses wrong buttons itself
		{"fields", `[{"a":1}]`, `[{"a":1}]`, ""},
		{"fields", `{}`, "", "fields must be an array"},
		{"type", "Stra\xdfe", "", "--type is not in UTF-8"},
		{"fields", "[{\"a\":\"\xe9\"}]", "", "fields is not in UTF-8"},
		{"fields", `{`, "", "fields must be valid JSON."},
	} {
		p, _ := o.Param(test.param)
		raw, err := p.Typed("--"+p.Flags[0], test.text)
		if got := message(err); got != test.err || test.err == "" && string(raw) != test.want {
			t.Errorf("%s %s: got %s, %q; want %s, %q", test.param, test.text, raw, got, test.want, test.err)
		}
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
