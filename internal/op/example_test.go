package op

import (
	"context"
	"testing"
)

func TestExampleCall(t *testing.T) {
	type request struct {
		Ref    string   `json:"ref" doc:"element"`
		Values []string `json:"values,omitempty" doc:"options"`
		Twice  bool     `json:"doubleClick,omitempty" flag:"double" doc:"twice"`
		Count  int      `json:"count,omitempty" doc:"how often"`
	}
	for example, want := range map[string]string{
		"":                                       `{"action":"do"}`,
		"e1":                                     `{"action":"do","ref":"e1"}`,
		"e1 a 'b c' --double":                    `{"action":"do","ref":"e1","values":["a","b c"],"doubleClick":true}`,
		`--count 3 "e1" --out page.png`:          `{"action":"do","count":3,"ref":"e1"}`,
		`e1 --values '["a"]' --unknown --double`: `{"action":"do","ref":"e1","values":["a"]}`,
	} {
		o := Define("POST /do", "do {ref} {values...}", "Do.", func(context.Context, any, request) (struct{}, error) { return struct{}{}, nil }, Example(example))
		if got := o.ExampleCall("do"); got != want {
			t.Errorf("%s: got %s, want %s", example, got, want)
		}
	}
}
