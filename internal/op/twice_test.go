package op

import (
	"context"
	"encoding/json"
	"testing"
)

// Two names of one parameter must have the same value. Otherwise one of two addresses would be opened,
// and the other be dropped without a word.
func TestNamesOfOneParameter(t *testing.T) {
	type request struct {
		URL string `json:"url" alias:"targetUrl" doc:"address"`
	}
	opened := ""
	o := Define("POST /open", "open {url}", "Open.", func(_ context.Context, _ any, r request) (struct{}, error) {
		opened = r.URL
		return struct{}{}, nil
	})
	for given, wrong := range map[string]string{
		`{"url":"b","targetUrl":"a"}`:  "url is given twice, with different values",
		`{"url":"a","targetUrl":"b"}`:  "url is given twice, with different values",
		`{"url":"a","targetUrl":"a"}`:  "",
		`{"url":"a","targetUrl":""}`:   "",
		`{"url":"","targetUrl":"a"}`:   "",
		`{"targetUrl":"a","url":null}`: "",
	} {
		var args Args
		if err := json.Unmarshal([]byte(given), &args); err != nil {
			t.Fatal(err)
		}
		got := ""
		if err := o.Check(args); err != nil {
			got = err.Error()
		}
		if got != wrong {
			t.Errorf("%s: got %q, want %q", given, got, wrong)
		}
		if _, err := o.Run(t.Context(), struct{}{}, args); wrong == "" && (err != nil || opened != "a") {
			t.Errorf("%s: opened %q, %v", given, opened, err)
		}
	}
	args := Args{"node": json.RawMessage(`"a"`)}
	if o.Add(args, "node", json.RawMessage(`"b"`)) == nil || o.Add(args, "node", json.RawMessage(`"a"`)) != nil {
		t.Error("a machine given twice is not refused, or the same one is")
	}
}
