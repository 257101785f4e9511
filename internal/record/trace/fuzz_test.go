package trace

import (
	"bytes"
	"encoding/json"
	"testing"
)

// The first description of a document is written unchanged, or refused. Later snapshots are JSON of
// the same form.
func FuzzHistory(f *testing.F) {
	for _, text := range []string{`["HTML",{},` + long + `]`, `["P",{"a":"b}]\""},"x","y",["B"]]`, `"text"`, `["A",{"b":"c",}]`, `[[1,2]]`} {
		f.Add([]byte(text), []byte(long))
	}
	f.Fuzz(func(t *testing.T, first, second []byte) {
		h := newHistory()
		for i, text := range [][]byte{first, second, first} {
			got, err := h.shorten(json.RawMessage(text))
			if err != nil {
				continue
			}
			if i == 0 && !bytes.Equal(got, bytes.TrimSpace(text)) {
				t.Errorf("%q was written as %q", text, got)
			}
			if json.Valid(text) && !json.Valid(got) {
				t.Errorf("%q became %q", text, got)
			}
		}
	})
}
