package api

import (
	"errors"
	"testing"

	"chela/internal/engine/page"
	"chela/internal/op"
)

// A wrong selector in an act has the code that OpenClaw uses for wrong arguments of acts.
func TestWrongSelectorInAnAct(t *testing.T) {
	e := op.AsError(wrongInAct(&page.SelectorError{Selector: "a[", Reason: "no"}))
	if e.Code != op.ActInvalid || e.Message != `"a[" is not a CSS selector: no` || e.Hint != "" {
		t.Errorf("got %+v", e)
	}
	if other := errors.New("other"); wrongInAct(other) != other {
		t.Errorf("another error is %v", wrongInAct(other))
	}
}
