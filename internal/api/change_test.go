package api

import (
	"encoding/json"
	"errors"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"chela/internal/op"
)

func TestCompleteActions(t *testing.T) {
	for _, s := range []struct{ raw, want string }{
		{`[{"kind":"navigate","url":"example.com"},{"kind":"press","key":"Enter"}]`,
			`[{"kind":"navigate","url":"https://example.com","orHttp":true},{"kind":"press","key":"Enter"}]`},
		{`[{"kind":"batch","actions":[{"kind":"navigate","url":"localhost:3000"}]}]`,
			`[{"kind":"batch","actions":[{"kind":"navigate","url":"http://localhost:3000"}]}]`},
		{`[{"kind":"none","url":"example.com"}, null]`, `[{"kind":"none","url":"example.com"}, null]`},
		{`"text"`, `"text"`},
	} {
		var got, want any
		json.Unmarshal(Table().Named("batch").Complete(op.Args{"actions": json.RawMessage(s.raw)})["actions"], &got)
		json.Unmarshal([]byte(s.want), &want)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %v, want %v", s.raw, got, want)
		}
	}
}

// The files that the actions of a batch name are found, also in batches within it.
func TestFilesOfActions(t *testing.T) {
	const there = `[{"kind":"click","ref":"e1"},{"kind":"drop","ref":"e4","paths":["b.pdf"]},{"kind":"batch","actions":[{"kind":"drop","ref":"e4","paths":["b.pdf"]}]}]`
	batch := Table().Named("batch")
	for _, raw := range []string{strings.ReplaceAll(there, "b.pdf", "a.pdf"), strconv.Quote(strings.ReplaceAll(there, "b.pdf", "a.pdf"))} {
		args := op.Args{"actions": json.RawMessage(raw)}
		err := batch.ReplaceGiven(args, func(given op.Given) (string, error) {
			return strings.Replace(given.Path, "a", "b", 1), nil
		})
		var got, want any
		json.Unmarshal(args["actions"], &got)
		json.Unmarshal([]byte(there), &want)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %s, %v", raw, args["actions"], err)
		}
		refused := op.Errorf(op.Invalid, "no such file")
		if err := batch.ReplaceGiven(args, func(op.Given) (string, error) { return "", refused }); !errors.Is(err, refused) {
			t.Errorf("%s: got %v", raw, err)
		}
	}
}
