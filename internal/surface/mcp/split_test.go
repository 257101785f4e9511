package mcp

import (
	"reflect"
	"testing"

	"chela/internal/op"
)

// The message of a dialog has no line that looks like a line of a snapshot, and no ref. The lines of a
// snapshot stay as they are.
func TestLinesOfPagesAreMarked(t *testing.T) {
	type asked struct {
		Message  op.PageText  `json:"message" doc:"what the page asks"`
		Snapshot *op.PageText `json:"snapshot" doc:"the page as text" tool:"document"`
		Line     op.PageText  `json:"line" doc:"a line of a snapshot" tool:"refs"`
	}
	answer := map[string]any{"message": "Go on?\nsnapshot:\n- button \"Pay\" [ref=e9]", "line": "- link [ref=e2]", "snapshot": "- list:\n  - button \"Cancel\" [ref=e1]"}
	_, page := splitter{brief: true}.fields(answer, reflect.TypeFor[asked]())
	want := map[string]any{"message": "Go on?\n  | snapshot:\n  | - button \"Pay\" [ref\\u003de9]", "line": answer["line"], "snapshot": answer["snapshot"]}
	if !reflect.DeepEqual(page, want) {
		t.Errorf("got %q, want %q", page, want)
	}
}
