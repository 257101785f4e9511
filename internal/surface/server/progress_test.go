package server

import (
	"net/http"
	"slices"
	"testing"

	"chela/internal/op"
)

// A caller that asks for the progress of its call gets it before the answer; others do not.
func TestProgress(t *testing.T) {
	r := start(t)
	for _, test := range []struct {
		headers string
		want    []string
	}{
		{"", nil},
		{op.ProgressHeader + ": 1\n", []string{`{"done":0,"total":2,"doing":"one"}`, `{"done":1,"total":2,"doing":"two\r\nX: y"}`}},
	} {
		c := r.connect(t, "tcp")
		c.write("POST /steps HTTP/1.1\nHost: HOST\n" + auth + test.headers + "\n")
		var got []string
		resp, err := http.ReadResponse(c.answers, nil)
		for ; err == nil && resp.StatusCode == http.StatusProcessing; resp, err = http.ReadResponse(c.answers, nil) {
			got = append(got, resp.Header.Get(op.ProgressHeader))
		}
		if err != nil || resp.StatusCode != 200 || resp.Header.Get(op.ProgressHeader) != "" || !slices.Equal(got, test.want) {
			t.Errorf("got %q, then %v, %v", got, resp, err)
		}
	}
}
