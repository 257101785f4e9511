package op

import (
	"context"
	"encoding/json"
	"reflect"
	"testing"
)

// A parameter that an agent leaves out or empty gets its default for agents.
func TestForAgent(t *testing.T) {
	type request struct {
		Shows string `json:"shows,omitempty" enum:"all,some" default:"all" agents:"some" doc:"what is shown"`
		Note  string `json:"note,omitempty" doc:"has no value for agents"`
	}
	o := Define("POST /show", "show", "Show.", func(context.Context, any, request) (struct{}, error) { return struct{}{}, nil })
	for _, c := range []struct{ args, want string }{
		{`{"note": "x"}`, `{"note": "x", "shows": "some"}`},
		{`{"shows": ""}`, `{"shows": "some"}`},
		{`{"shows": null}`, `{"shows": "some"}`},
		{`{"shows": "all"}`, `{"shows": "all"}`},
	} {
		var args, want, got Args
		json.Unmarshal([]byte(c.args), &args)
		json.Unmarshal([]byte(c.want), &want)
		if got = o.ForAgent(args); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %s, want %s", c.args, got, c.want)
		}
	}
	if got := o.ForAgent(nil); string(got["shows"]) != `"some"` {
		t.Errorf("no arguments: got %s", got)
	}
}
