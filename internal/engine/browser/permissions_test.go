package browser

import (
	"errors"
	"reflect"
	"testing"
)

// If Chromium refuses one permission, the others are granted. They are recorded for the next
// browser.
func TestGrantWithARefusal(t *testing.T) {
	ctx, b := start(t)
	const origin = "http://localhost:1"
	granted, _, err := b.Grant(ctx, origin, []string{"geolocation", "smartCard", "camera"}, nil)
	refused, ok := errors.AsType[*PermissionError](err)
	if !ok || refused.Name != "smartCard" || refused.Refusal == "" {
		t.Errorf("got %v, want that smartCard is refused", err)
	}
	want := []Grant{{origin, []string{"camera", "geolocation"}}}
	if len(granted) != 2 || !reflect.DeepEqual(b.grants, want) {
		t.Errorf("granted %q, recorded %v, want %v", granted, b.grants, want)
	}
}
