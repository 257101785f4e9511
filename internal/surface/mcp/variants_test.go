package mcp

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"chela/internal/op"
)

// done is a result that may also have the fields of another operation's result, see Variants.
type done struct {
	OK bool `json:"ok" doc:"done"`
}

func (done) Variants() []*op.Op {
	return []*op.Op{
		row[on, page]("GET /snapshot", "snapshot", "Read the page.", op.Untrusted),
		row[on, pictureResult]("POST /screenshot", "screenshot", "Take a picture."),
		row[on, tab]("GET /tab", "tab", "A tab."),
	}
}

// The fields of each variant are separated into those of chela and those of the page. If an
// operation is untrusted, all its fields come from the page.
func TestVariantsAreParted(t *testing.T) {
	var list []any
	if err := json.Unmarshal([]byte(`[{"ok":true,"snapshot":"- a\n- b"},{"ok":true,"path":"/a.png"},{"ok":false,"title":"Shop","use":"t1"},{"more":1}]`), &list); err != nil {
		t.Fatal(err)
	}
	var files []string
	own, theirs := splitter{file: func(f madeFile) { files = append(files, f.path) }}.value(list, reflect.TypeFor[[]done]())
	if got := oneLine(own); got != `[{"ok":true},{"ok":true,"path":"/a.png"},{"ok":false,"use":"t1"},{}]` {
		t.Errorf("of chela: %s", got)
	}
	if got := oneLine(theirs); got != `[{"snapshot":"- a\n- b"},{},{"title":"Shop"},{}]` {
		t.Errorf("of the page: %s", got)
	}
	if !slices.Equal(files, []string{"/a.png"}) {
		t.Errorf("files: %v", files)
	}
	if got := strings.Join(lines(map[string]any{"results": theirs}), "\n"); got != "results: [{},{},{\"title\":\"Shop\"},{}]\nresults[0].snapshot:\n- a\n- b" {
		t.Errorf("as lines: %s", got)
	}
}

// For an operation that asks a question, the answer no is no error.
func TestAnswerToAQuestion(t *testing.T) {
	asks := row[on, batched]("POST /expect", "expect", "Ask.", op.Asks)
	if res := answer(t.Context(), asks, nil, json.RawMessage(`{"error":"no"}`), Pictures{}); res.IsError {
		t.Errorf("got %+v", res)
	}
	does := row[on, batched]("POST /batch", "batch", "Do.")
	if res := answer(t.Context(), does, nil, json.RawMessage(`{"error":"no"}`), Pictures{}); !res.IsError {
		t.Errorf("got %+v", res)
	}
}
