package setting

import (
	"context"
	"testing"

	"chela/internal/engine/cdp"
	"chela/internal/engine/frame"
)

// For frames and workers only an invalid value is an error: they may end at any time.
func TestSettingsThatFramesRefuse(t *testing.T) {
	invalid := &RefusedError{Err: &cdp.Error{Message: "Invalid locale name"}}
	for _, c := range []struct{ answered, want error }{
		{nil, nil},
		{invalid, invalid},
		{&RefusedError{Err: &cdp.Error{Message: "Session with given id not found."}}, nil},
		{frame.ErrFrameCrashed, nil},
	} {
		got := onlyInvalid(func(context.Context) error { return c.answered })(t.Context())
		if got != c.want {
			t.Errorf("%v: %v", c.answered, got)
		}
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if got := onlyInvalid(func(context.Context) error { return frame.ErrBusy })(over); got != frame.ErrBusy {
		t.Errorf("at the deadline: %v", got)
	}
}
