package api

import (
	"encoding/json"
	"reflect"
	"testing"
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
		json.Unmarshal(actions(nil).Complete(json.RawMessage(s.raw)), &got)
		json.Unmarshal([]byte(s.want), &want)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %v, want %v", s.raw, got, want)
		}
	}
}
