package op_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"chela/internal/op"
	"chela/internal/wall/secret"
)

// Masking removes secrets from all texts of an error. It returns an error without secrets
// unchanged.
func TestErrorsAreMasked(t *testing.T) {
	const value = "in an \"error\""
	other := op.Errorf(op.NotFound, "no such tab")
	secret.Know("op/password", value)
	e := op.Errorf(op.PageFailed, "it says %s", value).Hinted("not %s", value)
	e.Details, e.BrowserState = map[string]any{"text": value, "retryAfterMs": 7}, []string{value}
	masked, _ := errors.AsType[*op.Error](op.Masked(e))
	got, err := json.Marshal(masked)
	if want := `{"code":"page_failed","error":"it says «secret:op/password»","hint":"not «secret:op/password»","details":{"retryAfterMs":7,"text":"«secret:op/password»"},"browserState":["«secret:op/password»"]}`; err != nil || string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if masked.Details["retryAfterMs"] != 7 || e.Hint != "not "+value {
		t.Errorf("got %v; the error itself is now %v", masked.Details, e)
	}
	for _, same := range []error{nil, other, context.Canceled} {
		if op.Masked(same) != same {
			t.Errorf("%v has become another error", same)
		}
	}
	ctx := op.WithProgress(t.Context(), func(_, _ int, doing string) {
		if doing != "read «secret:op/password»" {
			t.Errorf("progress is %s", doing)
		}
	})
	op.Progress(ctx, 0, 1, "read "+value)
}
