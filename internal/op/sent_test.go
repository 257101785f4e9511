package op

import (
	"context"
	"encoding/json"
	"reflect"
	"testing"
)

type sentRequest struct {
	ID     string   `json:"id,omitempty" doc:"in the path"`
	Kind   string   `json:"-"`
	Text   string   `json:"text,omitempty" doc:"a text"`
	Number int      `json:"number,omitempty" doc:"a number"`
	Values []string `json:"values,omitempty" doc:"a list"`
}

func nothingOf[Res any](context.Context, any, sentRequest) (res Res, err error) { return res, nil }

// A call that is written as an HTTP request is decoded as the same call, for each kind of route.
func TestSentIsReceived(t *testing.T) {
	table := &Table{Ops: []*Op{
		Define("POST /act kind=click", "click", "Click.", nothingOf[Object]),
		Define("POST /act kind=type", "type", "Type.", nothingOf[Object]),
		Define("GET /tabs", "tabs", "List.", nothingOf[Object]),
		Define("DELETE /tabs/{id}", "close", "Close.", nothingOf[Object]),
	}}
	for i, given := range []string{
		`{"text":"a b/c","number":3,"values":["x","y"]}`, `{"text":"5","kind":"type"}`, `{"number":7,"values":["one"],"text":"ä&="}`, `{"id":"..","text":"x"}`,
	} {
		var args Args
		json.Unmarshal([]byte(given), &args)
		raw, _ := json.Marshal(table.Ops[i].Sent(args))
		var sent Sent
		if err := json.Unmarshal(raw, &sent); err != nil {
			t.Fatal(err)
		}
		o, got, err := table.Receive(sent)
		if err != nil || o != table.Ops[i] {
			t.Errorf("%s was sent as %s and received as %v, %v", given, raw, o, err)
			continue
		}
		delete(got, "kind")
		delete(args, "kind")
		if !reflect.DeepEqual(normal(got), normal(args)) {
			t.Errorf("%s was sent as %s and received as %s", given, raw, normal(got))
		}
	}
	for _, wrong := range []Sent{{Method: "GET", Path: "/nothing"}, {Method: "GET", Path: "tabs"}, {Method: "GET", Path: "/a/../tabs"}, {Method: "POST", Path: "/act"}} {
		if o, _, err := table.Receive(wrong); err == nil {
			t.Errorf("%v was received as %s", wrong, o.Name())
		}
	}
}

func normal(args Args) string {
	raw, _ := json.Marshal(args)
	return string(raw)
}

func TestTakeTarget(t *testing.T) {
	for _, test := range []struct {
		args string
		want Target
		err  string
	}{
		{`{}`, Target{}, ""},
		{`{"target":"node","node":"mac"}`, Target{Place: OnNode, Node: "mac"}, ""},
		{`{"node":"mac"}`, Target{Node: "mac"}, ""},
		{`{"target":"node","node":"gpu=no,region=eu"}`, Target{Place: OnNode, Labels: "gpu=no,region=eu"}, ""},
		{`{"target":"host","node":"mac"}`, Target{}, `node is only supported with target="node".`},
		{`{"target":"moon"}`, Target{}, "target must be host or node"},
		{`{"node":5}`, Target{}, "node must be a string"},
	} {
		var args Args
		json.Unmarshal([]byte(test.args), &args)
		got, err := TakeTarget(args)
		switch {
		case test.err != "" && (err == nil || err.Error() != test.err):
			t.Errorf("%s: got %v, want %s", test.args, err, test.err)
		case test.err == "" && (err != nil || got != test.want || len(args) != 0):
			t.Errorf("%s: got %v, %v, %v left", test.args, got, err, args)
		}
	}
}
