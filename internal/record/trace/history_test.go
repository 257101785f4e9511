package trace

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

const long = `["P",{"class":"paragraph"},"a text that is long enough"]`

// Each row has the documents that one frame shows at its snapshots, and how the snapshots are written.
func TestHistory(t *testing.T) {
	for _, c := range []struct {
		name        string
		shown, want []string
	}{
		{"the first is written out", []string{`["HTML",{},` + long + `]`}, []string{`["HTML",{},` + long + `]`}},
		{"the same again", []string{`["HTML",{},` + long + `]`, `["HTML",{},` + long + `]`, `["HTML",{},` + long + `]`},
			[]string{`["HTML",{},` + long + `]`, `[[1,2]]`, `[[2,2]]`}},
		{"a part is the same", []string{`["HTML",{},` + long + `]`, `["HTML",{},"new",` + long + `]`},
			[]string{`["HTML",{},` + long + `]`, `["HTML",{},"new",[[1,1]]]`}},
		{"a part of a part that was a reference",
			[]string{`["HTML",{},` + long + `]`, `["HTML",{},"1",` + long + `]`, `["HTML",{},"2",` + long + `]`},
			[]string{`["HTML",{},` + long + `]`, `["HTML",{},"1",[[1,1]]]`, `["HTML",{},"2",[[2,1]]]`}},
		{"twice in one", []string{`["HTML",{},` + long + `,` + long + `]`}, []string{`["HTML",{},` + long + `,` + long + `]`}},
		{"another attribute",
			[]string{`["P",{"class":"a}b\"]"},"a text that is long enough"]`, `["P",{"class":"a}c\"]"},"a text that is long enough"]`},
			[]string{`["P",{"class":"a}b\"]"},"a text that is long enough"]`, `["P",{"class":"a}c\"]"},[[1,0]]]`}},
		{"short ones stay", []string{`["B",{},"x"]`, `["B",{},"x"]`}, []string{`["B",{},"x"]`, `["B",{},"x"]`}},
		{"without attributes", []string{`["HTML"]`}, []string{`["HTML"]`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHistory()
			for i, html := range c.shown {
				got, err := h.shorten(json.RawMessage(html))
				if err != nil || string(got) != c.want[i] {
					t.Errorf("snapshot %d: got %s, %v, want %s", i, got, err, c.want[i])
				}
			}
		})
	}
}

// A text that does not describe a document is an error, and does not count as a snapshot.
func TestHistoryRefuses(t *testing.T) {
	h := newHistory()
	for _, bad := range []string{``, `null`, `{}`, `["HTML"`, `["HTML",{},`, `["HTML",{"a":"b`, `"text`, `["HTML",{}] more`, `["HTML",{},7]`} {
		if got, err := h.shorten(json.RawMessage(bad)); err == nil {
			t.Errorf("%s became %s", bad, got)
		}
	}
	first, _ := h.shorten(json.RawMessage(long))
	again, _ := h.shorten(json.RawMessage(long))
	if string(first) != long || string(again) != "[[1,1]]" {
		t.Errorf("then came %s and %s", first, again)
	}
}

// References lead to the nodes that they replace. The test resolves them as the viewer does, in
// documents that change a little at a time.
func TestHistoryResolves(t *testing.T) {
	h := newHistory()
	var written []any
	for i := range 20 {
		html := `["HTML",{},` + long
		for j := range 10 {
			html += fmt.Sprintf(`,["LI",{"id":"%d"},"entry %d of the list, changed %d times",`+long+`]`, j, j, i/(j+1))
		}
		html += `]`
		short, err := h.shorten(json.RawMessage(html))
		if err != nil {
			t.Fatal(err)
		}
		var tree any
		if err := json.Unmarshal(short, &tree); err != nil {
			t.Fatalf("%v in %s", err, short)
		}
		written = append(written, tree)
		resolved, _ := json.Marshal(resolve(written, i, tree))
		if string(resolved) != html {
			t.Fatalf("snapshot %d is\n%s\nand means\n%s\nwant\n%s", i, short, resolved, html)
		}
		if i > 0 && strings.Contains(string(short), "a text that is long enough") {
			t.Errorf("snapshot %d repeats what was there before: %s", i, short)
		}
	}
}

// resolve replaces references by what they refer to.
func resolve(written []any, at int, n any) any {
	list, ok := n.([]any)
	if !ok {
		return n
	}
	if ref, ok := list[0].([]any); ok {
		from := at - int(ref[0].(float64))
		return resolve(written, from, nodesOf(written[from])[int(ref[1].(float64))])
	}
	out := append([]any{}, list[:min(2, len(list))]...)
	for _, child := range list[min(2, len(list)):] {
		out = append(out, resolve(written, at, child))
	}
	return out
}

// nodesOf lists the nodes that a snapshot writes out, children first.
func nodesOf(n any) (nodes []any) {
	list, ok := n.([]any)
	if !ok {
		return []any{n}
	}
	if _, ref := list[0].([]any); ref {
		return nil
	}
	for _, child := range list[min(2, len(list)):] {
		nodes = append(nodes, nodesOf(child)...)
	}
	return append(nodes, n)
}
