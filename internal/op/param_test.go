package op

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

type everything struct {
	Name  string   `json:"name,omitempty" doc:"name"`
	Ref   string   `json:"ref,omitempty" digits:"true" doc:"ref"`
	Text  string   `json:"text,omitempty" verbatim:"true" doc:"text"`
	Mode  string   `json:"mode,omitempty" enum:"a,b" doc:"mode"`
	Count int      `json:"count,omitempty" min:"1" doc:"how many"`
	Near  *float64 `json:"near,omitempty" doc:"where"`
	On    *bool    `json:"on,omitempty" doc:"whether"`
	Words []string `json:"words,omitempty" doc:"words"`
	Items []struct {
		Ref string `json:"ref"`
	} `json:"items,omitempty" doc:"items"`
	Item *struct {
		Ref string `json:"ref"`
	} `json:"item,omitempty" doc:"item"`
	Raw json.RawMessage `json:"raw,omitempty" doc:"anything"`
}

// reads decodes arguments into a request, and returns the request as JSON, or the error.
func reads(args string) (string, error) {
	o := Define("POST /", "do", "Do it.", func(_ context.Context, _ any, r everything) (everything, error) { return r, nil })
	var given Args
	if err := json.Unmarshal([]byte(args), &given); err != nil {
		return "", err
	}
	raw, err := o.Run(context.Background(), struct{}{}, given)
	return string(raw), err
}

// Callers may write a value in another type of JSON, such as a number as a string.
func TestValuesOfOtherTypes(t *testing.T) {
	for _, test := range []struct{ args, want string }{
		{`{"name":" t1 "}`, `{"name":"t1"}`},
		{`{"ref":12}`, `{"ref":"12"}`},
		{`{"ref":"e12"}`, `{"ref":"e12"}`},
		{`{"name":""}`, `{}`},
		{`{"name":null}`, `{}`},
		{`{"text":" a "}`, `{"text":" a "}`},
		{`{"text":" "}`, `{"text":" "}`},
		{`{"count":"5"}`, `{"count":5}`},
		{`{"count":5.0}`, `{"count":5}`},
		{`{"count":1e2}`, `{"count":100}`},
		{`{"near":" 0.5"}`, `{"near":0.5}`},
		{`{"on":"yes"}`, `{"on":true}`},
		{`{"on":1}`, `{"on":true}`},
		{`{"on":0}`, `{"on":false}`},
		{`{"words":"[\"a\",\"b\"]"}`, `{"words":["a","b"]}`},
		{`{"items":"[{\"ref\":\"e1\"}]"}`, `{"items":[{"ref":"e1"}]}`},
		{`{"items":" [ ] "}`, `{}`},
		{`{"item":"{\"ref\":\"e1\"}"}`, `{"item":{"ref":"e1"}}`},
		{`{"raw":"[1]"}`, `{"raw":"[1]"}`},
		{`{"name":"t1","other":1}`, `{"name":"t1","ignored":["other"]}`},
		{`{"item":{"REF":"e1","reff":"e2"}}`, `{"item":{"ref":"e1"},"ignored":["item.reff"]}`},
		{`{"items":[{"ref":"e1","x":1},{"x":2,"y":3}]}`, `{"items":[{"ref":"e1"},{"ref":""}],"ignored":["items[].x","items[].y"]}`},
	} {
		if got, err := reads(test.args); err != nil || got != test.want {
			t.Errorf("%s: got %s, %v; want %s", test.args, got, err, test.want)
		}
	}
}

func TestValuesThatCannotBeMeant(t *testing.T) {
	for _, test := range []struct{ args, want string }{
		{`{"name":" "}`, "name must not be blank"},
		{`{"name":"\n"}`, "name must not be blank"},
		{`{"name":"\u00a0\u2003"}`, "name must not be blank"},
		{`{"name":["t1"]}`, "name must be a string"},
		{`{"name":12}`, "name must be a string"},
		{`{"name":true}`, "name must be a string"},
		{`{"ref":true}`, "ref must be a string"},
		{`{"ref":{}}`, "ref must be a string"},
		{`{"mode":"c"}`, "mode must be a|b"},
		{`{"count":0}`, "count must be a positive integer."},
		{`{"count":1.5}`, "count must be a positive integer."},
		{`{"count":9007199254740993}`, "count must be a positive integer."},
		{`{"count":"9007199254740993"}`, "count must be a positive integer."},
		{`{"count":1e300}`, "count must be a positive integer."},
		{`{"count":"5.0"}`, "count must be a positive integer."},
		{`{"count":"many"}`, "count must be a positive integer."},
		{`{"on":2}`, "on must be true or false"},
		{`{"on":"maybe"}`, "on must be true or false"},
		{`{"words":"a"}`, "words must be a list of strings"},
		{`{"words":"[a]"}`, "words must be a list of strings"},
		{`{"words":[1]}`, "words must be a list of strings"},
		{`{"items":"{}"}`, "items must be a list"},
		{`{"item":5}`, "item must be an object"},
		{`{"item":{"ref":5}}`, "item.ref must be a string"},
		{`{"items":[{"ref":"e1"},{"ref":[]}]}`, "items.ref must be a string"},
	} {
		_, err := reads(test.args)
		if e, ok := errors.AsType[*Error](err); !ok || e.Code != Invalid || !strings.Contains(e.Error(), test.want) {
			t.Errorf("%s: got %v, want %s", test.args, err, test.want)
		}
	}
}

// If the field that chooses an operation has an unknown value, the error proposes the likeliest
// one.
func TestUnknownChoice(t *testing.T) {
	act := func(kind string) *Op {
		return Define("POST /act kind="+kind, kind, "Do it.", func(context.Context, any, everything) (everything, error) { return everything{}, nil })
	}
	table := Table{Ops: []*Op{act("click"), act("press")}, Shared: map[string]SharedPath{"POST /act": {Unknown: Errorf(ActKindRequired, "kind is required")}}}
	for _, test := range []struct{ kind, message, hint string }{
		{``, "kind is required", ""},
		{`"pres"`, `kind is required: unknown kind "pres"`, `did you mean "press"?`},
		{`"teleport"`, `kind is required: unknown kind "teleport"`, "there are click, press"},
	} {
		args := Args{}
		if test.kind != "" {
			args["kind"] = json.RawMessage(test.kind)
		}
		_, err := table.Choose("POST", "/act", args)
		if e, ok := errors.AsType[*Error](err); !ok || e.Code != ActKindRequired || e.Error() != test.message || e.Hint != test.hint {
			t.Errorf("%s: got %+v", test.kind, err)
		}
	}
}
