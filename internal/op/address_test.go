package op

import (
	"context"
	"encoding/json"
	"reflect"
	"testing"
)

type visit struct {
	To
	Note string `json:"note,omitempty" doc:"a text that may look like an address"`
}

func TestComplete(t *testing.T) {
	o := Define("POST /visit", "visit {url}", "Visit.", func(context.Context, any, visit) (struct{}, error) { return struct{}{}, nil })
	tests := []struct{ args, want string }{
		{`{"url": "example.com"}`, `{"url": "https://example.com", "orHttp": true}`},
		{`{"targetUrl": "example.com"}`, `{"targetUrl": "https://example.com", "orHttp": true}`},
		{`{"url": "localhost:3000", "note": "example.com"}`, `{"url": "http://localhost:3000", "note": "example.com"}`},
		{`{"url": "https://example.com"}`, `{"url": "https://example.com"}`},
		{`{"url": 12}`, `{"url": 12}`},
		{`{"other": "example.com"}`, `{"other": "example.com"}`},
		{`{}`, `{}`},
	}
	for _, test := range tests {
		var args, want Args
		json.Unmarshal([]byte(test.args), &args)
		json.Unmarshal([]byte(test.want), &want)
		if got := o.Complete(args); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %s, want %s", test.args, got, test.want)
		}
	}
	if o.Complete(nil) != nil {
		t.Error("arguments out of nothing")
	}
}
