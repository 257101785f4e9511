package api

import (
	"reflect"
	"testing"

	"chela/internal/op"
)

// The results of saving and loading name databases and keys that could not be handled. Pages have
// chosen these names, so they are marked as text of a page.
func TestNamesInStatesAreForeign(t *testing.T) {
	for _, of := range []reflect.Type{reflect.TypeFor[savedState](), reflect.TypeFor[loadedState]()} {
		if left, ok := of.FieldByName("Left"); !ok || left.Type != reflect.TypeFor[[]op.PageText]() {
			t.Errorf("%v: Left is %v", of, left.Type)
		}
	}
	if left := firstLeft(make([]string, maxLeft+5)); len(left) != maxLeft+1 || left[maxLeft] != "and 5 more" {
		t.Errorf("of many: %q", left)
	}
}
